// When a measured rate cannot be, and what is done about it.
#include "projection/measured/plausible.hpp"

#include "data/time.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr int most_measurements = 5;

// Empty: it can be.
std::string doubt(const RateInQuestion &rate, double value) {
    const auto text = [&](double v) { return fmt::format("{:.3g} {}", v / rate.scale.in_SI, rate.unit); };
    for (const Floor &floor : rate.floors)
        if (is_known(floor.value) && !(value >= floor.share * floor.value))
            return fmt::format("{} came out at {}, {} at {}", rate.what, text(value), floor.of, text(floor.value));
    const double in_file = value / rate.scale.in_SI;
    if (!(in_file >= rate.scale.bounds.least && in_file <= rate.scale.bounds.most))
        return fmt::format("{} came out at {}, which no machine has", rate.what, text(value));
    return "";
}

} // namespace

double plausible_rate(const RateInQuestion &rate, const TeamBudget &budget,
                      const std::function<double(const TeamBudget &)> &measure) {
    TeamBudget longer = budget;
    double best = measure(longer);
    for (int n = 1; n < most_measurements && !doubt(rate, best).empty(); ++n) {
        longer.seconds *= 4;
        best = std::max(best, measure(longer));
    }
    if (const std::string why = doubt(rate, best); !why.empty()) {
        throw ImplausibleError(
            fmt::format("this node is too busy to be measured: {} (the best of {} measurements); run "
                        "cpl-lb machine while nothing else runs here",
                        why, most_measurements));
    }
    return best;
}

void raise(Floor &floor, double value, const std::string &of) {
    if (!is_known(value) || value <= floor.value) return;
    floor.value = value;
    floor.of = of;
}

} // namespace cpl_lb
