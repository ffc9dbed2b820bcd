// Turns the text of one value into a logical, an integer or a real.
#include "io/settings/namelist_value.hpp"

#include "io/settings/namelist_scanner.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace cpl_lb {

namespace {

// from_chars knows '-' only.
std::string_view without_plus(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

std::size_t digits_from(std::string_view text, std::size_t position) {
    std::size_t end = position;
    while (end < text.size() && is_namelist_digit(text[end])) {
        ++end;
    }
    return end - position;
}

// The same number with the exponent letter that C++ reads: 1.5d2, 1.5q2 and 1.5+2 are 1.5e2. Empty: not a number.
std::string with_c_exponent(std::string_view text) {
    std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    const std::size_t whole = digits_from(text, at);
    at += whole;
    std::size_t fraction = 0;
    if (at < text.size() && text[at] == '.') fraction = digits_from(text, ++at);
    at += fraction;
    if (whole + fraction == 0) return {};
    std::string number(text.substr(0, at));
    if (at == text.size()) return number;
    const bool letter = std::string_view("eEdDqQ").find(text[at]) != std::string_view::npos;
    if (letter) ++at;
    const bool sign = at < text.size() && (text[at] == '+' || text[at] == '-');
    if (!letter && !sign) return {};
    const std::size_t digits = at + (sign ? 1 : 0);
    if (digits == text.size() || digits + digits_from(text, digits) != text.size()) return {};
    return number + "e" + std::string(text.substr(at));
}

} // namespace

std::optional<bool> fortran_logical(std::string_view text) {
    std::string word = namelist_lower(text);
    if (word.starts_with('.')) word.erase(0, 1);
    if (word.ends_with('.')) word.pop_back();
    if (word == "t" || word == "true") return true;
    if (word == "f" || word == "false") return false;
    return std::nullopt;
}

std::optional<std::int64_t> fortran_integer(std::string_view text) {
    const std::string_view digits = without_plus(text);
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<double> fortran_real(std::string_view text) {
    const std::string number = with_c_exponent(text);
    const std::string_view digits = without_plus(number);
    double value = 0.0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool read = code == std::errc{} && end == digits.data() + digits.size() && std::isfinite(value);
    return read ? std::optional(value) : std::nullopt; // too small a number counts as bad too
}

} // namespace cpl_lb
