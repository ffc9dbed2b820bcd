// Makes scaling curves from measured times of components, which come from runs and from tables, and calculates the
// effect of their uncertainty on the dependency graph.
#pragma once

#include "prediction/measured_graph.hpp"
#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

using SamplesByComponent = std::map<std::string, std::vector<ScalingSample>>;

// Adds one sample for each component: its cores, its threads, its computing time in one coupling cycle, and the
// scatter of the cycles. Without a cycle it is the time of the whole stretch, which fits only runs of one length.
void add_samples(SamplesByComponent &samples, const MeasuredGraph &measured);

// The coupling cycle of a run, "2 T, 1 Q"; empty if none was found.
[[nodiscard]] std::string cycle_in_words(const CoupledRun &run, const MeasuredGraph &measured);
// Times are compared by cycle, so it throws PredictionError if this run's cycle differs from that of the first run.
void check_cycle(const std::string &of_first, const CoupledRun &run, const MeasuredGraph &measured);

// The time of a component that computes nothing in the coupling loop, with any count: a curve cannot hold 0.
inline constexpr double idle_s = 1e-9;
// The curve of each name. Throws PredictionError if a component has no sample, or has a serial part (by name; may be
// empty) although it was measured with several counts, which show that part.
[[nodiscard]] std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples,
                                                  const std::vector<std::string> &names,
                                                  const std::vector<double> &serial = {});

// A component's curve over its cores if each of its processes has so many threads.
struct CurveOfThreads {
    std::int64_t threads = 1;
    ScalingCurve curve;
};
// By component: its curve with the present threads, and those with others, ascending. Samples without threads count
// as present ones. Threads that were measured with one count scale like those that were measured with most counts. If
// the present processes have different threads, all samples make one curve.
struct CurvesOfThreads {
    std::vector<ScalingCurve> now;
    std::vector<std::vector<CurveOfThreads>> others;
};
// Throws like curves_of.
[[nodiscard]] CurvesOfThreads curves_of_threads(const SamplesByComponent &samples,
                                                const std::vector<std::string> &names,
                                                const std::vector<std::int64_t> &threads_now,
                                                const std::vector<double> &serial = {});

// The curve of each component; the curves are kept elsewhere.
using ChosenCurves = std::vector<const ScalingCurve *>;
[[nodiscard]] ChosenCurves chosen(const std::vector<ScalingCurve> &curves);

// From the measured counts to others. The curves of a component differ if its processes get other threads, or if it
// gets nodes of another kind.
struct CurvesOfMove {
    ChosenCurves now, then;
    std::vector<std::int64_t> counts; // in the unit of the curves
};

// Computing time of each component with its new count, by one form of its curve in `then`, divided by the measured
// one by its curve in `now`.
[[nodiscard]] std::vector<double> factors_of(const MeasuredGraph &measured, const CurvesOfMove &move, CurveForm form);

// The least uncertainty of a time that follows from this run, as a share: the scatter of its cycles,
// and the ends of its loop.
[[nodiscard]] double run_uncertainty(const MeasuredGraph &measured);

// The range of Prediction::predicted_s. NaN if a component measured with only one count gets another one.
struct PredictedRange {
    double least_s = unknown, most_s = unknown;
    [[nodiscard]] double uncertainty_s(double predicted_s) const; // the larger distance
};
[[nodiscard]] PredictedRange predicted_range(const MeasuredGraph &measured, const CurvesOfMove &move, CurveForm form);

} // namespace cpl_lb
