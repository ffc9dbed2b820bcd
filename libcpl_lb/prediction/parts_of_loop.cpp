// Counts the exchanges of the loop, and cuts out parts of equal length where they are too many.
#include "prediction/parts_of_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

constexpr std::size_t most_parts = 16;
// The ends of a part cut through coupling steps: a part is worth it only if it holds many of them.
constexpr std::size_t fewest_points_in_part = 1000;

// Exchanges of all components in the interval.
std::size_t points_in(const CoupledRun &run, const Interval &interval) {
    std::size_t points = 0;
    for (const Component &component : run.components) {
        const EventTable &table = component.table;
        for (std::size_t k = 0; k < table.keys.size(); ++k) {
            const EventSpan &span = table.spans[k];
            if (!span.empty() && span.last_stop > interval.start && span.last_start < interval.stop &&
                is_exchange(table.keys.what(k).kind))
                ++points;
        }
    }
    return points;
}

} // namespace

std::vector<Interval> parts_of_loop(const CoupledRun &run, const Interval &loop, std::size_t most_points) {
    if (most_points == std::numeric_limits<std::size_t>::max()) return {loop};
    const std::size_t points = points_in(run, loop);
    if (points <= most_points) return {loop};
    const std::size_t count = std::clamp<std::size_t>(most_points / fewest_points_in_part, 1, most_parts);
    const auto length = static_cast<double>(loop.length());
    const double each =
        length * static_cast<double>(most_points) / static_cast<double>(points) / static_cast<double>(count);
    std::vector<Interval> parts;
    for (std::size_t i = 0; i < count; ++i) {
        const double middle = length * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        parts.push_back({loop.start + std::llround(middle - each / 2), loop.start + std::llround(middle + each / 2)});
    }
    return parts;
}

} // namespace cpl_lb
