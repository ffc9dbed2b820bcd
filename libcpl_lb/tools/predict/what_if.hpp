// What changes to a model would bring, in words and for programs.
#pragma once

#include "io/json/json_tree.hpp"
#include "prediction/coupled_part.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/predictor.hpp"
#include "prediction/single_changes.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// A run as measured and with changes, both as graphs that were replayed.
struct ChangedRun {
    const CoupledPart &part;
    const MeasuredGraph &measured, &changed;
    WhatIf answer;
    std::vector<std::int64_t> cores; // by component, with the changes
    bool other_counts = false;       // --pes was given, too
    PredictedRange range{};          // of the loop with these counts, without the changes
    double of_threads = 0;           // a share of the time that other threads are uncertain by; NaN: not known
    double counts_s = unknown;       // the loop with these counts, without the changes
    std::vector<std::string> changes{}, remarks{};
    std::string basis{}; // what other counts are extrapolated from; empty: nothing
};

[[nodiscard]] std::string what_if_text(const ChangedRun &run);
[[nodiscard]] JsonTree what_if_json(const ChangedRun &run);

[[nodiscard]] std::string single_changes_text(const CoupledPart &part, const MeasuredGraph &measured,
                                              const std::vector<SingleChange> &changes,
                                              const std::vector<std::string> &remarks);
[[nodiscard]] JsonTree single_changes_json(const CoupledPart &part, const MeasuredGraph &measured,
                                           const std::vector<SingleChange> &changes,
                                           const std::vector<std::string> &remarks);

} // namespace cpl_lb
