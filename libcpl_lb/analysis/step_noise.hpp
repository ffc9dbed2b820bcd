// The noise of a series whose level may change. It comes from neighbouring values, so that levels do not add to it.
#pragma once

#include <cstddef>
#include <span>

namespace cpl_lb {

// Noise that may depend on the value before: a first-order autoregression, from the differences of neighbours
// and of values two apart, without the largest quarter. Its memory is taken two standard errors above the estimate:
// an estimate that is too small by chance would take noise for a change.
class StepNoise {
public:
    explicit StepNoise(std::span<const double> values);

    // The standard error of the mean of so many values.
    [[nodiscard]] double standard_error(std::size_t values) const;

private:
    double memory_ = 0, size_ = 0;
};

// The standard error of the mean of the values, as a share of the mean. With at least eight values, changes of the
// level and repeating patterns do not count as error. NaN for fewer than two.
[[nodiscard]] double share_of_error(std::span<const double> values);

} // namespace cpl_lb
