/* What a model may do to a recorder that comes from its side only, by name: each way says "fine" on each process. */
#include <mpi.h>
#include <pthread.h>
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

enum { rounds = 100, together = 8, locks = 50 };

static void *free_windows(void *windows) {
    for (int i = 0; i < together; ++i)
        MPI_Win_free((MPI_Win *)windows + i);
    return NULL;
}

/* Another thread frees what this one has used, while this one uses others. */
static int freed_elsewhere(int rank) {
    static MPI_Win windows[2][together], busy;
    static int value = 1;
    int *room = NULL;
    MPI_Win_allocate(sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &room, &busy);
    for (int round = 0; round < rounds; ++round) {
        pthread_t thread;
        MPI_Win *mine = windows[round % 2];
        for (int i = 0; i < together; ++i) {
            MPI_Win_allocate(sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &room, &mine[i]);
            MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, mine[i]);
            MPI_Win_unlock(1 - rank, mine[i]);
        }
        pthread_create(&thread, NULL, &free_windows, mine);
        for (int i = 0; i < locks; ++i) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, busy);
            MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, busy);
            MPI_Win_unlock(1 - rank, busy);
        }
        pthread_join(thread, NULL);
    }
    MPI_Win_free(&busy);
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
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "split") == 0) fine = split(rank);
    if (strcmp(way, "no_type") == 0) fine = no_type(rank);
    if (strcmp(way, "freed_elsewhere") == 0) fine = provided != MPI_THREAD_MULTIPLE || freed_elsewhere(rank);
    if (strcmp(way, "no_memory") == 0) fine = no_memory(rank, argc > 2 ? atol(argv[2]) : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%s\n", fine ? "fine" : "wrong");
    MPI_Finalize();
    return !fine;
}
