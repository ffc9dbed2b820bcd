// Reads characters and single values of namelist text and counts lines: the part of the parser that knows no grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cpl_lb {

[[nodiscard]] constexpr bool is_namelist_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
[[nodiscard]] constexpr bool is_namelist_quote(char c) {
    return c == '\'' || c == '"';
}
[[nodiscard]] constexpr bool is_namelist_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_namelist_digit(char c) {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_namelist_name_part(char c) {
    return is_namelist_letter(c) || is_namelist_digit(c) || c == '_';
}
// What may follow a value.
[[nodiscard]] constexpr bool is_namelist_separator(char c) {
    return is_namelist_blank(c) || c == '\n' || c == ',' || c == '/' || c == '!';
}

[[nodiscard]] bool is_namelist_name(std::string_view text);
[[nodiscard]] std::string namelist_lower(std::string_view text);

class NamelistScanner {
public:
    explicit NamelistScanner(std::string_view text);

    [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    [[nodiscard]] int line() const { return line_; }
    [[nodiscard]] bool first_on_line() const { return first_on_line_; } // nothing but blanks before

    char take();
    void skip_line();
    void skip_blanks();                // blanks, line ends and comments
    std::string_view take_name();      // may be empty
    std::string_view take_bare();      // up to a separator, '=' or a quote after '*'
    bool take_string(std::string &to); // from the opening quote on; false: the text ended first

private:
    std::string_view text_;
    std::size_t position_ = 0;
    int line_ = 1;
    bool first_on_line_ = true;
};

// Text -> logical, integer, real, by the rules of Fortran list-directed input (Fortran 2018, 13.10.3), without its
// laxities: .trash. is no logical here, and infinity is no setting.
[[nodiscard]] std::optional<bool> fortran_logical(std::string_view text);         // t f true false, dots allowed
[[nodiscard]] std::optional<std::int64_t> fortran_integer(std::string_view text); // 12 +3 -1
[[nodiscard]] std::optional<double> fortran_real(std::string_view text);          // 600. 1.d0 1.5E+2 1.5+2, finite

} // namespace cpl_lb
