// Assigns this process's calls to the steps of the loop, and adds up over the component.
#include "run/live/regions_gather.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <span>

namespace cpl_lb {
namespace {

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

std::vector<double> own_region_seconds(const RegionPlan &plan, const ProcessRecord &record, const RunClock &clock) {
    std::vector<double> seconds(plan.regions.size() * plan.steps(), 0.0);
    if (seconds.empty()) return seconds;
    if (record.recorder == nullptr) {
        std::fill(seconds.begin(), seconds.end(), unknown);
        return seconds;
    }
    const Regions &regions = record.recorder->regions();
    const bool fine = is_fine_enough(regions.times(), record.scale, plan.edges);
    for (std::size_t i = 0; i < regions.timers().size(); ++i) {
        const auto at = std::find(plan.regions.begin(), plan.regions.end(), regions.timers()[i].name);
        if (at == plan.regions.end()) continue;
        const auto place = static_cast<std::size_t>(at - plan.regions.begin());
        const std::span<double> of_region = std::span(seconds).subspan(place * plan.steps(), plan.steps());
        if (fine)
            enter_seconds(of_region, static_cast<int>(i) + 1, record, clock, plan.edges);
        else
            std::fill(of_region.begin(), of_region.end(), unknown);
    }
    return seconds;
}

bool gather_region_steps(Group &group, const RegionPlan &plan, const std::vector<double> &own_seconds,
                         std::vector<RegionSummary> &regions) {
    if (plan.regions.empty()) return true;
    std::vector<RegionTimesOfSome> all;
    all.reserve(own_seconds.size());
    for (const double seconds : own_seconds)
        all.push_back(of_one_process(seconds, group.index()));
    if (!group.reduce(std::span(all), add_theirs)) return false;
    if (!group.leads()) return true;
    for (std::size_t r = 0; r < plan.regions.size(); ++r) {
        const auto same = [&](const RegionSummary &region) { return region.name == plan.regions[r]; };
        const auto region = std::find_if(regions.begin(), regions.end(), same);
        if (region == regions.end()) continue;
        const std::span<const RegionTimesOfSome> steps = std::span(all).subspan(r * plan.steps(), plan.steps());
        if (!std::all_of(steps.begin(), steps.end(), [](const auto &step) { return is_known(step.all().mean_s); }))
            continue;
        for (const RegionTimesOfSome &step : steps)
            region->steps.push_back(step.all());
    }
    return true;
}

} // namespace cpl_lb
