// Compares sources of energy that count the same, and parts with their whole.
#include "meters/energy_check.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

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
    return say(Sentence::remark_sources_differ, {{"what", std::string(what)},
                                                 {"joules", fmt::format("{:.0f}", counts.joules)},
                                                 {"source", std::string(counts.source)},
                                                 {"others", fmt::format("{:.0f}", beside.joules)},
                                                 {"other", std::string(beside.source)},
                                                 {"share", fmt::format("{:.0f}", 100 * apart_J / larger_J)}});
}

std::string parts_exceed_whole(const WholeEnergy &whole, double parts_J, double sampled_s) {
    const double apart_J = parts_J - whole.whole_J;
    if (!(apart_J > tolerated_disagreement * parts_J + reading_slack_J(parts_J, sampled_s))) return {};
    return say(Sentence::remark_parts_exceed, {{"parts", std::string(whole.parts)},
                                               {"sum", fmt::format("{:.0f}", parts_J)},
                                               {"whole", std::string(whole.whole)},
                                               {"joules", fmt::format("{:.0f}", whole.whole_J)},
                                               {"not", whole.counts ? "" : "not "}});
}

} // namespace cpl_lb
