// The noise of a series whose level may change: from what lies next to each other, so that levels do not add to it.
#pragma once

#include <cstddef>
#include <span>

namespace cpl_lb {

// Noise that may go on from value to value: a first-order autoregression, from the differences of neighbours
// and of values two apart, without the largest quarter. Its memory is taken two standard errors larger than it is
// found: an estimate that is too small by chance would take noise for a change.
class StepNoise {
public:
    explicit StepNoise(std::span<const double> values);

    // The standard error of the mean of so many values.
    [[nodiscard]] double standard_error(std::size_t values) const;

private:
    double memory_ = 0, size_ = 0;
};

// The standard error of the mean of the values as a share of it, where changes of the level and what comes round
// again are no error, if there are eight values at least. NaN for fewer than two.
[[nodiscard]] double share_of_error(std::span<const double> values);

} // namespace cpl_lb
