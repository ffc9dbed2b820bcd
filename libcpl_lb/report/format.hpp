// Numbers and names as text: numbers keep their digits from nanoseconds to months, names cannot break a line.
#pragma once

#include "support/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// At least three significant digits and at least three decimals; "n/a" for NaN.
[[nodiscard]] std::string number_text(double value);
// Per cent of a fraction with two decimals, without the sign; "n/a" for NaN.
[[nodiscard]] std::string per_cent_text(double fraction);
// In a sentence: "23 %", "1.3 %", "less than 0.1 %".
[[nodiscard]] std::string share_in_words(double fraction);
[[nodiscard]] std::string count_text(std::int64_t value); // 12345 as "12345"

// A safe name (support/utf8.hpp), at most `columns` wide on a terminal, with "..." in the middle when cut.
[[nodiscard]] std::string short_name(std::string_view name, std::size_t columns);
// Columns that valid UTF-8 takes on a terminal: 0 for combining marks, 2 for wide characters.
[[nodiscard]] std::size_t display_columns(std::string_view text);

// The first column and those in `left` are left-aligned, the others right-aligned; numbers stand with their points
// below each other, and columns widen to what they hold.
class TextTable {
public:
    explicit TextTable(std::vector<std::size_t> left = {}, std::string separator = "  ")
        : left_(std::move(left)), separator_(std::move(separator)) {}
    void row(std::vector<std::string> cells);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    [[nodiscard]] bool is_left(std::size_t column) const;
    static void align_points(std::size_t column, std::vector<std::vector<std::string>> &rows);

    std::vector<std::size_t> left_;
    std::string separator_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace cpl_lb
