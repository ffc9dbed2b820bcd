// Predicts the iteration time with other processor counts (Kim, Larson and Chiu 2012, equations 10 and 11), and with
// changes to the model.
#pragma once

#include "prediction/changes.hpp"
#include "prediction/measured_graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
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

// `factors`: tau^comp of each component with its new processes, divided by the measured one; positive.
[[nodiscard]] Prediction predict(const MeasuredGraph &measured, const std::vector<double> &factors);

// A run compared with the same run with changes (changes.hpp).
struct WhatIf {
    double ratio = unknown;       // of the time of the whole run, changed / measured; the slowest component decides
    double measured_s = unknown;  // the common part of the coupling loops
    double predicted_s = unknown; // the same with the changes
    // Half of the interval that has the ratio of a longer run 95 times in 100, by Student's t from the ratios of
    // blocks of cycles; NaN for fewer than 16 cycles. It tells how much cycles differ, not how true the graph is.
    double ratio_error = unknown;
    std::vector<double> factors;      // by component: computing time with other counts over the measured one
    CriticalPath measured_path, path; // as measured, and with the changes, in model seconds
};
// `factors`: for other counts as well (predict()); empty: with the measured ones.
[[nodiscard]] WhatIf what_if(const MeasuredGraph &measured, const MeasuredGraph &changed,
                             const std::vector<double> &factors = {});
[[nodiscard]] WhatIf what_if(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes);
// The graph for comparison: `measured`, or one with the time of transfers if the changes count it.
[[nodiscard]] std::optional<MeasuredGraph> with_transfers(const CoupledRun &run, const MeasuredGraph &measured,
                                                          const Changes &changes);

// Throws PredictionError if a run tells nothing about other counts: hardly any computing, or wrong clocks.
void check_answerable(const MeasuredGraph &measured);
void check_clocks(const MeasuredGraph &measured); // only the clocks

// New / measured time of the whole run: the slowest component decides. NaN if none computes.
[[nodiscard]] double pace(const MeasuredGraph &measured, const std::vector<double> &factors);

[[nodiscard]] double mean(const std::vector<double> &values);               // NaN for none
[[nodiscard]] double standard_deviation(const std::vector<double> &values); // of the sample; NaN for fewer than two

// A change of a usual size to a coupled model, one at a time, and its gain (docs/predict.md, "What if").
struct SingleChange {
    enum class Kind : std::uint8_t { faster, twice, lag, every, no_output, best_split, balanced, transfer };
    Kind kind = Kind::faster;
    std::string component{}, region{}, field{}; // what it is about; empty: nothing of the kind
    std::int64_t lag = 0;                       // for a change of lag: the new one
    double gain = unknown;       // share of the run's time that it saves; below 0: the run would take longer
    double gain_error = unknown; // WhatIf::ratio_error
    std::string why_not{};       // in words, if the run cannot tell
};

// The largest gain first; unknown ones last. Components whose end does not count (I/O servers) and fields of set-ups
// are left out. best_pace: of the best split of the same cores (RunBalance); NaN: not known.
[[nodiscard]] std::vector<SingleChange> single_changes(const CoupledRun &run, const MeasuredGraph &measured,
                                                       double best_pace, const Budget &budget = {});

// Some cycles of a recorded run and of the same run with changes, each as it was replayed, for a picture of both.

// When a component computes. In between it waits.
struct ComputingTime {
    double from_s = 0, to_s = 0; // since the first of the cycles began
};
struct ReplayedCycles {
    std::vector<std::vector<ComputingTime>> computing; // by component
    std::vector<double> begin_s;                       // of the cycles, and the end of the last one
};
struct BothCycles {
    std::size_t first_cycle = 0; // from 1
    double recorded_s = unknown; // how long these cycles took
    ReplayedCycles measured, changed;
};

// Cycles from the middle of the loop: `of_change` of them (Changes::longer_cycle), or as many times that number as
// give about `most` exchanges. `factors`: of the changed run's computing (WhatIf::factors). Empty if the run has no
// cycles, or its graph has several parts.
[[nodiscard]] std::optional<BothCycles> replayed_cycles(const MeasuredGraph &measured, const MeasuredGraph &changed,
                                                        const std::vector<double> &factors, std::size_t of_change,
                                                        std::size_t most = 120);

} // namespace cpl_lb
