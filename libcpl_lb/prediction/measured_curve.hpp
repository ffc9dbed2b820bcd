// The default scaling curve, which goes through the measured times (docs/definitions.md, section 5).
#pragma once

#include "prediction/curve_fit.hpp"

#include <vector>

namespace cpl_lb {

// Between measured counts: the logarithm of the time over the logarithm of the count, by a monotone cubic; between
// two counts alone the fit, where it goes through both, because a line would never bend as scaling does. Outside:
// the fit in relative errors, moved to meet the last measured time; towards fewer processes the time rises by their
// square root at least, because measured times that do not change any more say nothing of the work that is divided.
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
