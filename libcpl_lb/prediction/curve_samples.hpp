// Makes scaling curves from measured times of components, which come from runs and from tables.
#pragma once

#include "prediction/measured_graph.hpp"
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

} // namespace cpl_lb
