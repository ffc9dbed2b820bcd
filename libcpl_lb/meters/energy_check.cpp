// Compares sources of energy that count the same, and parts with their whole.
#include "meters/energy_check.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Sources are refreshed ten times a second at worst, some in whole joules: by so much two readings of the same
// moment may differ at either end of the run.
double reading_slack_J(double larger_J, double sampled_s) noexcept {
    constexpr double refresh_s = 0.1, resolution_J = 1;
    const double power_W = sampled_s > 0 ? larger_J / sampled_s : 0;
    return 2 * (refresh_s * power_W + resolution_J);
}

} // namespace

std::string_view energy_words(Domain domain) noexcept {
    if (domain == Domain::package) return "the processors";
    if (domain == Domain::dram) return "the memory";
    if (domain == Domain::module) return "the modules";
    return domain == Domain::gpu ? "the GPUs" : "the node";
}

std::string disagreement(std::string_view what, SourceEnergy counts, SourceEnergy beside, double sampled_s) {
    const double larger_J = std::max(counts.joules, beside.joules);
    const double apart_J = std::abs(counts.joules - beside.joules);
    // Not known: false.
    if (!(apart_J > tolerated_disagreement * larger_J + reading_slack_J(larger_J, sampled_s))) return {};
    return fmt::format(
        "the energy of {} is {:.0f} J by {} and {:.0f} J by {}; these differ by {:.0f} %, and the results use {}",
        what, counts.joules, counts.source, beside.joules, beside.source, 100 * apart_J / larger_J, counts.source);
}

std::string parts_exceed_whole(const WholeEnergy &whole, double parts_J, double sampled_s) {
    const double apart_J = parts_J - whole.whole_J;
    if (!(apart_J > tolerated_disagreement * parts_J + reading_slack_J(parts_J, sampled_s))) return {};
    return fmt::format("{} add up to {:.0f} J, but {} used {:.0f} J: some of them contain others, or are wrong; the "
                       "figure is {}that of {}",
                       whole.parts, parts_J, whole.whole, whole.whole_J, whole.counts ? "" : "not ", whole.whole);
}

} // namespace cpl_lb
