// What cpl_lb_init adds to a run, beside a barrier of the same processes: mpirun -np N init_cost. One init in a
// process's life, so one figure for each start; run it several times.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdio>

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
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
    double mine[2] = {barrier, init};
    double longest[2] = {0, 0};
    MPI_Reduce(mine, longest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("processes %d barrier_us %.1f init_us %.1f enabled %d\n", size, 1e6 * longest[0],
                    1e6 * longest[1], cpl_lb_enabled());
    cpl_lb_terminate(0);
    MPI_Finalize();
    return 0;
}
