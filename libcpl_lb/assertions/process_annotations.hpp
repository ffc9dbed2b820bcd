// What one process says about the work of its regions while the model runs: parameters and expressions, each
// evaluated for the calls that it holds for. Nothing here is on the path of a region's begin and end.
#pragma once

#include "assertions/expression.hpp"
#include "data/annotations.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct AssertedQuantity;

class ProcessAnnotations {
public:
    // calls_so_far(region): how often that region has begun; regions are ids from 1.
    explicit ProcessAnnotations(std::function<std::int64_t(int)> calls_so_far);

    // Each gives why it is refused, in words; empty: taken. A parameter's first value holds for all calls, a
    // later one for the calls of regions that begin after it; an expression for all calls of its region. The same
    // expression again changes nothing.
    [[nodiscard]] std::string parameter(std::string_view name, double value);
    [[nodiscard]] std::string expression(int region, std::string_view quantity, std::string_view text);

    void finish(); // counts the calls up to now; nothing is given after it
    // Leaves out annotations of a region without calls.
    [[nodiscard]] std::vector<Annotation> of_region(int region) const;
    [[nodiscard]] std::vector<AssertedParameter> parameters() const;

private:
    struct Parameter {
        std::string name;
        double value;
        std::int64_t changes = 0;
    };
    struct Assertion {
        int region;
        const AssertedQuantity *quantity;
        Expression expression;
        std::int64_t calls = 0; // that `total` holds
        double total = 0;       // sum over the calls
        std::string why;        // not empty: there is no value for some call
    };
    [[nodiscard]] static bool is_once(const Assertion &assertion);
    void settle();
    void count_calls(Assertion &assertion) const;
    [[nodiscard]] Expression::Result value_of(const Assertion &assertion) const;

    std::function<std::int64_t(int)> calls_so_far_;
    std::vector<Parameter> parameters_;
    std::vector<Assertion> assertions_;
};

} // namespace cpl_lb
