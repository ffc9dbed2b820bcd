// The table of forms, and code that both share.
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"
#include "support/shell_words.hpp"

#include <algorithm>

namespace cpl_lb {

const std::vector<LaunchForm> &launch_forms() {
    static const std::vector<LaunchForm> forms = {
        {"mpirun", "one mpirun, a program for each component", &mpirun_lines},
        {"srun", "Slurm: a heterogeneous job, and one srun of several programs", &srun_lines}};
    return forms;
}

std::string program_of(const LaunchPart &part) {
    return (part.recorded ? "cpl-lb-record " : "") + shell_word("./" + part.name);
}

bool fills_nodes(const LaunchPlan &plan) {
    return plan.node_cores == 1 || std::ranges::all_of(plan.parts, [&](const LaunchPart &part) {
               return part.cores() % plan.node_cores == 0;
           });
}

std::string in_turn_lines(const LaunchPlan &plan) {
    const std::int64_t threads = plan.parts.empty() ? 1 : plan.parts.front().threads;
    if (!plan.other_threads && threads > 1) {
        return fmt::format(
            "To start it: give each executable as many processes of {} threads as its largest component has; "
            "its components run in turn on these cores.\n",
            threads);
    }
    if (!plan.other_threads)
        return "To start it: give each executable as many processes as its largest component has cores; its "
               "components run in turn on these cores.\n";
    std::vector<std::string> each;
    for (const LaunchPart &part : plan.parts)
        each.push_back(fmt::format("{} {} x {}", shell_word("./" + part.name), part.processes, part.threads));
    return "To start it: the components of an executable run in turn on its cores; processes x threads: " +
           joined(each, ", ") + ".\n";
}

} // namespace cpl_lb
