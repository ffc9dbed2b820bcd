// Models that do what a library must survive, or must not disturb: floating-point modes, fork, exit, limits, closed
// files. `mpirun -np N harmless_scenarios NAME`. They print "name value" lines for harmless_test.cpp.
#include "harmless.hpp"

#include <mpi.h>

int main(int argc, char **argv) {
    scenario::Scenarios all = scenario::state_scenarios();
    all.merge(scenario::float_scenarios());
    all.merge(scenario::leaving_scenarios());
    all.merge(scenario::limit_scenarios());
    all.merge(scenario::mpi_scenarios());
    const auto chosen = all.find(argc > 1 ? argv[1] : "");
    if (chosen == all.end()) return 2;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &scenario::rank);
    MPI_Comm_size(MPI_COMM_WORLD, &scenario::size);
    const int code = chosen->second();
    if (scenario::rank == 0 && chosen->first != "spawned") scenario::say("code", code);
    MPI_Finalize();
    return 0;
}
