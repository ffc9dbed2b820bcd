// What cpl-lb predict tells of a run, of other counts, and of changes to the model: in words and for programs.
#pragma once

#include "io/json/json_tree.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/predictor.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// The output of cpl-lb predict: the graph of a run, and its time with other counts.
struct PredictOutput {
    CoupledPart part;
    MeasuredGraph measured{};
    bool other_counts = false; // --pes or --threads was given
    CurveForm form = CurveForm::measured;
    std::vector<std::int64_t> processes{}; // by component
    Prediction now{};
    // With other counts:
    PredictedRange range{};
    std::map<CurveForm, double> by_form{}; // predicted seconds
    std::vector<ScalingCurve> curves{};    // by component
    std::vector<std::string> remarks{};    // of all runs
};

// What a component waits in a loop that was not measured. NaN: it is in turn with others, whose time is in the rest.
[[nodiscard]] double rest_of(double loop_s, double computing_s, const MeasuredGraph &measured, std::size_t component);

[[nodiscard]] std::string predict_as_text(const PredictOutput &o);
[[nodiscard]] std::string predict_as_json(const PredictOutput &o);

// A run as measured and with changes, both as graphs that were replayed.
struct ChangedRun {
    const PredictOutput
        &counts; // the run, and without the changes the loop with --pes or --threads, if they are given
    const MeasuredGraph &measured, &changed;
    WhatIf answer;
    std::vector<std::string> changes{};
};

[[nodiscard]] std::string what_if_text(const ChangedRun &run);
[[nodiscard]] JsonTree what_if_json(const ChangedRun &run);

[[nodiscard]] std::string single_changes_text(const PredictOutput &run, const std::vector<SingleChange> &changes);
[[nodiscard]] JsonTree single_changes_json(const PredictOutput &run, const std::vector<SingleChange> &changes);

// A page that opens offline. `changed`: null if only single changes were asked for. `of_change`: so many cycles are
// one with the changes (Changes::longer_cycle).
[[nodiscard]] std::string what_if_page(const PredictOutput &run, const std::vector<SingleChange> &single,
                                       const ChangedRun *changed, std::size_t of_change);

} // namespace cpl_lb
