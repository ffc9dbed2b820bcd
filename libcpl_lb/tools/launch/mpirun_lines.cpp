// One mpirun of several programs.
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

namespace cpl_lb {

LaunchLines mpirun_lines(const LaunchPlan &plan) {
    if (plan.in_turn()) return {in_turn_lines(plan)};
    if (plan.same_threads() != 1)
        return {"", "processes have several threads, and each MPI has its own option for their cores"};
    if (!fills_nodes(plan))
        return {"",
                "it fills node after node, and components would share one, although each was to have whole nodes"};
    std::vector<std::string> programs;
    for (const LaunchPart &part : plan.parts)
        programs.push_back(fmt::format("-np {} {}", part.processes, program_of(part)));
    return {"mpirun " + joined(programs, " : ") + "\n"};
}

} // namespace cpl_lb
