/* Two components that exchange messages by MPI alone, with waits of known length: `ocean` sends every 0.1 s,
 * `atmosphere` is ready at once and waits. As its executable is called, so is the component. Each prints the time
 * that it spent in its receives, by its own clock, from the second to the last one: "waited SECONDS". */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { steps = 8, tag = 7 };

static void together(const char *way, double *value, double *all, int half) {
    if (strcmp(way, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "allreduce") == 0) MPI_Allreduce(value, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(way, "bcast") == 0) MPI_Bcast(all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (strcmp(way, "gather") == 0) MPI_Gather(value, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, half, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argc > 2 ? argv[2] : "blocking";
    const int sends = argc > 1 && strcmp(argv[1], "ocean") == 0;
    const int half = size / 2, other = (rank + half) % size;
    double value = rank, waited = 0.0;
    MPI_Comm comm = MPI_COMM_WORLD, half_comm = MPI_COMM_NULL;
    const int intercomm = strcmp(way, "intercomm") == 0;
    if (intercomm) { /* ranks are then those of the other half */
        MPI_Comm_split(MPI_COMM_WORLD, rank / half, rank, &half_comm);
        MPI_Intercomm_create(half_comm, 0, MPI_COMM_WORLD, rank < half ? half : 0, 99, &comm);
    }
    if (strcmp(way, "split") == 0) { /* one executable, whose parts are named by this */
        MPI_Comm_split(MPI_COMM_WORLD, 3 + rank / half, rank, &half_comm);
        MPI_Comm_free(&half_comm);
    }
    const int partner = intercomm ? rank % half : other;
    MPI_Request prepared = MPI_REQUEST_NULL;
    const int persistent = strcmp(way, "persistent") == 0;
    if (persistent && sends) MPI_Send_init(&value, 1, MPI_DOUBLE, partner, tag, comm, &prepared);
    if (persistent && !sends) MPI_Recv_init(&value, 1, MPI_DOUBLE, partner, tag, comm, &prepared);
    const int collective = strcmp(way, "barrier") == 0 || strcmp(way, "allreduce") == 0 ||
                           strcmp(way, "bcast") == 0 || strcmp(way, "gather") == 0;
    double all[64];
    for (int step = 0; step < steps; ++step) {
        if (sends) {
            sleep_s(0.1);
            if (collective) {
                together(way, &value, all, half);
            } else if (persistent) {
                MPI_Start(&prepared);
                MPI_Wait(&prepared, MPI_STATUS_IGNORE);
            } else if (strcmp(way, "split") == 0) {
                MPI_Isend(&value, 1, MPI_DOUBLE, partner, tag, comm, &prepared);
                MPI_Wait(&prepared, MPI_STATUS_IGNORE);
            } else {
                MPI_Send(&value, 1, MPI_DOUBLE, partner, tag, comm);
            }
            continue;
        }
        const double before = MPI_Wtime();
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status;
        int flag = 0, index = -1, count = 0;
        if (collective) {
            together(way, &value, all, half);
            value = other;
        } else if (strcmp(way, "blocking") == 0 || strcmp(way, "split") == 0) {
            MPI_Recv(&value, 1, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (intercomm) {
            MPI_Recv(&value, 1, MPI_DOUBLE, partner, tag, comm, &status);
        } else if (persistent) {
            MPI_Start(&prepared);
            MPI_Wait(&prepared, MPI_STATUS_IGNORE);
        } else if (strcmp(way, "sendrecv") == 0) {
            double sent = 0.0;
            MPI_Sendrecv(&sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, &value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (strcmp(way, "anybody") == 0) {
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (strcmp(way, "probe") == 0) {
            MPI_Message message;
            MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status);
            MPI_Mrecv(&value, 1, MPI_DOUBLE, &message, &status);
        } else {
            MPI_Irecv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
            if (strcmp(way, "wait") == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (strcmp(way, "waitall") == 0) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
            if (strcmp(way, "waitany") == 0) MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
            if (strcmp(way, "waitsome") == 0) MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
            while (strcmp(way, "test") == 0 && flag == 0)
                MPI_Test(&request, &flag, &status);
            while (strcmp(way, "polite") == 0 && flag == 0) { /* sleeps between its questions */
                MPI_Testany(1, &request, &index, &flag, &status);
                if (flag == 0) sleep_s(0.001);
            }
            if (request != MPI_REQUEST_NULL) fprintf(stderr, "the request is not null\n");
        }
        if ((int)value != other) fprintf(stderr, "got %g instead of %d\n", value, other);
        if (step >= 1 && step < steps - 1) waited += MPI_Wtime() - before;
    }
    if (persistent) MPI_Request_free(&prepared);
    if (intercomm) {
        MPI_Comm_free(&comm);
        MPI_Comm_free(&half_comm);
    }
    if (!sends && rank == half) printf("waited %.6f\n", waited);
    MPI_Finalize();
    return 0;
}
