// Numbers and names as text: numbers keep their digits from nanoseconds to months, names cannot break a line.
#pragma once

#include "support/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cpl_lb {

// At least three significant digits and at least three decimals; "n/a" for NaN.
[[nodiscard]] std::string number_text(double value);
// The same for a column that scripts read: all numbers have the decimals of the one that needs most.
[[nodiscard]] std::vector<std::string> number_texts(const std::vector<double> &values);
// A fraction as per cent with two decimals, without the sign; "n/a" for NaN.
[[nodiscard]] std::string per_cent_text(double fraction);
// In a sentence: "23 %", "1.3 %", "less than 0.1 %".
[[nodiscard]] std::string share_in_words(double fraction);
[[nodiscard]] std::string count_text(std::int64_t value); // 12345 as "12345"
inline constexpr double mebibyte = 1024.0 * 1024.0;

// A safe name (support/utf8.hpp), at most `columns` wide on a terminal, with "..." in the middle when cut.
[[nodiscard]] std::string short_name(std::string_view name, std::size_t columns);
// Columns that valid UTF-8 takes on a terminal: 0 for combining marks, 2 for wide characters.
[[nodiscard]] std::size_t display_columns(std::string_view text);

// Lines of at most `columns`, broken at spaces; a longer word has its own line.
[[nodiscard]] std::string wrapped(std::string_view sentence, std::size_t columns, std::string_view indent = "");

// The content of a table's cell: words; a number, with the decimals of its column; or a time, in the unit of its
// table. NaN is "n/a". A number that is not 0 but rounds to it is "<0.001".
struct Decimal {
    double value = std::numeric_limits<double>::quiet_NaN();
};
struct InSeconds {
    double value = std::numeric_limits<double>::quiet_NaN();
    const char *before = "";                                               // words in the same cell
    double least = std::numeric_limits<double>::quiet_NaN(), most = least; // in the cell if they are known
};
using Cell = std::variant<std::string, Decimal, InSeconds>;
using RowOfCells = std::vector<Cell>;

// The first column and those in `left` are left-aligned, the others right-aligned. Numbers have their points below
// each other, and columns are as wide as their content. All times have one unit, which replaces "{s}" in the first
// row.
class TextTable {
public:
    static constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();
    explicit TextTable(std::vector<std::size_t> left = {}, std::string separator = "  ")
        : left_(std::move(left)), separator_(std::move(separator)) {}
    void row(RowOfCells cells) { rows_.push_back(std::move(cells)); }
    void row_of_words(const std::vector<std::string> &words) { rows_.emplace_back(words.begin(), words.end()); }
    // A table wider than `columns` is divided into parts below each other; each begins with the names of the rows.
    [[nodiscard]] std::string text(std::size_t columns = any_width) const;
    [[nodiscard]] std::vector<std::string> lines(std::size_t columns = any_width) const;
    [[nodiscard]] std::vector<std::vector<std::string>> cells() const; // as they are printed
    // "s", "ms" or "us": the unit in which the longest time is at least 1, if there is one.
    [[nodiscard]] std::string unit() const;
    // Whether there is no row below the titles, which are the first row.
    [[nodiscard]] bool empty() const { return rows_.size() < 2; }
    // Leaves out columns that have only n/a or empty cells below their title, except the first. For runs from timers,
    // which have few figures.
    void keep_told();

private:
    [[nodiscard]] bool is_left(std::size_t column) const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> parts(const std::vector<std::size_t> &widths,
                                                              std::size_t columns) const;

    std::vector<std::size_t> left_;
    std::string separator_;
    std::vector<RowOfCells> rows_;
};

// A table whose first row are these titles.
[[nodiscard]] TextTable titled(RowOfCells titles, std::vector<std::size_t> left = {});

// The value with this key in a short list, in which it is put if it is not there.
template <class Value>
[[nodiscard]] Value &value_of(std::vector<std::pair<std::string, Value>> &list, const std::string &key) {
    const auto same = std::ranges::find(list, key, &std::pair<std::string, Value>::first);
    return same != list.end() ? same->second : list.emplace_back(key, Value()).second;
}

} // namespace cpl_lb
