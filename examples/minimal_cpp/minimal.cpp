// Two components that exchange one field: the first half of the processes is the ocean, the others are the
// atmosphere.
//   mpirun -np 2 ./minimal
#include <chrono>
#include <cpl_lb/cpl_lb.hpp>
#include <thread>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int half = size / 2;
    const bool is_ocean = rank < half;

    cpl_lb_init(MPI_COMM_WORLD, is_ocean ? "ocean" : "atmosphere");
    const int sst = cpl_lb_field("SST", is_ocean ? "atmosphere" : "ocean");

    const int steps = 20;
    const int step_s = 3600;
    double temperature = 290.0;
    for (int step = 0; step < steps; ++step) {
        cpl_lb_date(static_cast<long long>(step) * step_s);
        // The ocean's work is 50 ms, the atmosphere's 20 ms: it waits for the rest.
        std::this_thread::sleep_for(std::chrono::milliseconds(is_ocean ? 50 : 20));
        // The event ends with its scope, whichever way that is left.
        const cpl_lb::Event event(is_ocean ? CPL_LB_PUT : CPL_LB_GET, sst);
        if (is_ocean) {
            MPI_Ssend(&temperature, 1, MPI_DOUBLE, rank + half, 0, MPI_COMM_WORLD);
        } else if (rank < 2 * half) { // of an odd number of processes the last one gets nothing
            MPI_Recv(&temperature, 1, MPI_DOUBLE, rank - half, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    cpl_lb_terminate(static_cast<double>(steps) * step_s);
    MPI_Finalize();
    return 0;
}
