// COAWST: Nnodes... of coupling.in are the processes of each model, whose sum is that of the job; NtileI x NtileJ of
// ROMS's .in file are its processes (COAWST's coupling.in and ROMS's roms.in, with their own comments).
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The order in which coupling.in has them.
const FormNames models = {"coawst", {"ATM", "WAV", "OCN", "HYD"}};

} // namespace

LaunchLines coawst_lines(const LaunchPlan &plan) {
    if (plan.in_turn())
        return {"", "COAWST's models have processes of their own, and here some run in turn on the same"};
    const std::vector<std::string> names = form_names(plan, models);
    std::string text = without_name(plan, names, "!"), tiles;
    for (const std::string &model : models.known) {
        const auto at = std::find(names.begin(), names.end(), model);
        if (at == names.end()) continue;
        const LaunchPart &part = plan.parts[static_cast<std::size_t>(at - names.begin())];
        text += fmt::format("   Nnodes{} = {}\n", model, part.processes);
        if (model != "OCN") continue;
        const auto [i, j] = part.tiles();
        tiles = fmt::format(
            "! ROMS's own file; with nested grids once for each grid:\n   NtileI == {}\n   NtileJ == {}\n", i, j);
    }
    return {"! coupling.in:\n" + text + tiles};
}

} // namespace cpl_lb
