// Distributes calls over steps, and finds the region in which processes differ.
#include "analysis/region_steps.hpp"

#include <algorithm>
#include <functional>

namespace cpl_lb {
namespace {

constexpr double least_of_loop = 0.01;
constexpr double nearly_all = 0.9; // of the largest difference: of nested regions the inner one is named

double differs_s(const RegionInStep &step) {
    return step.max_s - step.min_s;
}

double differs_s(const RegionSummary &region) {
    double sum = 0;
    for (const RegionInStep &step : region.steps)
        sum += differs_s(step);
    return sum;
}

} // namespace

bool RegionPlan::fits_together() const {
    return regions.empty()
               ? edges.empty()
               : edges.size() >= 2 && std::ranges::is_sorted(edges) && regions.size() * steps() <= most_region_steps;
}

RegionPlan plan_regions(const Window &window, std::span<const RegionSummary> regions, std::size_t processes) {
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

RegionDifference find_region_difference(const Component &component) {
    RegionDifference found;
    const ComponentBalance &balance = component.balance;
    double most = 0;
    const auto has_steps = [&](const RegionSummary &r) {
        return !r.steps.empty() && r.steps.size() == balance.steps.size();
    };
    for (const RegionSummary &region : component.regions)
        if (has_steps(region)) most = std::max(most, differs_s(region));
    if (!(most > 0 && most >= 0.5 * balance.imbalance_s)) return found;
    for (const RegionSummary &region : component.regions) {
        const bool is_inner = found.region == nullptr || region.mean_s < found.region->mean_s;
        if (has_steps(region) && differs_s(region) >= nearly_all * most && is_inner) found.region = &region;
    }
    if (found.region == nullptr) return found;
    found.seconds = differs_s(*found.region);
    return found;
}

} // namespace cpl_lb
