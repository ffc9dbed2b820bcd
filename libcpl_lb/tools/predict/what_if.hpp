// What changes to a model would bring, in words and for programs.
#pragma once

#include "io/json/json_tree.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/predictor.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// A run as measured and with changes, both as graphs that were replayed.
struct ChangedRun {
    const CoupledPart &part;
    const MeasuredGraph &measured, &changed;
    WhatIf answer;
    std::vector<std::int64_t> cores; // by component, with the changes
    bool other_counts = false;       // --pes or --threads was given, too
    PredictedRange range{};          // of the loop with these counts, without the changes
    double counts_s = unknown;       // the loop with these counts, without the changes
    std::vector<std::string> changes{}, remarks{};
    std::string basis{}; // what other counts are extrapolated from; empty: nothing
};

[[nodiscard]] std::string what_if_text(const ChangedRun &run);
[[nodiscard]] JsonTree what_if_json(const ChangedRun &run);

// "SST with a lag of 1".
[[nodiscard]] std::string words_of(const SingleChange &change);
// It changes the loop's time by less than is told.
[[nodiscard]] bool is_worth_nothing(const SingleChange &change);
// The change of the loop's time in per cent: "-11.8" is faster.
[[nodiscard]] std::string gain_text(const SingleChange &change);
[[nodiscard]] std::string single_changes_text(const CoupledPart &part, const MeasuredGraph &measured,
                                              const std::vector<SingleChange> &changes,
                                              const std::vector<std::string> &remarks);
[[nodiscard]] JsonTree single_changes_json(const CoupledPart &part, const MeasuredGraph &measured,
                                           const std::vector<SingleChange> &changes,
                                           const std::vector<std::string> &remarks);

// A page that opens offline. `changed`: null if only single changes were asked for. `of_change`: so many cycles are
// one with the changes (Changes::longer_cycle).
[[nodiscard]] std::string what_if_page(const CoupledPart &part, const MeasuredGraph &measured,
                                       const std::vector<SingleChange> &single, const ChangedRun *changed,
                                       std::size_t of_change);

} // namespace cpl_lb
