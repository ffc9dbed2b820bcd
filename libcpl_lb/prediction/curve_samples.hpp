// Makes scaling curves from measured times of components, which come from runs and from tables, and takes the
// uncertainty of these curves through the dependency graph.
#pragma once

#include "prediction/measured_graph.hpp"
#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"

#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

using SamplesByComponent = std::map<std::string, std::vector<ScalingSample>>;

// Adds one sample for each component: its processes, and its computing time in one coupling cycle, with the scatter
// of the cycles. Without a cycle it is the time of the whole stretch, which fits only runs of one length.
void add_samples(SamplesByComponent &samples, const MeasuredGraph &measured);

// The coupling cycle of a run, "2 T, 1 Q"; empty if none was found.
[[nodiscard]] std::string cycle_in_words(const CoupledRun &run, const MeasuredGraph &measured);
// Times are compared by cycle: throws PredictionError if this run's cycle is not that of the first run.
void check_cycle(const std::string &of_first, const CoupledRun &run, const MeasuredGraph &measured);

// The curve of each name. Throws PredictionError if a component has no sample, or has a serial part (by name; may be
// empty) although it was measured with several counts, which show that part.
// A component that computes nothing in the coupling loop has `idle_s` with any count: a curve cannot hold 0.
inline constexpr double idle_s = 1e-9;
[[nodiscard]] std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples,
                                                  const std::vector<std::string> &names,
                                                  const std::vector<double> &serial = {});

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
