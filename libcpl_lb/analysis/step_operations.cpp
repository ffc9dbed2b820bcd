// One sweep over the operations in the order of their begins.
#include "analysis/step_operations.hpp"

#include "analysis/intervals.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

template <class Wanted>
std::vector<Nanoseconds> by_step(const EventTable &events, const Window &window, Wanted wanted) {
    const std::vector<EventClass> &classes = events.keys.classes();
    if (std::none_of(classes.begin(), classes.end(), [&](const EventClass &c) { return wanted(c.kind); })) return {};
    Intervals all;
    for (std::size_t k = 0; k < events.keys.size(); ++k)
        if (wanted(events.keys.what(k).kind) && !events.spans[k].empty())
            all.push_back({events.spans[k].first_start, events.spans[k].last_stop});
    std::vector<Nanoseconds> steps(window.steps.size() - 1);
    for (const Interval &one : union_of(std::move(all))) {
        const auto after = std::upper_bound(window.steps.begin(), window.steps.end(), one.start);
        if (after == window.steps.begin() || after == window.steps.end()) continue;
        steps[static_cast<std::size_t>(after - window.steps.begin()) - 1] += one.length();
    }
    return steps;
}

} // namespace

StepOperations operations_by_step(const EventTable &events, const Window &window) {
    return {by_step(events, window, is_mapping), by_step(events, window, is_output),
            by_step(events, window, is_restart)};
}

} // namespace cpl_lb
