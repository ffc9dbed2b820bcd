// Builds, evaluates, differentiates and prints expressions.
#include "assertions/expression.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr std::size_t many = 16;
constexpr std::array<ExpressionFunction, 11> functions = {{
    {"min", Operation::minimum, 2, many},
    {"max", Operation::maximum, 2, many},
    {"mod", Operation::remainder, 2, 2},
    {"abs", Operation::absolute, 1, 1},
    {"sqrt", Operation::square_root, 1, 1},
    {"log", Operation::logarithm, 1, 1},
    {"log2", Operation::logarithm2, 1, 1},
    {"log10", Operation::logarithm10, 1, 1},
    {"exp", Operation::exponential, 1, 1},
    {"floor", Operation::floor, 1, 1},
    {"ceil", Operation::ceiling, 1, 1},
}};

// Why the operation has no value; null: it has one.
const char *refusal(Operation operation, double a, double b) {
    switch (operation) {
    case Operation::divide:
        return b == 0 ? "division by zero" : nullptr;
    case Operation::remainder:
        return b == 0 ? "mod by zero" : nullptr;
    case Operation::square_root:
        return a < 0 ? "square root of a negative number" : nullptr;
    case Operation::logarithm:
    case Operation::logarithm2:
    case Operation::logarithm10:
        return a <= 0 ? "logarithm of a number that is not above 0" : nullptr;
    case Operation::power:
        if (a == 0 && b < 0) return "division by zero";
        return a < 0 && b != std::floor(b) ? "fractional power of a negative number" : nullptr;
    default:
        return nullptr;
    }
}

// a^b: the terms of the slope that are 0 anyway are left out, because log(a) may not exist there.
Slope power(Slope a, Slope b) {
    const double value = std::pow(a.value, b.value);
    double slope = 0;
    if (a.by_parameter != 0) slope += b.value * std::pow(a.value, b.value - 1) * a.by_parameter;
    if (b.by_parameter != 0 && a.value > 0) slope += value * std::log(a.value) * b.by_parameter;
    return {value, slope};
}

Slope binary(Operation operation, Slope a, Slope b) {
    switch (operation) {
    case Operation::add:
        return {a.value + b.value, a.by_parameter + b.by_parameter};
    case Operation::subtract:
        return {a.value - b.value, a.by_parameter - b.by_parameter};
    case Operation::multiply:
        return {a.value * b.value, a.by_parameter * b.value + a.value * b.by_parameter};
    case Operation::divide:
        return {a.value / b.value, (a.by_parameter - a.value / b.value * b.by_parameter) / b.value};
    case Operation::power:
        return power(a, b);
    case Operation::minimum:
        return b.value < a.value ? b : a;
    case Operation::maximum:
        return b.value > a.value ? b : a;
    default: // remainder: a - b trunc(a / b), flat but for the steps
        return {std::fmod(a.value, b.value), a.by_parameter - std::trunc(a.value / b.value) * b.by_parameter};
    }
}

Slope unary(Operation operation, Slope a) {
    constexpr double log_of_2 = 0.69314718055994530942, log_of_10 = 2.30258509299404568402;
    const double d = a.by_parameter;
    switch (operation) {
    case Operation::negate:
        return {-a.value, -d};
    case Operation::absolute:
        return {std::abs(a.value), a.value < 0 ? -d : d};
    case Operation::square_root: {
        const double root = std::sqrt(a.value);
        return {root, d == 0 ? 0 : d / (2 * root)};
    }
    case Operation::logarithm:
        return {std::log(a.value), d / a.value};
    case Operation::logarithm2:
        return {std::log2(a.value), d / (a.value * log_of_2)};
    case Operation::logarithm10:
        return {std::log10(a.value), d / (a.value * log_of_10)};
    case Operation::exponential:
        return {std::exp(a.value), std::exp(a.value) * d};
    case Operation::floor:
        return {std::floor(a.value), 0};
    default:
        return {std::ceil(a.value), 0};
    }
}

bool is_unary(Operation operation) {
    return operation == Operation::negate || operation >= Operation::absolute;
}

} // namespace

std::span<const ExpressionFunction> expression_functions() {
    return functions;
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

bool is_parameter_name(std::string_view name) {
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool word = !name.empty() && name.size() <= 63 && letter(name.front()) && std::ranges::all_of(name, inside);
    return word && std::ranges::find(functions, in_lower_case(name), &ExpressionFunction::name) == functions.end();
}

Expression::Result Expression::evaluate(std::span<const double> values, std::size_t by) const {
    const auto failed = [&](std::string_view why, const ExpressionNode &node) {
        return Result{{}, fmt::format("{} (position {} of '{}')", why, node.position, text_)};
    };
    const std::vector<ExpressionNode> &nodes = parsed_.nodes;
    if (nodes.empty()) return {{}, "there is no expression"};
    std::vector<Slope> results(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const ExpressionNode &node = nodes[i];
        if (node.operation == Operation::number) {
            results[i] = {node.number, 0};
        } else if (node.operation == Operation::name) {
            const double value = node.first < values.size() ? values[node.first] : Slope{}.value;
            if (std::isnan(value))
                return failed(fmt::format("parameter '{}' has no value", parsed_.names[node.first]), node);
            results[i] = {value, node.first == by ? 1.0 : 0.0};
        } else {
            const Slope a = results[node.first];
            const Slope b = is_unary(node.operation) ? Slope{} : results[node.second];
            if (const char *why = refusal(node.operation, a.value, b.value)) return failed(why, node);
            results[i] = is_unary(node.operation) ? unary(node.operation, a) : binary(node.operation, a, b);
        }
        if (!std::isfinite(results[i].value)) return failed("unbounded: the value is not a finite number", node);
    }
    return {results.back(), {}};
}

} // namespace cpl_lb
