// The figures of cpl-lb assert, which its text and its json have in common.
#pragma once

#include "projection/tools/assert/assert_output.hpp"

namespace cpl_lb {

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
    double observed_B_per_s = unknown, observed_memory_s = unknown;
    std::string why_not_observed;
    std::vector<LocalityLevels> levels_near_observed;
    bool fails = false; // an error above the tolerance
};

[[nodiscard]] std::vector<AssertedBlock> asserted_blocks(const AssertOutput &output);

} // namespace cpl_lb
