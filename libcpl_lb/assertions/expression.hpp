// A symbolic expression of a block's work in the run's input parameters, as a model's author writes it (Modeling
// Assertions, section 2.2): numbers, names, + - * / ^ (or Fortran's **), parentheses and a few functions. It is a
// flat list with operands before their operators, so nothing here calls itself, however deep the text is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// What is wrong with the text, with the position, counted from 1.
class ExpressionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Operation : std::uint8_t {
    number,
    name,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    minimum, // min and max of more than two are several of these
    maximum,
    remainder, // mod: sign of the first argument, as Fortran's mod and C's fmod
    absolute,
    square_root,
    logarithm, // natural
    logarithm2,
    logarithm10,
    exponential,
    floor,
    ceiling
};

struct ExpressionNode {
    Operation operation = Operation::number;
    std::uint32_t position = 0;          // in the text, from 1
    std::uint32_t first = 0, second = 0; // operands: places of earlier nodes; of a name: its place in names()
    double number = 0;
};

// A value and its slope: the derivative by one parameter, exact (forward differentiation, no step width).
struct Slope {
    double value = std::numeric_limits<double>::quiet_NaN();
    double by_parameter = 0;
};

// What a text says. Only expression_parser.cpp knows the grammar library.
struct ParsedExpression {
    std::vector<ExpressionNode> nodes; // the last one is the result
    std::vector<std::string> names;    // in the order of first use
};
// Throws ExpressionError.
[[nodiscard]] ParsedExpression parse_expression(std::string_view text);

class Expression {
public:
    static constexpr std::size_t longest_text = 4096, deepest = 64;

    Expression() = default;
    // Throws ExpressionError.
    explicit Expression(std::string_view text) : text_(text), parsed_(parse_expression(text)) {}

    [[nodiscard]] const std::string &text() const { return text_; }
    [[nodiscard]] const std::vector<std::string> &names() const { return parsed_.names; }
    [[nodiscard]] const std::vector<ExpressionNode> &nodes() const { return parsed_.nodes; }

    struct Result {
        Slope slope;
        std::string why; // not empty: why there is no value, in words
    };
    // values: of names(), NaN if none is given. by: the name that the slope is by; none: the slope is 0.
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    [[nodiscard]] Result evaluate(std::span<const double> values, std::size_t by = none) const;

private:
    std::string text_;
    ParsedExpression parsed_;
};

// A name that a parameter may have: a letter, then letters, digits and _; not the name of a function.
[[nodiscard]] bool is_parameter_name(std::string_view name);

// As the functions' names are compared.
[[nodiscard]] std::string in_lower_case(std::string_view text);

// The functions, for messages and for other languages.
struct ExpressionFunction {
    std::string_view name;
    Operation operation;
    std::size_t least, most; // arguments
};
[[nodiscard]] std::span<const ExpressionFunction> expression_functions();

} // namespace cpl_lb
