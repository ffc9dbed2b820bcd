// A model of a few lines for each case that the tests ask for: `mpirun -np N scenarios NAME`. It uses the public C
// interface only. What it knows by itself (its own clock around its sleeps, return codes) it prints as
// "name value" lines for functional_test.cpp and adversity_test.cpp, which know the answers.
#include "scenarios.hpp"

using scenario::say;
using scenario::Scenarios;

int main(int argc, char **argv) {
    Scenarios all = scenario::balance_scenarios();
    all.merge(scenario::adversity_scenarios());
    all.merge(scenario::fault_scenarios());
    all.merge(scenario::memory_scenarios());
    all.merge(scenario::verdict_scenarios());
    all.merge(scenario::map_scenarios());
    const auto chosen = all.find(argc > 1 ? argv[1] : "");
    if (chosen == all.end()) return 2;
    if (chosen->first == "wrong_calls") {
        say("before_mpi", cpl_lb_init(MPI_COMM_WORLD, "x"));
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &scenario::rank);
    MPI_Comm_size(MPI_COMM_WORLD, &scenario::size);
    const int code = chosen->second();
    if (code != 0) std::printf("code %d\n", code);
    MPI_Finalize();
    if (chosen->first == "wrong_calls") {
        say("after_finalize", cpl_lb_init(MPI_COMM_WORLD, "x"));
        say("terminate_after_finalize", cpl_lb_terminate(0));
    }
    return 0;
}
