// Reads the recorder's sums for the coupling loop, in ticks of its clock, and adds them up over the component. Calls
// of regions are assigned to the steps of the loop.
#include "run/live/inside_gather.hpp"

#include "data/raster.hpp"
#include "run/live/steps/own_meters.hpp"
#include "run/live/unite.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

void add(ComponentInside &mine, const ComponentInside &theirs) {
    mine.useful_s.add(theirs.useful_s);
    mine.exchanges_s.add(theirs.exchanges_s);
    mine.startup_s.add(theirs.startup_s);
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

// In MPI inside the component before the loop.
double startup_s(const ProcessRecord &record, const RunClock &clock, Nanoseconds loop) {
    const std::uint64_t first = ticks_at(clock.first_init, record, clock);
    const std::uint64_t last = ticks_at(std::min(loop, clock.arrival), record, clock);
    double ticks = 0;
    for (std::size_t c = 0; c < mpi_class_count; ++c)
        ticks += record.recorder->inside().ticks_between(static_cast<MpiClass>(c), first, last);
    return to_seconds(record.scale.length_ns(static_cast<std::uint64_t>(ticks)));
}

void unite_no_processor(NoProcessor &mine, const NoProcessor &theirs) {
    if (theirs.of_processes.count > 0 && !(mine.of_processes.max >= theirs.of_processes.max)) mine.most = theirs.most;
    if (theirs.outside.count > 0 && !(mine.outside.max >= theirs.outside.max))
        mine.most_outside = theirs.most_outside;
    mine.of_processes.add(theirs.of_processes);
    mine.outside.add(theirs.outside);
}

// The seconds that this process had no processor in that interval of the run; NaN: not known.
double own_no_processor_s(const ProcessRecord &record, const RunClock &clock, Interval within) {
    if (record.meters == nullptr) return unknown;
    const std::vector<TimedValue> samples = held_samples(record, clock, "no_processor");
    return value_at(within.stop, samples) - value_at(within.start, samples);
}

// The part that lies neither in an exchange nor in another call of MPI. A process that tests repeatedly for its
// message is ready there, too, and loses nothing. If MPI is not recorded, a process without exchanges may be in MPI
// all the time, so the part is unknown.
double outside_s(double seconds, bool knows_mpi, const OwnExchanges &own, const ProcessRecord &record,
                 const RunClock &clock) {
    const bool matters = seconds >= disturbed_from * to_seconds(own.within.length()); // false if not known
    if (!matters) return unknown;
    if (!knows_mpi && !own.own.any) return unknown;
    const double in_mpi_s = knows_mpi ? to_seconds(own.within.length()) - own_inside(record, clock, own).useful_s.max
                                      : to_seconds(own.own.time);
    return std::max(0.0, seconds - in_mpi_s);
}

// If calls were united over more than half a step, it is no longer known in which step they were.
bool is_fine_enough(const RegionLog &times, const TickScale &scale, std::span<const Nanoseconds> edges) {
    Nanoseconds shortest = edges.back() - edges.front();
    for (std::size_t i = 1; i < edges.size(); ++i)
        shortest = std::min(shortest, edges[i] - edges[i - 1]);
    return times.complete() && (times.closest_ticks() == 0 || scale.length_ns(times.closest_ticks()) <= shortest / 2);
}

void enter_seconds(std::span<double> seconds_by_step, int region, const ProcessRecord &record, const RunClock &clock,
                   std::span<const Nanoseconds> edges) {
    const auto enter = [&](std::uint64_t first, std::uint64_t last, std::uint64_t ticks) {
        const Interval when{clock.to_run_time(record.scale.to_ns(first)),
                            clock.to_run_time(record.scale.to_ns(last))};
        add_calls(seconds_by_step, edges, when, to_seconds(record.scale.length_ns(ticks)));
    };
    const Regions &regions = record.recorder->regions();
    for (const RegionCalls &calls : regions.times().of(region))
        enter(calls.first_ticks, calls.last_ticks, calls.ticks);
    const RegionTimer &timer = regions.timers()[static_cast<std::size_t>(region) - 1];
    const std::uint64_t now = record.arrival.ticks;
    if (timer.depth > 0 && now > timer.start_ticks) enter(timer.start_ticks, now, now - timer.start_ticks);
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
    if (!own.of_whole_run) inside.startup_s.add(startup_s(record, clock, own.within.start));
    inside.exchanges_s.add(to_seconds(own.own.time));
    inside.useful_s.add(std::max(useful_s, 0.0)); // the bins at the ends of the loop count by parts
    return inside;
}

double point_to_point_outside_s(const OwnExchanges &own, const ProcessRecord &record, const RunClock &clock) {
    constexpr auto whole = std::numeric_limits<std::uint64_t>::max();
    const double ticks = record.recorder->inside().ticks_between(MpiClass::point_to_point, 0, whole);
    const auto of_class = static_cast<std::size_t>(MpiClass::point_to_point);
    const double within_s = own_inside(record, clock, own).in_class_s[of_class].sum;
    return std::max(0.0, to_seconds(record.scale.length_ns(static_cast<std::uint64_t>(ticks))) - within_s);
}

ComponentInside gather_inside(Group &group, const ComponentFacts &facts, bool in_turn, const OwnExchanges &own,
                              const ProcessRecord &record, const RunClock &clock) {
    ComponentInside inside;
    if (facts.mpi_recorded == 0) return inside;
    inside.why_not = why_not(facts, in_turn, group.size());
    if (!inside.why_not.empty()) return inside;
    inside = own_inside(record, clock, own);
    unite_up(group, "time in MPI", inside, add);
    return inside;
}

NoProcessor gather_no_processor(Group &group, const ComponentFacts &facts, const OwnExchanges &own,
                                const ProcessRecord &record, const RunClock &clock) {
    NoProcessor all;
    if (own.of_whole_run) return all;
    const double seconds = own_no_processor_s(record, clock, own.within);
    all.of_processes.add(seconds);
    if (is_known(seconds)) all.most = record.rank();
    all.outside.add(outside_s(seconds, facts.mpi_recorded == group.size(), own, record, clock));
    if (all.outside.count > 0) all.most_outside = record.rank();
    group.reduce(std::span(&all, 1), unite_no_processor);
    return all;
}

std::vector<double> own_region_seconds(const RegionPlan &plan, const ProcessRecord &record, const RunClock &clock) {
    std::vector<double> seconds(plan.regions.size() * plan.steps(), 0.0);
    if (seconds.empty()) return seconds;
    if (record.recorder == nullptr) {
        std::ranges::fill(seconds, unknown);
        return seconds;
    }
    const Regions &regions = record.recorder->regions();
    const bool fine = is_fine_enough(regions.times(), record.scale, plan.edges);
    for (std::size_t i = 0; i < regions.timers().size(); ++i) {
        const auto at = std::ranges::find(plan.regions, regions.timers()[i].name);
        if (at == plan.regions.end()) continue;
        const auto place = static_cast<std::size_t>(at - plan.regions.begin());
        const std::span<double> of_region = std::span(seconds).subspan(place * plan.steps(), plan.steps());
        if (fine)
            enter_seconds(of_region, static_cast<int>(i) + 1, record, clock, plan.edges);
        else
            std::ranges::fill(of_region, unknown);
    }
    return seconds;
}

void gather_region_steps(Group &group, const RegionPlan &plan, const std::vector<double> &own_seconds,
                         std::vector<RegionSummary> &regions) {
    if (plan.regions.empty()) return;
    std::vector<RegionTimesOfSome> all;
    all.reserve(own_seconds.size());
    for (const double seconds : own_seconds)
        all.push_back(of_one_process(seconds, group.index()));
    group.reduce(std::span(all), add_theirs);
    if (!group.leads()) return;
    for (std::size_t r = 0; r < plan.regions.size(); ++r) {
        const auto region = std::ranges::find(regions, plan.regions[r], &RegionSummary::name);
        if (region == regions.end()) continue;
        const std::span<const RegionTimesOfSome> steps = std::span(all).subspan(r * plan.steps(), plan.steps());
        if (!std::ranges::all_of(steps, [](const auto &step) { return is_known(step.all().mean_s); })) continue;
        for (const RegionTimesOfSome &step : steps)
            region->steps.push_back(step.all());
    }
}

} // namespace cpl_lb
