/* Who came last, where one call waits for several components: last_to_come WAY. Computing is sleeping until a time of
 * the clock, so nobody but the late one keeps anybody waiting. Prints "RANK waited SECONDS for LATE" by each
 * program's own clock, from the second step to the last but one. */
#include "clock.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { steps = 8, components = 3 };
static const double period = 0.14, early = 0.03, late = 0.09;

static int rank;
static MPI_Comm comm;
static double waited[components], value = 1, sum[components], start;

static void sleep_until(double time) {
    if (time > now()) sleep_s(time - now());
}
static int is(const char *way, const char *what) {
    return strcmp(way, what) == 0;
}
static void note(int step, double since) {
    if (step >= 1 && step < steps - 1) waited[step % components] += now() - since;
}

/* Rank 3 waits for a message of each of the others in one call. */
static void lists(const char *way) {
    MPI_Request requests[components];
    for (int i = 0; rank == components && is(way, "persistent") && i < components; ++i)
        MPI_Recv_init(sum + i, 1, MPI_DOUBLE, components - 1 - i, 1, comm, requests + i);
    for (int step = 0; step < steps; ++step) {
        if (rank < components) {
            sleep_until(start + step * period + (step % components == rank ? late : early));
            MPI_Send(&value, 1, MPI_DOUBLE, components, 1, comm);
            continue;
        }
        sleep_until(start + step * period);
        if (is(way, "persistent")) MPI_Startall(components, requests);
        for (int i = 0; !is(way, "persistent") && i < components; ++i)
            MPI_Irecv(sum + i, 1, MPI_DOUBLE, is(way, "anybody") ? MPI_ANY_SOURCE : i, 1, comm, requests + i);
        const double before = now();
        if (is(way, "testall")) {
            for (int done = 0; done == 0;)
                MPI_Testall(components, requests, &done, MPI_STATUSES_IGNORE);
        } else {
            MPI_Waitall(components, requests, MPI_STATUSES_IGNORE);
        }
        note(step, before);
    }
    for (int i = 0; rank == components && is(way, "persistent") && i < components; ++i)
        MPI_Request_free(requests + i);
}

/* All start an operation, compute, and complete it; the late one computes on until the others may have left. */
static void operations(const char *way) {
    for (int step = 0; step < steps; ++step) {
        const int is_late = is(way, "ibcast") ? rank == 2 : step % components == rank;
        MPI_Request request;
        sleep_until(start + step * period + (is_late ? late : 0));
        if (is(way, "ibarrier"))
            MPI_Ibarrier(comm, &request);
        else if (is(way, "ibcast"))
            MPI_Ibcast(&value, 1, MPI_DOUBLE, 2, comm, &request);
        else
            MPI_Iallreduce(&value, sum, 1, MPI_DOUBLE, MPI_SUM, comm, &request);
        sleep_s(early);
        const double before = now();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        note(is(way, "ibcast") && step >= 1 && step < steps - 1 ? 2 : step, before);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *way = argc > 1 ? argv[1] : "waitall";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    start = now() + 0.1;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm);
    if (way[0] == 'i' && !is(way, "inside"))
        operations(way);
    else
        lists(way);
    for (int i = 0; i < components; ++i)
        printf("%d waited %.6f for %d\n", rank, waited[i], i);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
