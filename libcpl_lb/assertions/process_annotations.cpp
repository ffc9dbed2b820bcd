// Keeps parameters and expressions of one process, and evaluates them for their calls.
#include "assertions/process_annotations.hpp"

#include "assertions/quantities.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t most_parameters = 256, most_assertions = 4096;

// Says which values a region's property may have. Empty if this one is allowed.
std::string why_not_allowed(std::string_view quantity, double value) {
    const auto is_one_of = [&](auto... allowed) { return ((value == allowed) || ...); };
    if (quantity == "mv" && !is_one_of(0.0, 1.0, 10.0, 11.0))
        return fmt::format("mv must be 00, 10, 01 or 11, but the expression gives {:g}", value);
    if ((quantity == "sl" || quantity == "tl") && !is_one_of(0.0, 1.0, 2.0))
        return fmt::format("{} must be 0, 1 or 2, but the expression gives {:g}", quantity, value);
    if (quantity == "avl" && value < 1)
        return fmt::format("avl must be at least 1, but the expression gives {:g}", value);
    if (value < 0) return fmt::format("{} must not be below 0, but the expression gives {:g}", quantity, value);
    return {};
}

} // namespace

ProcessAnnotations::ProcessAnnotations(std::function<std::int64_t(int)> calls_so_far)
    : calls_so_far_(std::move(calls_so_far)) {}

std::string ProcessAnnotations::parameter(std::string_view name, double value) {
    const auto at = std::ranges::find(parameters_, name, &Parameter::name);
    if (at != parameters_.end() && at->value == value) return {};
    if (!std::isfinite(value)) return fmt::format("parameter '{}': the value is not a finite number", name);
    if (at != parameters_.end()) {
        settle();
        at->value = value;
        ++at->changes;
        return {};
    }
    if (!is_parameter_name(name)) {
        return fmt::format("'{}' cannot be a parameter's name: a letter, then letters, digits and _, at most 63, and "
                           "not a function's name",
                           name);
    }
    if (parameters_.size() >= most_parameters) return fmt::format("more than {} parameters", most_parameters);
    parameters_.push_back({std::string(name), value}); // of the calls before it, too
    return {};
}

std::string ProcessAnnotations::expression(int region, std::string_view quantity, std::string_view text) {
    const AssertedQuantity *known = asserted_quantity(quantity);
    if (known == nullptr)
        return fmt::format("there is no quantity '{}'; there are: {}", quantity, names_of_asserted_quantities());
    const auto same = [&](const Assertion &a) { return a.region == region && a.quantity == known; };
    const auto at = std::ranges::find_if(assertions_, same);
    if (at != assertions_.end()) {
        if (at->expression.text() == text) return {};
        return fmt::format("{}: it has the expression '{}' already; '{}' is ignored", quantity, at->expression.text(),
                           text);
    }
    if (assertions_.size() >= most_assertions) return fmt::format("more than {} expressions", most_assertions);
    try {
        assertions_.push_back({region, known, Expression(text), 0, 0, {}});
    } catch (const ExpressionError &e) {
        return fmt::format("{} = '{}': {}", quantity, text.substr(0, 200), e.what());
    }
    return {};
}

Expression::Result ProcessAnnotations::value_of(const Assertion &assertion) const {
    std::vector<double> values;
    for (const std::string &name : assertion.expression.names()) {
        const auto at = std::ranges::find(parameters_, name, &Parameter::name);
        values.push_back(at == parameters_.end() ? unknown : at->value);
    }
    Expression::Result result = assertion.expression.evaluate(values);
    if (result.why.empty()) result.why = why_not_allowed(assertion.quantity->name, result.slope.value);
    return result;
}

void ProcessAnnotations::count_calls(Assertion &assertion) const {
    const std::int64_t now = calls_so_far_(assertion.region);
    if (now == assertion.calls || !assertion.why.empty()) return;
    const Expression::Result result = value_of(assertion);
    assertion.why = result.why;
    assertion.total += result.slope.value * static_cast<double>(now - assertion.calls);
    assertion.calls = now; // also if there is no value: the region was entered
}

void ProcessAnnotations::settle() {
    for (Assertion &assertion : assertions_)
        if (!is_once(assertion)) count_calls(assertion);
}

// The number of calls is not a figure of each call.
bool ProcessAnnotations::is_once(const Assertion &assertion) {
    return assertion.quantity->name == "calls";
}

void ProcessAnnotations::finish() {
    settle();
    for (Assertion &assertion : assertions_) {
        if (!is_once(assertion)) continue;
        assertion.calls = calls_so_far_(assertion.region);
        const Expression::Result result = value_of(assertion);
        assertion.why = result.why;
        assertion.total = result.slope.value;
    }
}

std::vector<Annotation> ProcessAnnotations::of_region(int region) const {
    std::vector<Annotation> all;
    for (const Assertion &assertion : assertions_) {
        if (assertion.region != region || assertion.calls == 0) continue;
        Annotation &one = all.emplace_back();
        one.quantity = assertion.quantity->name;
        one.expression = assertion.expression.text();
        one.why_no_value = assertion.why;
        const bool is_mean = !assertion.quantity->is_amount && !is_once(assertion);
        const double calls = is_mean ? static_cast<double>(assertion.calls) : 1.0;
        if (assertion.why.empty()) one.value.add(assertion.total / calls);
    }
    return all;
}

std::vector<AssertedParameter> ProcessAnnotations::parameters() const {
    std::vector<AssertedParameter> all;
    for (const Parameter &p : parameters_) {
        AssertedParameter &one = all.emplace_back();
        one.name = p.name;
        one.value.add(p.value);
        one.changes = p.changes;
    }
    return all;
}

} // namespace cpl_lb
