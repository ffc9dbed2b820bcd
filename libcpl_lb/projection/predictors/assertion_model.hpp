// The symbolic model of a code: its annotated blocks with their expressions in the input parameters, as a run left
// them or a table gives them (Modeling Assertions). What the predictors, the sensitivities and the export start from.
#pragma once

#include "assertions/expression.hpp"
#include "data/coupled_run.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A parameter, block or expression that cannot be used; one line that names it.
class AssertionModelError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct BlockQuantity {
    std::string name; // "flops"
    Expression expression;
    double value = unknown;    // of the run, all calls of one process; NaN: no run, or none there
    double measured = unknown; // likewise
    std::string measured_by, why_not_measured;

    [[nodiscard]] double error() const {
        return is_known(measured) && measured != 0 ? (measured - value) / measured : unknown;
    }
};

struct ModelBlock {
    std::string component, region;
    double calls = 1; // of one process
    double measured_s = unknown;
    std::vector<BlockQuantity> quantities;

    [[nodiscard]] const BlockQuantity *find(std::string_view quantity) const; // null: not annotated
};

struct ModelParameter {
    std::string name;
    double value = unknown;
    bool varies = false; // between processes, or while the model ran: `value` is a mean
};

struct AssertionModel {
    std::string source; // for messages
    std::vector<ModelParameter> parameters;
    std::vector<ModelBlock> blocks;
    bool of_run = false;     // false: of a table
    bool as_measured = true; // false: a parameter was set to another value than the run's

    // Throws AssertionModelError for a name that no expression has, or a value that is not finite.
    void set(std::string_view name, double value);
    // The value of one call with the parameters' values. `by`: the place of the parameter for the slope, or none.
    [[nodiscard]] Expression::Result evaluate(const Expression &expression, std::size_t by = Expression::none) const;
};

// From the annotations of a run. An expression that cannot be read is an error, because the run read it.
[[nodiscard]] AssertionModel assertion_model_of(const CoupledRun &run, const std::string &source);

} // namespace cpl_lb
