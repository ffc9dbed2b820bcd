// Launchers and batch systems: which processes of which program a job has.
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"
#include "support/shell_words.hpp"

#include <algorithm>

namespace cpl_lb {

// One mpirun of several programs.
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

// Slurm: a heterogeneous job with one group for each component, and one srun with a file that says which ranks run
// which program.
namespace {

std::string heterogeneous_job(const LaunchPlan &plan) {
    std::vector<std::string> groups, steps;
    for (const LaunchPart &part : plan.parts) {
        const std::string nodes = plan.node_cores > 1 ? fmt::format("-N {} ", part.nodes(plan.node_cores)) : "";
        const std::string threads = part.threads > 1 ? fmt::format(" -c {}", part.threads) : "";
        groups.push_back(fmt::format("{}-n {}{}", nodes, part.processes, threads));
        steps.push_back(
            fmt::format("--het-group={} -n {}{} {}", steps.size(), part.processes, threads, program_of(part)));
    }
    return "salloc " + joined(groups, " : ") + "   # Slurm, a heterogeneous job:\nsrun " + joined(steps, " : ") +
           "\n";
}

// No shell reads this file: it knows '...' and \' only, and a line ends where it ends.
std::string several_programs(const LaunchPlan &plan) {
    if (std::ranges::any_of(plan.parts, [](const LaunchPart &part) { return needs_a_shell(part.name); }))
        return "# No lines for srun --multi-prog: its file cannot hold the control characters of a name.\n";
    const PlacesInRow ranks = ranks_of(plan);
    std::vector<std::string> programs;
    for (std::size_t p = 0; p < plan.parts.size(); ++p)
        programs.push_back(
            fmt::format("  {}-{} {}", ranks.parts[p].first, ranks.parts[p].last(), program_of(plan.parts[p])));
    return fmt::format("srun -n {} --multi-prog programs.conf   # Slurm, one job; programs.conf:\n{}\n", ranks.total,
                       joined(programs, "\n"));
}

} // namespace

LaunchLines srun_lines(const LaunchPlan &plan) {
    if (plan.in_turn()) return {in_turn_lines(plan)};
    std::string text = heterogeneous_job(plan);
    // One srun gives all processes equally many cores, node after node.
    if (fills_nodes(plan) && plan.same_threads() == 1) text += several_programs(plan);
    return {text};
}

} // namespace cpl_lb
