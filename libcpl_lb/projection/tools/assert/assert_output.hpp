// The answer of cpl-lb machine assert, as text and as json.
#pragma once

#include "projection/predictors/assertion_model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct AssertOutput {
    AssertionModel model;
    std::optional<Machine> machine;
    std::string locality_from; // how its bandwidths by locality were worked out; empty: its file has them
    double tolerance = 0.1;    // of an error; a fraction
};

// Throws AssertionModelError for an expression that has no value at parameters that the user gave.
[[nodiscard]] std::string assert_as_text(const AssertOutput &output);
[[nodiscard]] std::string assert_as_json(const AssertOutput &output);

// The parameters are the names in the expressions, without values. Throws FileError with file, line and column.
[[nodiscard]] AssertionModel assertion_model_of_table(const std::string &path);

// The figures of cpl-lb machine assert, which its text and its json have in common.
struct AssertedFigure {
    const BlockQuantity *quantity = nullptr;
    double value = unknown;           // at the model's parameters, of all calls of one process
    double error = unknown;           // against what was measured, where that is of these parameters
    std::vector<double> elasticities; // by the model's parameters
    std::string why;                  // where value is NaN
};

struct PredictedTime {
    TimePrediction prediction;
    double error = unknown;
    std::vector<double> elasticities;
};

struct AssertedBlock {
    const ModelBlock *block = nullptr;
    SortedWork work;
    std::vector<AssertedFigure> figures;
    std::vector<PredictedTime> times; // by strategy; empty: no machine
    ObservedBandwidth observed;
    std::vector<LocalityLevels> levels_near_observed;
    bool fails = false; // an error above the tolerance
};

[[nodiscard]] std::vector<AssertedBlock> asserted_blocks(const AssertOutput &output);

} // namespace cpl_lb
