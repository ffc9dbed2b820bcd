/* What a model may do to a recorder that comes from its side only, by name: each way says "fine" on each process. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv) {
    int provided = 0, rank = 0, fine = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "split") == 0) fine = split(rank);
    if (strcmp(way, "no_type") == 0) fine = no_type(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%s\n", fine ? "fine" : "wrong");
    MPI_Finalize();
    return !fine;
}
