// Puts several runs on one axis of time: whose clocks are how far apart, through which other run. Pure.
#pragma once

#include "run/joined/joined_clock.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

struct PlacedRuns {
    std::vector<Nanoseconds> shift;   // to be added to the times of each run; the earliest zero is the axis's
    double error_bound_s = unknown;   // between times of any two runs; unknown: they cannot all be compared
    std::string why_not_comparable;   // in words, if not
    std::vector<std::string> remarks; // how each run came to its place
};

// labels: of the runs, for words. own_bounds_s: of each run's clock. compare(a, b): how far the clocks of two runs
// are apart; pairs are asked once, a < b.
[[nodiscard]] PlacedRuns place_runs(std::span<const std::string> labels, std::span<const double> own_bounds_s,
                                    const std::function<ComparedClocks(std::size_t, std::size_t)> &compare);

} // namespace cpl_lb
