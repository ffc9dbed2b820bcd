// One bound for all texts, from which on a number has an exponent.
#include "support/decimal_text.hpp"

#include "support/fmt.hpp"

#include <cmath>

namespace cpl_lb {

std::string decimal_text(double value, int decimals) {
    if (!std::isfinite(value)) return "n/a";
    return std::abs(value) < 1e15 ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.3e}", value);
}

std::string change_text(double value, int decimals) {
    return (value < 0 || !std::isfinite(value) ? "" : "+") + decimal_text(value, decimals);
}

std::string digits_text(double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "n/a";
}

std::string rounded_text(double value) {
    return std::abs(value) < 100 ? digits_text(value, 3) : decimal_text(value, 0);
}

} // namespace cpl_lb
