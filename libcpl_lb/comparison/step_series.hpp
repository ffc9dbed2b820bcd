// The times of the coupling steps of a component, one value for each step.
#pragma once

#include "comparison/difference.hpp"
#include "data/coupled_run.hpp"

#include <cstdint>

namespace cpl_lb {

// Seconds; in long runs each value is the mean of a few steps that follow each other. All empty without a loop.
struct StepSeries {
    StepValues length, computing, waiting;
    std::int64_t steps_in_value = 1;
    std::vector<std::int64_t> dates; // of the model at the start of each value; empty: none
    double simulated_s = unknown;    // of the model in one step, by the dates
};

[[nodiscard]] StepSeries step_series(const Component &component);

// Value n of both is of the same step.
[[nodiscard]] bool same_steps(const StepSeries &a, const StepSeries &b);

} // namespace cpl_lb
