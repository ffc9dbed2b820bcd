// Takes characters, skips blanks and comments, counts lines, and reads single values.
#include "io/settings/namelist_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace cpl_lb {

bool is_namelist_name(std::string_view text) {
    return !text.empty() && is_namelist_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), is_namelist_name_part);
}

std::string namelist_lower(std::string_view text) {
    std::string lower(text);
    for (char &c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

NamelistScanner::NamelistScanner(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

char NamelistScanner::take() {
    const char c = text_[position_++];
    if (c == '\n') {
        ++line_;
        first_on_line_ = true;
    } else if (!is_namelist_blank(c)) {
        first_on_line_ = false;
    }
    return c;
}

void NamelistScanner::skip_line() {
    while (!at_end() && peek() != '\n')
        take();
}

void NamelistScanner::skip_blanks() {
    while (!at_end()) {
        if (peek() == '!') {
            skip_line();
        } else if (is_namelist_blank(peek()) || peek() == '\n') {
            take();
        } else {
            return;
        }
    }
}

std::string_view NamelistScanner::take_name() {
    const std::size_t start = position_;
    while (!at_end() && is_namelist_name_part(peek()))
        take();
    return text_.substr(start, position_ - start);
}

std::string_view NamelistScanner::take_bare() {
    const std::size_t start = position_;
    int depth = 0; // separators inside ( ) belong to the token: subscripts, complex numbers
    while (!at_end() && peek() != '\n') {
        const char c = peek();
        const bool after_star = position_ > start && text_[position_ - 1] == '*';
        if (depth == 0 && (is_namelist_separator(c) || c == '=' || (after_star && is_namelist_quote(c)))) break;
        if (c == '(') ++depth;
        if (c == ')' && depth > 0) --depth;
        take();
    }
    return text_.substr(start, position_ - start);
}

bool NamelistScanner::take_string(std::string &to) {
    const char quote = take();
    while (!at_end()) {
        const char c = take();
        if (c == quote) {
            if (peek() != quote) return true;
            take(); // a doubled quote stands for one
            to.push_back(quote);
        } else if (c != '\n' && c != '\r') {
            to.push_back(c); // the end of a line inside a string is nothing (13.11.3.3)
        }
    }
    return false;
}

namespace {

// from_chars knows '-' only.
std::string_view without_plus(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

std::size_t digits_from(std::string_view text, std::size_t position) {
    std::size_t end = position;
    while (end < text.size() && is_namelist_digit(text[end]))
        ++end;
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
