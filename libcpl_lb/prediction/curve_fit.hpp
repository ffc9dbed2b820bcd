// The form a / p + b p^c + k of a scaling curve, and its fit to measured times.
#pragma once

#include <limits>
#include <vector>

namespace cpl_lb {

struct ScalingSample {
    double processes = 0;                                      // > 0
    double seconds = 0;                                        // > 0
    double error_s = std::numeric_limits<double>::quiet_NaN(); // standard error of the seconds; NaN: not known
};

// a / p + b p^c + k with a, b, k >= 0 and 0 <= c <= 1 (Alexeev et al. 2014, HSLB).
struct ScalingFit {
    double a = 0, b = 0, c = 0, k = 0;
    double rms = 0; // of the samples' errors: [s], or relative
    [[nodiscard]] double seconds(double processes) const;
};

enum class FitErrors { absolute, relative };

// Tries each c of a grid of step 0.01, and for each c the non-negative least squares over all subsets of terms. Of
// equally good fits the one with the fewest terms counts. With one sample: a / p, ideal scaling.
[[nodiscard]] ScalingFit fit_curve(const std::vector<ScalingSample> &samples, FitErrors errors = FitErrors::absolute);

} // namespace cpl_lb
