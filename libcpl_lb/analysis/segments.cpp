// Divides intervals at the ends of coupling steps and adds up the lengths of the parts.
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

ByPart<Interval> parts_of(const Window &window, Interval run) {
    const std::vector<Nanoseconds> ends = segment_ends(window, run, false);
    const Interval all{ends.front(), ends.back()};
    if (!window.known()) return {Interval{}, Interval{}, Interval{}, all};
    return {Interval{ends[0], ends[1]}, Interval{ends[1], ends[2]}, Interval{ends[2], ends[3]}, all};
}

ByPart<Nanoseconds> SegmentSums::by_part() const {
    const Nanoseconds all = std::accumulate(sums_.begin(), sums_.end(), Nanoseconds{0});
    return {sums_.front(), all - sums_.front() - sums_.back(), sums_.back(), all};
}

} // namespace cpl_lb
