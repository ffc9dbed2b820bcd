// Takes characters, skips blanks and comments, and counts lines.
#include "io/settings/namelist_scanner.hpp"

#include <algorithm>

namespace cpl_lb {

bool is_namelist_name(std::string_view text) {
    return !text.empty() && is_namelist_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), is_namelist_name_part);
}

std::string namelist_lower(std::string_view text) {
    std::string lower(text);
    for (char &c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
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
    while (!at_end() && peek() != '\n') {
        take();
    }
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
    while (!at_end() && is_namelist_name_part(peek())) {
        take();
    }
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

} // namespace cpl_lb
