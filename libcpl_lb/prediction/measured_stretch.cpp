// The stretch of a run that its graph covers, its replay, and times in its parts.
#include "prediction/measured_graph.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/load_balance.hpp"

#include <algorithm>
#include <limits>

namespace cpl_lb {

Interval common_stretch(const CoupledRun &run) {
    Interval stretch{std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()};
    const std::vector<bool> decides = who_decides_the_end(run);
    if (std::find(decides.begin(), decides.end(), true) == decides.end())
        throw PredictionError("no component exchanges anything with another, except I/O servers");
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        if (!decides[c]) continue;
        const Component &component = run.components[c];
        const Window window = find_window(component.table, {component.window_first, component.window_last});
        if (!window.known()) throw PredictionError(component.name + " has no coupling loop: " + window.why_not);
        stretch.start = std::max(stretch.start, window.interval().start);
        stretch.stop = std::min(stretch.stop, window.interval().stop);
    }
    if (stretch.length() == 0) throw PredictionError("the coupling loops of the components do not overlap in time");
    return stretch;
}

Replay MeasuredGraph::replay(const std::vector<double> &factors, bool rehearsed) const {
    rehearsed = rehearsed && rehearsal;
    const Schedule schedule = rehearsed ? rehearsal->graph.schedule(factors) : graph->schedule(factors);
    Replay result;
    for (std::size_t c = 0; c < graph->components(); ++c) {
        const std::size_t first = rehearsed ? rehearsal->graph.flat({c, rehearsal->added[c]}) : graph->flat({c, 0});
        const std::size_t count = graph->flat({c + 1, 0}) - graph->flat({c, 0});
        const auto begin = schedule.leave_s.begin() + static_cast<std::ptrdiff_t>(first);
        result.leave_s.insert(result.leave_s.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    result.slowest_s = paces.empty() ? schedule.length_s : 0;
    for (const Pace &pace : paces) {
        const double between = result.leave_s[graph->flat(pace.to)] - result.leave_s[graph->flat(pace.from)];
        result.slowest_s = std::max(result.slowest_s, between * pace.times);
    }
    for (std::size_t c = 0; c < busiest_s.size(); ++c)
        result.slowest_s = std::max(result.slowest_s, busiest_s[c] * factors[c]);
    return result;
}

double MeasuredGraph::examined_s() const {
    Nanoseconds sum = 0;
    for (const Interval &part : parts)
        sum += part.length();
    return to_seconds(sum);
}

// If two parts meet at this time: the end of the earlier part with is_stop, else the begin of the later one.
Nanoseconds MeasuredGraph::time_in_run(Nanoseconds time, bool is_stop) const {
    Nanoseconds between = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const Nanoseconds meet = parts[i - 1].stop - between;
        if (is_stop ? time <= meet : time < meet) break;
        between += parts[i].start - parts[i - 1].stop;
    }
    return time + between;
}

const Interval &MeasuredGraph::part_at(Nanoseconds time_in_run) const {
    const auto after = std::upper_bound(parts.begin() + 1, parts.end(), time_in_run,
                                        [](Nanoseconds t, const Interval &part) { return t <= part.start; });
    return *(after - 1);
}

} // namespace cpl_lb
