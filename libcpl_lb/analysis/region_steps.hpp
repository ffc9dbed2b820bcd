// Time of regions in each coupling step (docs/definitions.md, section 2, "Regions by step").
#pragma once

#include "analysis/load_balance.hpp"
#include "data/coupled_run.hpp"
#include "data/events.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// What all processes of a component must know to analyse the same regions in the same steps.
struct RegionPlan {
    std::vector<std::string> regions;
    std::vector<Nanoseconds> edges; // of the listed steps, ascending: one more than there are steps

    [[nodiscard]] std::size_t steps() const { return edges.empty() ? 0 : edges.size() - 1; }
    // Whether the edges ascend and there are not too many values. False if it came in a damaged message.
    [[nodiscard]] bool fits_together() const;
};

// The regions with the most time. Each takes at least a hundredth of the loop, on average over the processes, and all
// of them times the steps give at most this many values. Empty: there is no loop, or no such region.
inline constexpr std::size_t most_region_steps = std::size_t{1} << 16U;
[[nodiscard]] RegionPlan plan_regions(const Window &window, std::span<const RegionSummary> regions,
                                      std::size_t processes);

// Adds the time of one region's calls on one process by step, spread evenly from `when.start` to `when.stop`.
void add_calls(std::span<double> seconds_by_step, std::span<const Nanoseconds> edges, const Interval &when,
               double seconds);

// One region in one step, over some processes. It has no padding, because it is sent.
struct RegionTimesOfSome {
    double sum_s = 0, min_s = 0, max_s = 0;
    std::int64_t slowest = 0, processes = 0;

    void add(const RegionTimesOfSome &others);
    [[nodiscard]] RegionInStep all() const;
};
[[nodiscard]] RegionTimesOfSome of_one_process(double seconds, std::int64_t process);

} // namespace cpl_lb
