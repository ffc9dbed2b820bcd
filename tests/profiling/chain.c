/* Four programs in a row, which know MPI only: the ocean (rank 0) gives to a coupler process (1), which gives to the
 * atmosphere (2) and brings its answer back; an I/O server (3) gets what the ocean sends and answers nothing. The
 * ocean works 0.02 s in each step, the atmosphere 0.1 s. Each prints the time that it spent in its receives, by its
 * own clock, from the second to the last but one step: "NAME waited SECONDS". chain [crash]: the atmosphere is killed
 * in its fifth step, 0.1 s after it got what it waits for. */
#include "clock.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { steps = 10, ocean = 0, coupler = 1, atmosphere = 2, server = 3, field = 1, output = 2 };

static double value, waited;
static int counts;

static void give(int to, int tag) {
    MPI_Send(&value, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}
static void get(int from, int tag) {
    const double before = MPI_Wtime();
    MPI_Recv(&value, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (counts) waited += MPI_Wtime() - before;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"ocean", "coupler", "atmosphere", "server"};
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int crash = argc > 1 && strcmp(argv[1], "crash") == 0;
    for (int step = 1; step <= steps; ++step) {
        counts = step > 1 && step < steps;
        if (rank == ocean) {
            sleep_s(0.02);
            give(coupler, field);
            give(server, output);
            get(coupler, field);
        } else if (rank == coupler) {
            get(ocean, field);
            give(atmosphere, field);
            get(atmosphere, field);
            give(ocean, field);
        } else if (rank == atmosphere) {
            get(coupler, field);
            sleep_s(0.1);
            if (crash && step == 5) raise(SIGKILL);
            give(coupler, field);
        } else if (rank == server) {
            get(ocean, output);
        }
    }
    printf("%s waited %.6f\n", names[rank], waited);
    MPI_Finalize();
    return 0;
}
