/* A field between the two processes of component a, ranks 0 and 1, and the one of b, rank 2, in the ways in which
 * codes send what is spread over their processes. A tag for each way. */
#include <mpi.h>

enum { steps = 5, parts = 2, b = 2 };

static int rank;
static double value[4];

static void from_a_at_once(int tag) { /* b waits for both messages in one call */
    MPI_Request requests[parts];
    if (rank != b) {
        MPI_Send(value, 1, MPI_DOUBLE, b, tag, MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; i < parts; ++i)
        MPI_Irecv(&value[i], 1, MPI_DOUBLE, i, tag, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(parts, requests, MPI_STATUSES_IGNORE);
}
static void from_a_in_turn(int tag) {
    if (rank != b) MPI_Send(value, 1, MPI_DOUBLE, b, tag, MPI_COMM_WORLD);
    for (int i = 0; rank == b && i < parts; ++i)
        MPI_Recv(&value[i], 1, MPI_DOUBLE, i, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void to_a(int tag) {
    MPI_Request requests[parts];
    if (rank != b) {
        MPI_Recv(value, 1, MPI_DOUBLE, b, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 0; i < parts; ++i)
        MPI_Isend(&value[i], 1, MPI_DOUBLE, i, tag, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(parts, requests, MPI_STATUSES_IGNORE);
}
/* Two messages of one process are two exchanges, also where b waits for both in one call. */
static void twice(int tag) {
    MPI_Request requests[parts];
    for (int i = 0; rank == 0 && i < parts; ++i)
        MPI_Send(value, 1, MPI_DOUBLE, b, tag, MPI_COMM_WORLD);
    if (rank != b) return;
    for (int i = 0; i < parts; ++i)
        MPI_Irecv(&value[i], 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(parts, requests, MPI_STATUSES_IGNORE);
}
static void started_at_once(int tag, MPI_Request *requests) {
    if (rank != b) {
        MPI_Recv(value, 1, MPI_DOUBLE, b, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Startall(parts, requests);
    MPI_Waitall(parts, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[parts];
    for (int i = 0; rank == b && i < parts; ++i)
        MPI_Send_init(&value[i], 1, MPI_DOUBLE, i, 5, MPI_COMM_WORLD, &requests[i]);
    for (int step = 0; step < steps; ++step) {
        from_a_at_once(1);
        from_a_in_turn(2);
        to_a(3);
        twice(4);
        started_at_once(5, requests);
    }
    for (int i = 0; rank == b && i < parts; ++i)
        MPI_Request_free(&requests[i]);
    MPI_Finalize();
    return 0;
}
