// Asks the recorder's sums for the coupling loop, in ticks of its clock, and adds them up over the component.
#include "run/live/inside_gather.hpp"

#include "data/raster.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace cpl_lb {
namespace {

// The first tick of this process's run at or after a time of the run.
std::uint64_t ticks_at(Nanoseconds time, const ProcessRecord &record, const RunClock &clock) {
    std::uint64_t first = record.first_point.ticks, last = record.arrival.ticks;
    while (first < last) {
        const std::uint64_t middle = first + (last - first) / 2;
        if (clock.to_run_time(record.scale.to_ns(middle)) < time)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// The sums that are sent: numbers only.
struct InsideSums {
    Spread useful_s, exchanges_s;
    std::array<Spread, mpi_class_count> in_class_s;
    std::array<std::int64_t, mpi_class_count> calls{};
};

void add(InsideSums &mine, const InsideSums &theirs) {
    mine.useful_s.add(theirs.useful_s);
    mine.exchanges_s.add(theirs.exchanges_s);
    for (std::size_t c = 0; c < mpi_class_count; ++c) {
        mine.in_class_s[c].add(theirs.in_class_s[c]);
        mine.calls[c] += theirs.calls[c];
    }
}

std::string why_not(const ComponentFacts &facts, bool in_turn, int processes) {
    if (facts.mpi_recorded < processes) {
        return fmt::format("MPI was recorded on {} of its {} processes only", facts.mpi_recorded, processes);
    }
    if (in_turn) return "its processes run several components in turn";
    return "";
}

} // namespace

// The recorder's bins are evenly spread over those of the run that they touch.
std::vector<signed char> inside_raster(const ProcessRecord &record, const RunClock &clock) {
    const Nanoseconds end = clock.latest_arrival;
    std::vector<double> time_ns(raster_bins);
    std::size_t bin = 0;
    record.recorder->inside().for_each_bin([&](std::uint64_t begin, std::uint64_t stop, std::uint64_t ticks) {
        const Nanoseconds from = std::max(clock.to_run_time(record.scale.to_ns(begin)), clock.first_init);
        const Nanoseconds to = std::min(clock.to_run_time(record.scale.to_ns(stop)), clock.arrival);
        if (to <= from) return;
        const double share =
            static_cast<double>(record.scale.length_ns(ticks)) / static_cast<double>(to - from); // of each nanosecond
        while (bin > 0 && raster_edge(end, bin) > from)
            --bin;
        for (; bin < raster_bins && raster_edge(end, bin) < to; ++bin) {
            const Interval both{std::max(from, raster_edge(end, bin)), std::min(to, raster_edge(end, bin + 1))};
            time_ns[bin] += share * static_cast<double>(both.length());
        }
    });
    std::vector<signed char> percent(raster_bins);
    for (std::size_t b = 0; b < raster_bins; ++b) {
        const auto width = static_cast<double>(raster_edge(end, b + 1) - raster_edge(end, b));
        if (width > 0) percent[b] = static_cast<signed char>(std::lround(100 * std::min(time_ns[b] / width, 1.0)));
    }
    return percent;
}

ComponentInside own_inside(const ProcessRecord &record, const RunClock &clock, const OwnExchanges &own) {
    ComponentInside inside;
    inside.of_whole_run = own.of_whole_run;
    inside.length_s = to_seconds(own.within.length());
    const Interval mine{std::max(own.within.start, clock.first_init), std::min(own.within.stop, clock.arrival)};
    const InsideTimes &times = record.recorder->inside();
    const std::uint64_t first = ticks_at(mine.start, record, clock), last = ticks_at(mine.stop, record, clock);
    double useful_s = to_seconds(mine.length()) - to_seconds(own.own.time);
    for (std::size_t c = 0; c < mpi_class_count; ++c) {
        const auto mpi_class = static_cast<MpiClass>(c);
        const auto ticks = static_cast<std::uint64_t>(times.ticks_between(mpi_class, first, last));
        const double seconds = to_seconds(record.scale.length_ns(ticks));
        inside.in_class_s[c].add(seconds);
        inside.calls[c] = times.calls(mpi_class);
        useful_s -= seconds;
    }
    inside.exchanges_s.add(to_seconds(own.own.time));
    inside.useful_s.add(std::max(useful_s, 0.0)); // the bins at the ends of the loop count by parts
    return inside;
}

std::optional<ComponentInside> gather_inside(Group &group, const ComponentFacts &facts, bool in_turn,
                                             const OwnExchanges &own, const ProcessRecord &record,
                                             const RunClock &clock) {
    ComponentInside inside;
    if (facts.mpi_recorded == 0) return inside;
    inside.why_not = why_not(facts, in_turn, group.size());
    if (!inside.why_not.empty()) return inside;
    inside = own_inside(record, clock, own);
    InsideSums sums{inside.useful_s, inside.exchanges_s, inside.in_class_s, inside.calls};
    if (!group.reduce(std::span(&sums, 1), add)) return {};
    inside.useful_s = sums.useful_s;
    inside.exchanges_s = sums.exchanges_s;
    inside.in_class_s = sums.in_class_s;
    inside.calls = sums.calls;
    return inside;
}

} // namespace cpl_lb
