/* cpl_lb_balance_here and cpl_lb_balance_now in a model whose sleeps are known.
 *
 * The first argument is the case:
 *
 * follow: the slow side changes half way. The last steps follow, the sum since the start does not. Each figure lies
 * between two stopwatches of the model's own, one around cpl_lb_begin and cpl_lb_end and one inside of them.
 *
 * alone: one component only; a communicator of one process; wrong arguments; calls too early and too late.
 *
 * off: switched off.
 *
 * missing: one process does not come. The others get an error once, and the run ends well.
 *
 * full: the memory for events is full.
 *
 * faulty: a call of MPI fails somewhere (tests/stubs/faults.c). Whatever the calls give, the run goes on to its end.
 *
 * Ranks below half are the ocean, the others the atmosphere. The exit status is 0 if all is as it has to be. */
#include <cpl_lb/cpl_lb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { half_way = 12, all_steps = 24, some = 5 };

static int rank, ranks, failed;

#define CHECK(true_) check((true_), #true_, __LINE__)
static void check(int true_, const char *what, int line) {
    if (true_) return;
    failed = 1;
    fprintf(stderr, "balance_now_model, rank %d, line %d: wrong: %s\n", rank, line, what);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(double seconds) {
    usleep((useconds_t)(1e6 * seconds));
}

/* Asleep: more processes than cores are no problem. */
static void wait_for(MPI_Request *request) {
    for (int done = 0; !done; nap(2e-4))
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

/* What the model's own stopwatches say: before and after each call that begins a step; a wait from the outside and
 * from the inside. */
static double before_begin[all_steps], after_begin[all_steps], outside[all_steps], inside[all_steps];

static int ocean(void) {
    return rank < (ranks + 1) / 2;
}
static int partner(void) {
    return ocean() ? rank + (ranks + 1) / 2 : rank - (ranks + 1) / 2;
}

/* Sends, receives, computes. The messages of step n come from step n of the other side. */
static void step(int n, int put, int get, double computing_s) {
    double sent = n, received = -1;
    MPI_Request requests[2];
    before_begin[n] = now();
    cpl_lb_begin(CPL_LB_PUT, put);
    after_begin[n] = now();
    MPI_Isend(&sent, 1, MPI_DOUBLE, partner(), 0, MPI_COMM_WORLD, &requests[0]);
    const double put_end = now();
    cpl_lb_end(CPL_LB_PUT, put);
    const double between = now();
    cpl_lb_begin(CPL_LB_GET, get);
    const double get_begin = now();
    MPI_Irecv(&received, 1, MPI_DOUBLE, partner(), 0, MPI_COMM_WORLD, &requests[1]);
    wait_for(&requests[1]);
    const double get_end = now();
    cpl_lb_end(CPL_LB_GET, get);
    const double after = now();
    inside[n] = put_end - after_begin[n] + get_end - get_begin;
    outside[n] = between - before_begin[n] + after - between;
    wait_for(&requests[0]);
    CHECK((int)received == n);
    nap(computing_s);
}

static void fields(int *put, int *get) {
    *put = cpl_lb_field(ocean() ? "SST" : "QNET", ocean() ? "atmosphere" : "ocean");
    *get = cpl_lb_field(ocean() ? "QNET" : "SST", ocean() ? "atmosphere" : "ocean");
}

/* After step `last` has begun, over `steps` whole steps. Returns the share of waiting. */
static double check_own(int last, int steps) {
    const double clock = 1e-4; /* the recorder's clock is a counter whose rate is measured */
    double computing, waiting, coupling, own, least = 0, most = 0;
    CHECK(cpl_lb_balance_here(steps, &computing, &waiting, &coupling, &own) == steps);
    for (int n = last - steps; n < last; ++n) {
        least += inside[n];
        most += outside[n];
    }
    const double all = computing + waiting + own;
    CHECK(waiting >= least - clock * all && waiting <= most + clock * all);
    CHECK(all >= (before_begin[last] - after_begin[last - steps]) * (1 - clock));
    CHECK(all <= (after_begin[last] - before_begin[last - steps]) * (1 + clock));
    CHECK(coupling == waiting && own >= 0 && own < 0.9 * all);
    return waiting / (computing + waiting);
}

/* All processes get the same. Returns the answer's slow side. */
static int check_all(int steps, int expected_steps, cpl_lb_balance c[2]) {
    int slow = -7;
    char mine[2 * sizeof(cpl_lb_balance) + sizeof slow], roots[sizeof mine];
    memset(c, 0, 2 * sizeof *c);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, steps, 2, c, &slow) == 2);
    memcpy(mine, c, 2 * sizeof *c);
    memcpy(mine + 2 * sizeof *c, &slow, sizeof slow);
    memcpy(roots, mine, sizeof mine);
    MPI_Bcast(roots, sizeof roots, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(memcmp(roots, mine, sizeof mine) == 0);
    CHECK(strcmp(c[0].name, "ocean") == 0 && strcmp(c[1].name, "atmosphere") == 0);
    for (int i = 0; i < 2; ++i) {
        CHECK(c[i].processes == ranks / 2 && c[i].measured == ranks / 2 && c[i].steps == expected_steps);
        CHECK(c[i].seconds > 0 && c[i].waiting_s >= 0 && c[i].waiting_s <= c[i].coupling_s);
        CHECK(c[i].computing_s + c[i].waiting_s - c[i].seconds < 1e-9);
        CHECK(c[i].waiting_share >= 0 && c[i].waiting_share <= 1);
    }
    return slow;
}

static void follow(void) {
    const double quick_s = 2e-3, slow_s = 40e-3, late_s = 0.1;
    cpl_lb_balance c[2];
    int put, get;
    double own = 0;
    CHECK(cpl_lb_init(MPI_COMM_WORLD, ocean() ? "ocean" : "atmosphere") == 0);
    fields(&put, &get);
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, NULL) == 0); /* before the first step */
    for (int n = 0; n < all_steps; ++n) {
        const int slow_one = n < half_way ? !ocean() : ocean();
        step(n, put, get, slow_one ? slow_s : quick_s);
        if (n == half_way - 1) {
            const double share = check_own(n, some);
            if (ocean()) CHECK(share > 0.3); /* of 40 ms and more it computes 2 ms */
            CHECK(check_all(some, some, c) == 2);
            nap(rank == 0 ? late_s : 0); /* the others wait inside of the call, which is no waiting of the model */
            CHECK(check_all(some, some, c) == 2);
        }
        if (n == half_way + 1) {
            CHECK(cpl_lb_balance_here(2, NULL, NULL, NULL, &own) == 2);
            if (rank != 0) CHECK(own >= 0.9 * late_s);
            check_own(n, 2);
        }
    }
    const double last = check_own(all_steps - 1, some), first = check_own(all_steps - 1, all_steps - 1);
    CHECK(check_all(some, some, c) == 1);
    const double last_share = c[0].waiting_share;
    check_all(CPL_LB_STEPS, all_steps - 1, c);
    /* Since the start the ocean waited for half of the steps; of late not. */
    if (ocean()) CHECK(first > 2 * last);
    CHECK(c[0].waiting_share > 2 * last_share);
    /* The steps of the report's loop: without the first one (balance_now_test.py). */
    double computing, waiting;
    CHECK(cpl_lb_balance_here(all_steps - 2, &computing, &waiting, NULL, &own) == all_steps - 2);
    printf("%s %.9f %.9f\n", ocean() ? "ocean" : "atmosphere", waiting, computing + waiting + own);
    fflush(stdout);
    CHECK(cpl_lb_terminate(3600) == 0);
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, &own) == CPL_LB_EORDER && own == 0);
}

static void wrong_arguments(void) {
    cpl_lb_balance c[2];
    double computing = 7, own = 7;
    int slow = 7;
    CHECK(cpl_lb_balance_here(0, &computing, NULL, NULL, &own) == CPL_LB_EARGUMENT && computing == 0 && own == 0);
    CHECK(cpl_lb_balance_here(-1, NULL, NULL, NULL, NULL) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_balance_here(CPL_LB_STEPS + 1, NULL, NULL, NULL, NULL) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, CPL_LB_STEPS + 1, 2, c, &slow) == CPL_LB_EARGUMENT);
    CHECK(slow == 0 && c[0].name[0] == 0 && c[1].waiting_share == -1);
    CHECK(cpl_lb_balance_now(MPI_COMM_NULL, some, 2, c, &slow) == CPL_LB_EARGUMENT);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 0, NULL, NULL) == 1);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, NULL, NULL) == 1);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, -3, c, &slow) == 1);
}

/* All are one component, and exchange nothing with others: a GET from itself, so to say. */
static void alone(void) {
    cpl_lb_balance c[2];
    double own = 7;
    int slow = 7;
    MPI_Comm twin;
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, &own) == CPL_LB_EORDER && own == 0);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == CPL_LB_EORDER && slow == 0);
    CHECK(cpl_lb_init(MPI_COMM_WORLD, "a name that is longer than there is room for in the answer of the call") == 0);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == 1);
    CHECK(c[0].processes == ranks && c[0].measured == 0 && c[0].steps == 0);
    CHECK(c[0].waiting_share == -1 && c[0].seconds == 0 && slow == 0);
    for (int n = 0; n < 4; ++n) {
        cpl_lb_begin(CPL_LB_GET, 0);
        nap(5e-3);
        cpl_lb_end(CPL_LB_GET, 0);
        nap(1e-3);
    }
    wrong_arguments();
    for (int time = 0; time < 3; ++time) { /* a handle that MPI uses again */
        MPI_Comm_split(MPI_COMM_WORLD, time == 1 ? rank : 0, -rank, &twin);
        CHECK(cpl_lb_balance_now(twin, some, 2, c, &slow) == 1);
        CHECK(c[0].processes == (time == 1 ? 1 : ranks) && c[0].measured == c[0].processes && c[0].steps == 3);
        CHECK(strlen(c[0].name) == CPL_LB_NAME - 1 && c[0].waiting_s >= 15e-3 && slow == 0);
        MPI_Comm_free(&twin);
    }
    CHECK(cpl_lb_terminate(3600) == 0);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == CPL_LB_EORDER && c[0].processes == 0);
}

static void off(void) {
    cpl_lb_balance c[2];
    double computing = 7, waiting = 7, coupling = 7, own = 7;
    int slow = 7, put, get;
    CHECK(cpl_lb_init(MPI_COMM_WORLD, "ocean") == 0);
    fields(&put, &get);
    for (int n = 0; n < 3; ++n)
        step(n, put, get, 0);
    CHECK(cpl_lb_balance_here(some, &computing, &waiting, &coupling, &own) == 0);
    CHECK(computing == 0 && waiting == 0 && coupling == 0 && own == 0);
    CHECK(cpl_lb_balance_here(-5, NULL, NULL, NULL, NULL) == 0);
    if (rank == 0) { /* alone: it returns at once */
        CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == 0);
        CHECK(slow == 0 && c[0].processes == 0 && c[0].waiting_share == -1);
    }
    CHECK(cpl_lb_terminate(3600) == 0);
}

/* rn_timeout is 2 s. */
static void missing(void) {
    cpl_lb_balance c[2];
    int slow = 7, put, get;
    CHECK(cpl_lb_init(MPI_COMM_WORLD, ocean() ? "ocean" : "atmosphere") == 0);
    fields(&put, &get);
    for (int n = 0; n < 3; ++n)
        step(n, put, get, 1e-3);
    if (rank != ranks - 1) {
        const double begin = now();
        CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == CPL_LB_ETIMEOUT && slow == 0);
        CHECK(now() - begin >= 1.9);
        const double again = now();
        CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == CPL_LB_ETIMEOUT);
        CHECK(now() - again < 1.0);
    }
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, NULL) == 2); /* this one goes on */
    for (int n = 3; n < 6; ++n)
        step(n, put, get, 1e-3);
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, NULL) == some);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(cpl_lb_terminate(3600) == 0);
}

static void full(void) {
    cpl_lb_balance c[2];
    int slow = 7;
    CHECK(cpl_lb_init(MPI_COMM_WORLD, ocean() ? "ocean" : "atmosphere") == 0);
    for (int n = 0; n < 400000; ++n) { /* nn_max_mb is 1 */
        cpl_lb_begin(CPL_LB_GET, 0);
        cpl_lb_end(CPL_LB_GET, 0);
    }
    CHECK(cpl_lb_balance_here(some, NULL, NULL, NULL, NULL) == CPL_LB_EDROPPED);
    CHECK(cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow) == (ranks > 1 ? 2 : 1));
    CHECK(c[0].measured == 0 && c[0].waiting_share == -1 && slow == 0);
    CHECK(cpl_lb_terminate(3600) == CPL_LB_EDROPPED);
}

/* rn_timeout is 1 s. */
static void faulty(void) {
    cpl_lb_balance c[2];
    int slow = 7, put = 0, get = 0, failed_once = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* the call that fails may be one of the model */
    const int on = cpl_lb_init(MPI_COMM_WORLD, ocean() ? "ocean" : "atmosphere") == 0;
    if (on) fields(&put, &get);
    for (int n = 0; n < all_steps; ++n) {
        step(n, put, get, 1e-4);
        const int found = cpl_lb_balance_now(MPI_COMM_WORLD, some, 2, c, &slow);
        CHECK(found == 2 || found == 0 || found == CPL_LB_EMPI || found == CPL_LB_ETIMEOUT);
        if (found < 0) CHECK(slow == 0 && c[0].processes == 0);
        if (found == 2) CHECK(!failed_once && c[0].processes == 1 && c[1].processes == 1);
        if (found < 0) failed_once = 1; /* for good */
        const int steps = cpl_lb_balance_here(some, NULL, NULL, NULL, NULL);
        CHECK(steps == 0 || steps == (n < some ? n : some)); /* 0: switched off */
    }
    cpl_lb_terminate(3600);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(name, "follow") == 0) follow();
    if (strcmp(name, "alone") == 0) alone();
    if (strcmp(name, "off") == 0) off();
    if (strcmp(name, "missing") == 0) missing();
    if (strcmp(name, "full") == 0) full();
    if (strcmp(name, "faulty") == 0) faulty();
    int any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
