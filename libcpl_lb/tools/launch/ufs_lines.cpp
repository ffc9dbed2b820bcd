// UFS (NUOPC): X_petlist_bounds of ufs.configure, before of nems.configure: the first and the last PET of a
// component. With threads that ESMF manages a PET is a core, and X_omp_num_threads says how many of them a task has;
// without threads a PET is a task (compute_petbounds_and_tasks_esmf_threading and ..._traditional_threading of
// ufs-weather-model's tests).
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

// The components of its own files; a run may have others.
const FormNames components = {
    "ufs", {"ATM", "OCN", "ICE", "WAV", "LND", "MED", "CHM", "AQM", "HYD", "FIRE"}, {{"CPL", "MED"}}, false};

} // namespace

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

} // namespace cpl_lb
