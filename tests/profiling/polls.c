/* Ways to ask again and again for two messages of a step, with other calls or with work between two questions; rank 0
 * sends them, of two components. polls WAY; rank 1 prints "waited LEAST MOST" seconds by its own clock: between them
 * lies the time that it lost to its processor. */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define NONE MPI_STATUS_IGNORE
#define ALL MPI_COMM_WORLD
#define D 1, MPI_DOUBLE

enum { steps = 8 };
static double x, y, z, end_of_run, nothing, waited, lost;
static MPI_Request a, b, open, sent, inside, null = MPI_REQUEST_NULL;

static double of_thread(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void compute_s(double seconds) { /* of this thread, however busy the machine is */
    const double begin = now(), end = of_thread() + seconds;
    while (of_thread() < end) {
    }
    lost += now() - begin - seconds;
}
static int is_here(MPI_Request *request) {
    int flag = 0;
    MPI_Test(request, &flag, NONE);
    return flag;
}
static int status_says(MPI_Request request) {
    int flag = 0;
    MPI_Request_get_status(request, &flag, NONE);
    return flag;
}
static int probe_says(int source, int tag, MPI_Comm comm) {
    int flag = 0;
    MPI_Iprobe(source, tag, comm, &flag, NONE);
    return flag;
}

/* What is asked between two questions, and is no message of the other component. */
static void ask_beside(const char *way) {
    int flag = 0, count = 0, index = 0;
    if (strcmp(way, "progress") == 0) (void)probe_says(MPI_ANY_SOURCE, 5, MPI_COMM_SELF);
    if (strcmp(way, "inside") == 0) (void)is_here(&inside);
    if (strcmp(way, "null") == 0) MPI_Testsome(1, &null, &count, &index, MPI_STATUSES_IGNORE);
    if (strcmp(way, "null") == 0) MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    if (strcmp(way, "open") == 0) (void)is_here(&open);
    if (strcmp(way, "asleep") == 0) sleep_s(0.0003);
}
static void one_after_the_other(const char *way) {
    for (int f = 0, g = 0; !f || !g; ask_beside(way)) {
        if (!f) f = is_here(&a);
        if (!g) g = is_here(&b);
    }
}
/* The request is complete, and Wait takes it; or both, and Waitall. */
static void statuses(int together) {
    MPI_Request both[2] = {a, b};
    for (int f = 0, g = 0; !f || !g;) {
        if (!f && (f = status_says(a)) && !together) MPI_Wait(&a, NONE);
        if (!g && (g = status_says(b)) && !together) MPI_Wait(&b, NONE);
    }
    if (together) MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}
static void probes(int few) {
    for (int i = 0; !probe_says(0, 1, ALL) && (!few || i < 50); ++i)
        (void)is_here(&sent);
    MPI_Recv(&y, D, 0, 1, ALL, NONE);
    MPI_Recv(&z, D, 0, 2, ALL, NONE);
}
static void until(const char *way) {
    if (strcmp(way, "status") == 0 || strcmp(way, "statuses") == 0) return statuses(strcmp(way, "statuses") == 0);
    if (strcmp(way, "probe") == 0 || strcmp(way, "probe_few") == 0) return probes(strcmp(way, "probe_few") == 0);
    for (int i = 0; strcmp(way, "test_few") == 0 && i < 50; ++i)
        if (is_here(&b) + is_here(&a) > 0) break;
    if (strcmp(way, "test_few") != 0) return one_after_the_other(way);
    MPI_Wait(&a, NONE);
    MPI_Wait(&b, NONE);
}
/* Asks two million times for what does not come. */
static void never(void) {
    struct rusage before, after;
    for (int i = 0; i < 1010000; ++i) {
        if (i == 10000) getrusage(RUSAGE_SELF, &before);
        (void)is_here(&open);
        (void)is_here(&inside);
    }
    getrusage(RUSAGE_SELF, &after);
    printf("grew %ld KiB\n", after.ru_maxrss - before.ru_maxrss);
}
/* Work in pieces, with a question after each, for 40 ms. */
static void work(double piece) {
    for (int left = (int)(0.04 / piece); left > 0; --left) {
        compute_s(piece);
        const double begin = now();
        if (a != MPI_REQUEST_NULL) (void)is_here(&a);
        waited += now() - begin;
    }
}

#if MPI_VERSION >= 4
enum { parts = 4 };
static void in_parts(int rank) {
    static double sent_parts[parts], got[parts];
    MPI_Request request;
    if (rank == 0) MPI_Psend_init(sent_parts, parts, D, 1, 1, ALL, MPI_INFO_NULL, &request);
    if (rank == 1) MPI_Precv_init(got, parts, D, 0, 1, ALL, MPI_INFO_NULL, &request);
    for (int s = 0; s < steps; ++s) {
        MPI_Start(&request);
        sleep_s(rank == 0 ? 0.04 : 0.01);
        for (int p = 0; rank == 0 && p < parts; ++p)
            MPI_Pready(p, request);
        const double begin = now();
        for (int p = 0, flag = 0; rank == 1 && p < parts; p += flag)
            MPI_Parrived(request, p, &flag);
        MPI_Wait(&request, NONE);
        waited += now() - begin;
        if (rank == 0) MPI_Recv(&x, D, 1, 3, ALL, NONE);
        if (rank == 1) MPI_Send(&x, D, 0, 3, ALL);
    }
    MPI_Request_free(&request);
}
#endif

static void step_of_producer(double seconds) {
    sleep_s(seconds);
    MPI_Send(&x, D, 1, 1, ALL);
    MPI_Send(&x, D, 1, 2, ALL);
    MPI_Recv(&y, D, 1, 3, ALL, NONE);
}
static void step_of_consumer(const char *way, double piece) {
    const int receives = strncmp(way, "probe", 5) != 0;
    if (receives) MPI_Irecv(&y, D, 0, 1, ALL, &a);
    if (receives) MPI_Irecv(&z, D, 0, 2, ALL, &b);
    if (piece > 0) work(piece);
    if (piece <= 0) sleep_s(0.01);
    const double begin = now();
    if (piece <= 0) until(way);
    if (piece > 0) MPI_Wait(&a, NONE);
    if (piece > 0) MPI_Wait(&b, NONE);
    waited += now() - begin;
    MPI_Wait(&sent, NONE);
    MPI_Isend(&x, D, 0, 3, ALL, &sent);
}

int main(int argc, char **argv) {
    int rank;
    double piece = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(ALL, &rank);
    const char *way = argc > 1 ? argv[1] : "";
    if (strncmp(way, "work ", 5) == 0) piece = strtod(way + 5, NULL);
    a = b = open = sent = MPI_REQUEST_NULL;
    const int is_in_parts = strcmp(way, "parts") == 0;
    MPI_Irecv(&nothing, D, 0, 9, MPI_COMM_SELF, &inside);
    if (rank == 1) MPI_Irecv(&end_of_run, D, 0, 9, ALL, &open);
#if MPI_VERSION >= 4
    if (is_in_parts) in_parts(rank);
#endif
    if (strcmp(way, "never") == 0 && rank == 1) never();
    for (int s = 0; s < steps && !is_in_parts; ++s) {
        if (rank == 0) step_of_producer(piece > 0 ? 0.01 : 0.04);
        if (rank == 1) step_of_consumer(way, piece);
    }
    if (rank == 1) printf("waited %.6f %.6f\n", waited, waited + lost);
    MPI_Wait(&sent, NONE);
    if (rank == 0) MPI_Send(&x, D, 1, 9, ALL);
    if (rank == 1) MPI_Wait(&open, NONE);
    MPI_Cancel(&inside);
    MPI_Wait(&inside, NONE);
    MPI_Finalize();
    return 0;
}
