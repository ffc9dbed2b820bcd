// The default scaling curve, which goes through the measured times (docs/definitions.md, section 5).
#pragma once

#include "prediction/curve_fit.hpp"

#include <vector>

namespace cpl_lb {

// Between measured counts: a monotone cubic of the logarithm of the time over the logarithm of the count. With two
// counts only: the fit, if it goes through both, because a line never bends as scaling does. Outside: the fit in
// relative errors, moved to meet the last measured time. Towards fewer processes the time rises at least by their
// square root, because measured times that do not change any more say nothing about the work that is divided.
class MeasuredCurve {
public:
    // Ascending processes, each once.
    explicit MeasuredCurve(const std::vector<ScalingSample> &samples);

    [[nodiscard]] double seconds(double processes) const;
    // d log seconds / d log processes at the first and the last measured count.
    [[nodiscard]] double first_slope() const { return slope_.front(); }
    [[nodiscard]] double last_slope() const { return slope_.back(); }

private:
    [[nodiscard]] double between(double x) const; // log of the time

    ScalingFit fit_; // in relative errors
    bool two_fitted_ = false;
    std::vector<double> x_, y_, slope_; // by sample: log p, log of the time, its derivative
};

} // namespace cpl_lb
