// CIME (CESM, E3SM, NorESM), with MCT and with NUOPC: variables of env_mach_pes.xml. NTASKS is the number of MPI
// tasks, ROOTPE the task of the whole job with which a component begins, NTHRDS the threads of a task; a negative
// NTASKS or ROOTPE counts nodes of MAX_MPITASKS_PER_NODE tasks. Components on other tasks run side by side, those on
// the same tasks in turn. CIME places tasks on nodes by the most threads of any component, unless
// ESMF_AWARE_THREADING is set (CIME User's Guide, "Setting the PE layout"; CIME's class EnvMachPes).
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

const FormNames classes = {
    "cime", {"ATM", "LND", "ICE", "OCN", "ROF", "GLC", "WAV", "CPL", "ESP"}, {{"RIVER", "ROF"}, {"MED", "CPL"}}};

struct Tasks {
    std::int64_t most_threads = 1, on_node = 1; // on_node: tasks; 1 without whole nodes
    bool in_nodes = false;                      // MAX_MPITASKS_PER_NODE is the cores of a node
};

Tasks tasks_of(const LaunchPlan &plan, const std::vector<std::string> &names) {
    Tasks tasks;
    for (std::size_t p = 0; p < names.size(); ++p)
        if (!names[p].empty()) tasks.most_threads = std::max(tasks.most_threads, plan.parts[p].threads);
    tasks.on_node = std::max<std::int64_t>(1, plan.node_cores / tasks.most_threads);
    tasks.in_nodes = plan.node_cores > 1 && tasks.most_threads == 1;
    return tasks;
}

// If tasks are whole nodes: the number of nodes, as a negative number.
std::int64_t value_of(std::int64_t count, const Tasks &tasks) {
    return tasks.in_nodes && count % tasks.on_node == 0 ? -count / tasks.on_node : count;
}

bool threads_differ(const LaunchPlan &plan, const std::vector<std::string> &names, std::int64_t most) {
    for (std::size_t p = 0; p < names.size(); ++p)
        if (!names[p].empty() && plan.parts[p].threads != most) return true;
    return false;
}

std::string comments(const LaunchPlan &plan, const std::vector<std::string> &names, const Tasks &tasks,
                     const PlacesInRow &row, bool any_negative) {
    std::string text = without_name(plan, names, "#");
    if (any_negative)
        text += fmt::format("# Negative: whole nodes; MAX_MPITASKS_PER_NODE must be {}.\n", tasks.on_node);
    if (threads_differ(plan, names, tasks.most_threads)) {
        text +=
            fmt::format("# CIME gives each of the {} tasks {} cores, the most threads of a component: {} cores.\n",
                        row.total, tasks.most_threads, row.total * tasks.most_threads);
    }
    return text;
}

} // namespace

LaunchLines cime_lines(const LaunchPlan &plan) {
    if (!plan.with_unknown.empty()) return {"", "it is not known on whose cores these run: " + plan.with_unknown};
    const std::vector<std::string> names = form_names(plan, classes);
    const Tasks tasks = tasks_of(plan, names);
    std::vector<std::int64_t> sizes;
    for (std::size_t p = 0; p < names.size(); ++p)
        sizes.push_back(names[p].empty() ? 0 : plan.parts[p].processes);
    const PlacesInRow row = placed(plan, sizes, tasks.on_node);
    std::string lines;
    bool any_negative = false;
    for (std::size_t p = 0; p < names.size(); ++p) {
        if (names[p].empty()) continue;
        const std::int64_t count = value_of(row.parts[p].count, tasks), root = value_of(row.parts[p].first, tasks);
        any_negative = any_negative || count < 0 || root < 0;
        lines += fmt::format("./xmlchange NTASKS_{0}={1},NTHRDS_{0}={2},ROOTPE_{0}={3}\n", names[p], count,
                             plan.parts[p].threads, root);
    }
    return {comments(plan, names, tasks, row, any_negative) + lines + "./case.setup --reset\n"};
}

} // namespace cpl_lb
