// Text to nodes. Only expression_parser.cpp knows the grammar library.
#pragma once

#include "assertions/expression.hpp"

namespace cpl_lb {

struct ParsedExpression {
    std::vector<ExpressionNode> nodes;
    std::vector<std::string> names;
};
// Throws ExpressionError.
[[nodiscard]] ParsedExpression parse_expression(std::string_view text);

} // namespace cpl_lb
