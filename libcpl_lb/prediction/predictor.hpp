// The iteration time with other processor counts (Kim, Larson and Chiu 2012, equations 10 and 11).
#pragma once

#include "prediction/measured_graph.hpp"

#include <vector>

namespace cpl_lb {

struct Prediction {
    double measured_s = unknown;     // the common part of the coupling loops
    double model_s = unknown;        // xi with the measured computing times
    double alpha = unknown;          // measured / model
    double predicted_s = unknown;    // measured_s x pace
    std::vector<double> factors;     // computing time, new / measured, by component
    CriticalPath path;               // of the new layout, in model seconds
    std::vector<double> cycles_s;    // predicted length of each coupling cycle; empty without a cycle
    double cycle_mean_s = unknown;   // the measured mean x the same ratio
    double cycle_spread_s = unknown; // their standard deviation; n/a for fewer than two
    double residual_s = unknown;     // of single cycles, alpha model against measured: root mean square
};

// `factors`: tau^comp of each component with its new processes over the measured one, positive.
[[nodiscard]] Prediction predict(const MeasuredGraph &measured, const std::vector<double> &factors);

// Throws PredictionError if a run says nothing about other counts: hardly any computing, or clocks that are wrong.
void check_answerable(const MeasuredGraph &measured);
void check_clocks(const MeasuredGraph &measured); // only the clocks

// New / measured time of the whole run: the slowest component decides. NaN if nobody computes.
[[nodiscard]] double pace(const MeasuredGraph &measured, const std::vector<double> &factors);

[[nodiscard]] double mean(const std::vector<double> &values);               // NaN for none
[[nodiscard]] double standard_deviation(const std::vector<double> &values); // of the sample; NaN for fewer than two

} // namespace cpl_lb
