// Distributes calls over steps.
#include "analysis/region_steps.hpp"

#include <algorithm>
#include <functional>

namespace cpl_lb {

bool RegionPlan::fits_together() const {
    return regions.empty()
               ? edges.empty()
               : edges.size() >= 2 && std::ranges::is_sorted(edges) && regions.size() * steps() <= most_region_steps;
}

RegionPlan plan_regions(const Window &window, std::span<const RegionSummary> regions, std::size_t processes) {
    constexpr double least_of_loop = 0.01;
    RegionPlan plan;
    if (!window.known() || processes == 0) return plan;
    std::vector<const RegionSummary *> long_ones;
    const auto time_of = [](const RegionSummary &r) { return r.mean_s * r.processes; };
    const double least = least_of_loop * to_seconds(window.interval().length()) * static_cast<double>(processes);
    for (const RegionSummary &region : regions)
        if (time_of(region) >= least) long_ones.push_back(&region);
    std::ranges::stable_sort(long_ones, std::greater(), [&](const auto *r) { return time_of(*r); });
    if (long_ones.empty() || window.steps.size() < 2) return plan;
    const std::size_t each = steps_in_a_group(window.steps.size() - 1);
    for (std::size_t i = 0; i + 1 < window.steps.size(); i += each)
        plan.edges.push_back(window.steps[i]);
    plan.edges.push_back(window.steps.back());
    long_ones.resize(std::min(long_ones.size(), most_region_steps / std::max<std::size_t>(plan.steps(), 1)));
    for (const RegionSummary *region : long_ones)
        plan.regions.push_back(region->name);
    return plan;
}

void add_calls(std::span<double> seconds_by_step, std::span<const Nanoseconds> edges, const Interval &when,
               double seconds) {
    const auto after = std::ranges::upper_bound(edges, when.start);
    auto step = static_cast<std::size_t>(after - edges.begin());
    if (step > 0) --step; // the step in which the start lies
    for (; step + 1 < edges.size() && edges[step] < when.stop; ++step) {
        const Nanoseconds in_step = std::min(when.stop, edges[step + 1]) - std::max(when.start, edges[step]);
        if (in_step > 0)
            seconds_by_step[step] += seconds * (static_cast<double>(in_step) / static_cast<double>(when.length()));
    }
}

RegionTimesOfSome of_one_process(double seconds, std::int64_t process) {
    return {seconds, seconds, seconds, process, 1};
}

void RegionTimesOfSome::add(const RegionTimesOfSome &others) {
    sum_s += others.sum_s;
    min_s = std::min(min_s, others.min_s);
    if (others.max_s > max_s || (others.max_s == max_s && others.slowest < slowest)) slowest = others.slowest;
    max_s = std::max(max_s, others.max_s);
    processes += others.processes;
}

// A NaN of one process makes the sum NaN.
RegionInStep RegionTimesOfSome::all() const {
    if (!is_known(sum_s) || processes <= 0) return {};
    return {sum_s / static_cast<double>(processes), min_s, max_s, slowest};
}

} // namespace cpl_lb
