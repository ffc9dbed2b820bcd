// The standard error of the mean of a series whose values depend on each other, as coupling steps do
// (docs/compare.md, "What the interval holds").
#pragma once

#include "data/time.hpp"

#include <span>

namespace cpl_lb {

// NaN without any value.
[[nodiscard]] double mean_of(std::span<const double> values);
[[nodiscard]] double median_of(std::span<const double> values);

// Fewer values tell too little about how they depend on each other.
inline constexpr std::size_t fewest_values = 8;

struct MeanError {
    double standard_error = unknown; // in the unit of the values
    double freedom = unknown;        // degrees of freedom: about how many independent values there are, less one
    double block = unknown;          // length of the blocks, in values
};

// A bootstrap over blocks of consecutive values: a circular block bootstrap (Politis and Romano 1992) with the
// block length of Politis and White (2004, corrected 2009), on the residuals of a first-order autoregression
// (prewhitening, Andrews and Monahan 1992). Without the autoregression, 60 values with a correlation of 0.8 from each
// to the next have intervals that miss the truth in one of five cases. Nothing is drawn: the variance over all
// resamples is that of the means of all blocks. Unknown for fewer than fewest_values.
[[nodiscard]] MeanError error_of_mean(std::span<const double> values);

// The two-sided quantile of Student's t with so many degrees of freedom, at least 1. |t| exceeds it with the
// probability `level`: 5 % for a 95 % interval.
[[nodiscard]] double students_t(double freedom, double level = 0.05);

} // namespace cpl_lb
