#include "analysis/segments.hpp"

#include <numeric>

namespace cpl_lb {

std::vector<Nanoseconds> segment_ends(const Window &window, Interval run, bool with_steps) {
    if (!window.known()) return {run.start, std::max(run.start, run.stop)};
    std::vector<Nanoseconds> ends;
    ends.reserve((with_steps ? window.steps.size() : 2) + 2);
    ends.push_back(std::min(run.start, window.steps.front()));
    if (with_steps) {
        ends.insert(ends.end(), window.steps.begin(), window.steps.end());
    } else {
        ends.insert(ends.end(), {window.steps.front(), window.steps.back()});
    }
    ends.push_back(std::max(run.stop, window.steps.back()));
    return ends;
}

Nanoseconds SegmentSums::whole() const {
    return std::accumulate(sums_.begin(), sums_.end(), Nanoseconds{0});
}

} // namespace cpl_lb
