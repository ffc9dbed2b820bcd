// Frameworks of models: the counts as their own settings have them.
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>

namespace cpl_lb {

// CIME (CESM, E3SM, NorESM), with MCT and with NUOPC: variables of env_mach_pes.xml. NTASKS is the number of MPI
// tasks, ROOTPE the task of the whole job with which a component begins, NTHRDS the threads of a task; a negative
// NTASKS or ROOTPE counts nodes of MAX_MPITASKS_PER_NODE tasks. Components on other tasks run side by side, those on
// the same tasks in turn. CIME places tasks on nodes by the most threads of any component, unless
// ESMF_AWARE_THREADING is set (CIME User's Guide, "Setting the PE layout"; CIME's class EnvMachPes).
namespace {

const FormNames classes = {
    "cime", {"ATM", "LND", "ICE", "OCN", "ROF", "GLC", "WAV", "CPL", "ESP"}, {{"RIVER", "ROF"}, {"MED", "CPL"}}};

struct Tasks {
    std::int64_t most_threads = 1, on_node = 1; // on_node: tasks; 1 without whole nodes
    bool in_nodes = false;                      // MAX_MPITASKS_PER_NODE is the cores of a node
    bool threads_differ = false;
};

Tasks tasks_of(const LaunchPlan &plan, const std::vector<std::string> &names) {
    Tasks tasks;
    for (std::size_t p = 0; p < names.size(); ++p)
        if (!names[p].empty()) tasks.most_threads = std::max(tasks.most_threads, plan.parts[p].threads);
    for (std::size_t p = 0; p < names.size(); ++p)
        if (!names[p].empty() && plan.parts[p].threads != tasks.most_threads) tasks.threads_differ = true;
    tasks.on_node = std::max<std::int64_t>(1, plan.node_cores / tasks.most_threads);
    tasks.in_nodes = plan.node_cores > 1 && tasks.most_threads == 1;
    return tasks;
}

// If tasks are whole nodes: the number of nodes, as a negative number.
std::int64_t value_of(std::int64_t count, const Tasks &tasks) {
    return tasks.in_nodes && count % tasks.on_node == 0 ? -count / tasks.on_node : count;
}

std::string comments(const LaunchPlan &plan, const std::vector<std::string> &names, const Tasks &tasks,
                     const PlacesInRow &row, bool any_negative) {
    std::string text = without_name(plan, names, "#");
    if (any_negative)
        text += fmt::format("# Negative: whole nodes; MAX_MPITASKS_PER_NODE must be {}.\n", tasks.on_node);
    if (tasks.threads_differ) {
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

// UFS (NUOPC): X_petlist_bounds of ufs.configure, before of nems.configure: the first and the last PET of a
// component. With threads that ESMF manages a PET is a core, and X_omp_num_threads says how many of them a task has;
// without threads a PET is a task (compute_petbounds_and_tasks_esmf_threading and ..._traditional_threading of
// ufs-weather-model's tests).
// `components` are those of its own files; a run may have others.
const FormNames components = {
    "ufs", {"ATM", "OCN", "ICE", "WAV", "LND", "MED", "CHM", "AQM", "HYD", "FIRE"}, {{"CPL", "MED"}}, false};

LaunchLines ufs_lines(const LaunchPlan &plan) {
    if (!plan.with_unknown.empty()) return {"", "it is not known on whose cores these run: " + plan.with_unknown};
    const std::vector<std::string> names = form_names(plan, components);
    std::vector<std::int64_t> pets;
    bool threads = false;
    for (std::size_t p = 0; p < names.size(); ++p) {
        pets.push_back(names[p].empty() ? 0 : plan.parts[p].cores());
        threads = threads || (!names[p].empty() && plan.parts[p].threads > 1);
    }
    const PlacesInRow row = placed(plan, pets, plan.node_cores);
    const std::int64_t used = placed(plan, pets, 1).total;
    std::string text = without_name(plan, names, "#");
    if (threads) text += "# A PET is a core: threads are managed by ESMF (globalResourceControl: true).\n";
    if (row.total > used)
        text += fmt::format("# {} PETs, {} of them idle, so that each component begins on a node of its own.\n",
                            row.total, row.total - used);
    for (std::size_t p = 0; p < names.size(); ++p) {
        if (names[p].empty()) continue;
        text += fmt::format("{}_petlist_bounds: {} {}\n", names[p], row.parts[p].first, row.parts[p].last());
        if (threads) text += fmt::format("{}_omp_num_threads: {}\n", names[p], plan.parts[p].threads);
    }
    return {text};
}

// COAWST: Nnodes... of coupling.in are the processes of each model, whose sum is that of the job; NtileI x NtileJ of
// ROMS's .in file are its processes (COAWST's coupling.in and ROMS's roms.in, with their own comments).
// `models` have the order of coupling.in.
const FormNames models = {"coawst", {"ATM", "WAV", "OCN", "HYD"}};

LaunchLines coawst_lines(const LaunchPlan &plan) {
    if (plan.in_turn())
        return {"", "COAWST's models have processes of their own, and here some run in turn on the same"};
    const std::vector<std::string> names = form_names(plan, models);
    std::string text = without_name(plan, names, "!"), tiles;
    for (const std::string &model : models.known) {
        const std::size_t at = place_in(names, model);
        if (at == names.size()) continue;
        const LaunchPart &part = plan.parts[at];
        text += fmt::format("   Nnodes{} = {}\n", model, part.processes);
        if (model != "OCN") continue;
        const auto [i, j] = part.tiles();
        tiles = fmt::format(
            "! ROMS's own file; with nested grids once for each grid:\n   NtileI == {}\n   NtileJ == {}\n", i, j);
    }
    return {"! coupling.in:\n" + text + tiles};
}

} // namespace cpl_lb
