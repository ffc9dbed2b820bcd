// The answer of cpl-lb assert, as text and as json.
#pragma once

#include "projection/predictors/time_predictors.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct AssertOutput {
    AssertionModel model;
    std::optional<Machine> machine;
    std::string locality_from; // how its bandwidths by locality were worked out; empty: its file has them
    double tolerance = 0.1;    // of an error; a fraction
    std::vector<std::pair<std::string, RegionEntry>> control_flow; // component, entry
};

// Throws AssertionModelError for an expression that has no value at parameters that the user gave.
[[nodiscard]] std::string assert_as_text(const AssertOutput &output);
[[nodiscard]] std::string assert_as_json(const AssertOutput &output);

} // namespace cpl_lb
