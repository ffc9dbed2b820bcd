// What cpl_lb_init and cpl_lb_terminate add to a run, beside MPI_Init and a barrier of the same processes: mpirun -np
// N init_cost. One init in a process's life, so one figure for each start; run it several times.
#include "stopwatch.hpp"

#include <cpl_lb/cpl_lb.h>

#include <cstdio>

int main(int argc, char **argv) {
    using cpl_lb::bench::now;
    const double at_start = now();
    MPI_Init(&argc, &argv);
    const double mpi_init = now() - at_start;
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD); // the first one makes connections
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    MPI_Barrier(MPI_COMM_WORLD);
    const double barrier = now() - start;
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = now();
    cpl_lb_init(MPI_COMM_WORLD, rank % 2 == 0 ? "ocean" : "atmosphere");
    const double init = now() - before;
    MPI_Barrier(MPI_COMM_WORLD);
    const int enabled = cpl_lb_enabled();
    const double before_terminate = now();
    cpl_lb_terminate(0);
    const double terminate = now() - before_terminate;
    double mine[4] = {barrier, init, mpi_init, terminate};
    double longest[4] = {0, 0, 0, 0};
    MPI_Reduce(mine, longest, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("processes %d barrier_us %.1f init_us %.1f enabled %d mpi_init_us %.1f terminate_us %.1f\n", size,
                    1e6 * longest[0], 1e6 * longest[1], enabled, 1e6 * longest[2], 1e6 * longest[3]);
    MPI_Finalize();
    return 0;
}
