// Includes mpi.h as users do, ahead of cpl_lb.h: some MPIs then ask for the library of their C++ bindings.
#include <mpi.h>

#include <cpl_lb/cpl_lb.hpp>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "ocean" : "atmosphere");
    const int field = cpl_lb_field("SST", rank == 0 ? "atmosphere" : "ocean");
    for (int step = 0; step < 20; ++step) {
        const cpl_lb::Event event(rank == 0 ? CPL_LB_PUT : CPL_LB_GET, field);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    cpl_lb_terminate(86400.0);
    return MPI_Finalize();
}
