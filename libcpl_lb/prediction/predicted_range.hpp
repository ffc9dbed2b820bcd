// The error of a predicted time: the uncertainty of the scaling curves, taken through the dependency graph.
#pragma once

#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"

#include <vector>

namespace cpl_lb {

// Computing time of each component with `processes` divided by the measured one, by one form of its curve.
[[nodiscard]] std::vector<double> factors_of(const MeasuredGraph &measured, const std::vector<ScalingCurve> &curves,
                                             const std::vector<std::int64_t> &processes, CurveForm form);

// The uncertainty of tau(to) / tau(from), as a share; 0 for the same count, NaN: not known.
[[nodiscard]] double factor_uncertainty(const ScalingCurve &curve, double from, double to);

// The least uncertainty of a time that follows from this run, as a share: the scatter of its cycles,
// and the ends of its loop.
[[nodiscard]] double run_uncertainty(const MeasuredGraph &measured);

// The range of Prediction::predicted_s. NaN if a component that gets another count was measured with one count only.
struct PredictedRange {
    double least_s = unknown, most_s = unknown;
    [[nodiscard]] double uncertainty_s(double predicted_s) const; // the larger distance
};
[[nodiscard]] PredictedRange predicted_range(const MeasuredGraph &measured, const std::vector<ScalingCurve> &curves,
                                             const std::vector<std::int64_t> &processes, CurveForm form);

} // namespace cpl_lb
