/* What a model may do to a recorder that comes from its side only, by name: each way says "fine" on each process. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) void fault_arm(long at); /* of a library that is preloaded */

static int told_to_world = 0, told_to_mine = 0;

static void of_world(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    ++told_to_world;
}

static void of_mine(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    ++told_to_mine;
}

/* Half of the job may not be recorded. */
static int split(int rank) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Barrier(part);
    MPI_Comm_free(&part);
    return 1;
}

/* An error is told to the handler of the call's communicator, once. */
static int no_type(int rank) {
    MPI_Errhandler world, mine;
    MPI_Comm comm;
    int value = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(&of_world, &world);
    MPI_Comm_create_errhandler(&of_mine, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
    MPI_Comm_set_errhandler(comm, mine);
    const int code = MPI_Send(&value, 1, MPI_DATATYPE_NULL, 1 - rank, 1, comm);
    MPI_Comm_free(&comm);
    return code != MPI_SUCCESS && told_to_mine == 1 && told_to_world == 0;
}

enum { rounds = 20 };

/* 20 messages each way with the other process. */
__attribute__((noinline)) static int exchange(int rank) {
    int wrong = 0;
    for (int i = 0; i < rounds; ++i) {
        int got = -1;
        MPI_Sendrecv(&i, 1, MPI_INT, 1 - rank, 7, &got, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += got != i;
    }
    return wrong == 0;
}

/* The same from further down on the stack, where what lay there before is written over. */
__attribute__((noinline)) static int exchange_below(int rank, int depth) {
    char room[512];
    memset(room, depth, sizeof room);
    const int fine = depth > 0 ? exchange_below(rank, depth - 1) : exchange(rank);
    return fine && room[depth] == depth;
}

static sigjmp_buf before_the_call;
static int calls_in_handler = 0;

static void jumps_back(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    siglongjmp(before_the_call, 1);
}

static void calls_mpi(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    int value = 1, got = 0;
    MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    calls_in_handler += got;
}

/* A call of MPI fails, and its error handler leaves it by a jump, or returns. */
__attribute__((noinline)) static int fail(MPI_Comm_errhandler_function *handler) {
    MPI_Errhandler mine;
    int value = 0;
    volatile int jumped = 0;
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    if (sigsetjmp(before_the_call, 1) == 0)
        MPI_Send(&value, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
    else
        jumped = 1;
    return jumped;
}

static int fails(int rank, const char *way) {
    if (strcmp(way, "nested") == 0) return fail(&calls_mpi) == 0 && calls_in_handler == 1 && exchange(rank);
    const int jumped = rank == 0 || fail(&jumps_back);
    return jumped && (strcmp(way, "below") == 0 ? exchange_below(rank, 3) : exchange(rank));
}

static int argument_count;
static char **arguments;

static void *begin_mpi(void *provided) {
    MPI_Init_thread(&argument_count, &arguments, MPI_THREAD_MULTIPLE, (int *)provided);
    return NULL;
}

static void *end_mpi(void *jumps) {
    if (jumps != NULL) fail(&jumps_back);
    MPI_Finalize();
    return NULL;
}

static void on_a_thread(void *(*work)(void *), void *with) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, with);
    pthread_join(thread, NULL);
}

static void *free_window(void *window) {
    MPI_Win_free((MPI_Win *)window);
    return NULL;
}

static void put_once(MPI_Win window, int to) {
    static int value = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, to, 0, window);
    MPI_Put(&value, 1, MPI_INT, to, 0, 1, MPI_INT, window);
    MPI_Win_unlock(to, window);
}

/* Another thread frees the window between the processes that this one has just used. MPI gives its handle to the next
 * window, which a process has alone (in `alone`, else there is none): what was known of the handle no longer holds.
 */
static int freed_elsewhere(int rank, int alone) {
    int again = 0;
    for (int round = 0; round < rounds; ++round) {
        int *room = NULL;
        pthread_t thread;
        MPI_Win shared, own;
        MPI_Win_allocate(sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &room, &shared);
        MPI_Win before = shared;
        put_once(shared, 1 - rank);
        pthread_create(&thread, NULL, &free_window, &shared);
        pthread_join(thread, NULL);
        if (!alone) continue;
        MPI_Win_allocate(sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_SELF, &room, &own);
        again += own == before;
        put_once(own, 0);
        MPI_Win_free(&own);
    }
    if (alone) printf("handles again %d\n", again);
    return 1;
}

/* One allocation in the calls of MPI fails. */
static int no_memory(int rank, long which) {
    if (fault_arm == NULL) return 0;
    int got = 0, wrong = 0;
    fault_arm(which);
    for (int tag = 0; tag < 4; ++tag) {
        MPI_Comm comm;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, comm, &request);
        MPI_Send(&tag, 1, MPI_INT, 1 - rank, tag, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += got != tag;
        MPI_Comm_free(&comm);
    }
    fault_arm(0);
    return wrong == 0;
}

int main(int argc, char **argv) {
    int provided = 0, rank = 0, fine = 0;
    const char *way = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    argument_count = argc;
    arguments = argv;
    if (strcmp(way, "begun_elsewhere") == 0)
        on_a_thread(&begin_mpi, &provided);
    else if (strcmp(way, "fails") == 0 || strcmp(way, "ends_in_jump") == 0)
        MPI_Init(&argc, &argv); /* MPICH with threads calls an error handler with its lock held */
    else
        begin_mpi(&provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "fails") == 0) fine = fails(rank, how);
    if (strcmp(way, "begun_elsewhere") == 0 || strcmp(way, "ends_elsewhere") == 0 || strcmp(way, "ends_in_jump") == 0)
        fine = exchange(rank);
    if (strcmp(way, "split") == 0) fine = split(rank);
    if (strcmp(way, "no_type") == 0) fine = no_type(rank);
    if (strcmp(way, "freed_elsewhere") == 0)
        fine = provided == MPI_THREAD_MULTIPLE && freed_elsewhere(rank, argc > 2 && strcmp(argv[2], "alone") == 0);
    if (strcmp(way, "no_memory") == 0) fine = no_memory(rank, argc > 2 ? atol(argv[2]) : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%s\n", fine ? "fine" : "wrong");
    if (strcmp(way, "ends_elsewhere") == 0 && (strcmp(how, "all") == 0 || rank == 1))
        on_a_thread(&end_mpi, NULL);
    else
        end_mpi(strcmp(way, "ends_in_jump") == 0 ? &rank : NULL);
    return !fine;
}
