// The difference of a figure between two states of a model, each recorded in one or several runs
// (docs/compare.md, "What the interval holds").
#pragma once

#include "data/time.hpp"

#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// One value for each coupling step of a run.
using StepValues = std::vector<double>;

// The reason for a single run of each state.
inline constexpr const char *too_few_steps = "fewer than 8 coupling steps";

struct Difference {
    double before = unknown, after = unknown; // means over the steps, and over the runs of a state
    double change = unknown;                  // (after - before) / before
    double low = unknown, high = unknown;     // 95 % interval of the change
    std::string why_no_interval;              // empty: it is known

    [[nodiscard]] bool has_interval() const { return is_known(low); }
    // There is a verdict only if the interval does not contain 0.
    [[nodiscard]] bool larger() const { return has_interval() && low > 0; }
    [[nodiscard]] bool smaller() const { return has_interval() && high < 0; }
    // The smallest change that the data would have shown. (`low` is never below -1.)
    [[nodiscard]] double half_width() const { return high - change; }
};

// Each state has one entry for each run. If both have one run and `same_steps` (value n is of the same coupling step
// in both), the steps are compared pair by pair, so that what repeats in both, such as a longer step each day, is no
// noise. If a state has several runs, the spread between them is part of the interval; a state with a single run is
// assumed to vary as much as the other. `disturbed`: the machine disturbed some of the runs, so the states may vary
// differently, and a single run tells nothing.
[[nodiscard]] Difference difference_of(std::span<const StepValues> before, std::span<const StepValues> after,
                                       bool same_steps, bool disturbed = false);

} // namespace cpl_lb
