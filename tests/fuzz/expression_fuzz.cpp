// Properties, for any bytes as an expression:
// 1. It is read, or refused with one printable line.
// 2. What was read is small: nodes grow with the text, operands stand before their operators, and the names may be
//    parameters.
// 3. With any values it gives a finite number, or words of one line and NaN; the value does not depend on which slope
// is
//    asked for.
#include "assertions/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

bool one_line(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

void check_shape(const Expression &e, std::size_t size) {
    require(!e.nodes().empty() && e.nodes().size() <= 2 * size);
    for (std::size_t i = 0; i < e.nodes().size(); ++i) {
        const ExpressionNode &node = e.nodes()[i];
        require(node.position >= 1 && node.position <= size);
        if (node.operation == Operation::name)
            require(node.first < e.names().size());
        else if (node.operation != Operation::number)
            require(node.first < i && node.second < i);
    }
    for (const std::string &name : e.names())
        require(is_parameter_name(name));
}

void check_value(const Expression &e, double value) {
    const std::vector<double> values(e.names().size(), value);
    const Expression::Result result = e.evaluate(values);
    require(result.why.empty() == std::isfinite(result.slope.value));
    require(std::all_of(result.why.begin(), result.why.end(),
                        [](char c) { return c == '\t' || static_cast<unsigned char>(c) >= 0x20; }));
    for (std::size_t by = 0; by < e.names().size(); ++by) {
        const Expression::Result again = e.evaluate(values, by);
        require(again.why == result.why && (again.slope.value == result.slope.value || !result.why.empty()));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    try {
        const Expression e(text);
        check_shape(e, size);
        for (const double value : {0.0, 1.0, -2.5, 1e300, std::nan("")})
            check_value(e, value);
    } catch (const ExpressionError &e) {
        require(one_line(e.what()));
    }
    return 0;
}
