/* Three components of equally many processes that meet in collective operations: `three_models NUMBER WAY [die]`,
 * NUMBER 0 to 2. Who comes when is known from the sleeps; the first of each prints the time in the operation by its
 * own clock, from the second to the last but one: "NUMBER waited SECONDS for LATE". */
#include "clock.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void sleep_until(double time) {
    struct timespec t = {(time_t)time, (long)((time - (double)(time_t)time) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

enum { steps = 11, components = 3 };

/* Barrier: one after the other is late. Bcast from 0: 1 comes first, 2 when it is all over. Gather to 0: first 0,
 * then 1, then 2. */
static double sleep_of(const char *way, int me, int step) {
    if (strcmp(way, "bcast") == 0) return 0.1 * (me == 0) + 0.2 * (me == 2);
    if (strcmp(way, "gather") == 0) return 0.05 * (me == 1) + 0.15 * (me == 2);
    return 0.15 * (me == step % components);
}
static int late_in(const char *way, int step) {
    if (strcmp(way, "bcast") == 0) return 0;
    if (strcmp(way, "gather") == 0) return 2;
    return step % components;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int me = argc > 1 ? atoi(argv[1]) : 0;
    const char *way = argc > 2 ? argv[2] : "barrier";
    double waited[components] = {0}, value = me, all[64], start = now() + 0.1;
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int other = 1; rank == 0 && other < size; ++other)
        MPI_Send(&start, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
    if (rank > 0) MPI_Recv(&start, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int step = 0; step < steps; ++step) {
        sleep_until(start + 0.25 * step + sleep_of(way, me, step));
        const double before = MPI_Wtime();
        if (strcmp(way, "bcast") == 0) {
            MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        } else if (strcmp(way, "gather") == 0) {
            MPI_Gather(&value, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        if (step >= 1 && step < steps - 1) waited[late_in(way, step)] += MPI_Wtime() - before;
    }
    for (int late = 0; rank % (size / components) == 0 && late < components; ++late)
        printf("%d waited %.6f for %d\n", me, waited[late], late);
    if (argc > 3 && strcmp(argv[3], "die") == 0) {
        fflush(stdout);
        sleep_until(now() + 0.3); /* all have said what they waited */
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
