// Splits lines into cells, finds columns by name and unit, and says file, line and column of a mistake.
#include "io/files/csv_table.hpp"

#include "data/time.hpp"
#include "io/files/file_handle.hpp"
#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>

namespace cpl_lb {
namespace {

std::string lower(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return small;
}

// "time_s" and "time_ms"; "bytes" and "GBytes"; "seconds" and "milliseconds".
bool same_quantity(std::string_view wanted, std::string_view found) {
    const std::size_t unit = wanted.rfind('_');
    if (unit != std::string_view::npos && found.substr(0, unit + 1) == wanted.substr(0, unit + 1)) return true;
    const std::string w = lower(wanted), f = lower(found);
    for (const char *prefix : {"k", "m", "g", "t", "kilo", "milli", "micro", "mega", "giga", "tera"})
        if (f == prefix + w) return true;
    return false;
}

std::string list_of(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

// With a bar at the end "4711|COMPLETED|" has two cells, else three.
std::vector<std::string> cells_between_bars(std::string_view line, bool bar_at_end) {
    if (bar_at_end && line.ends_with('|')) line.remove_suffix(1);
    std::vector<std::string> cells;
    for (;;) {
        const std::size_t bar = std::min(line.find('|'), line.size());
        cells.emplace_back(without_blanks(line.substr(0, bar)));
        if (bar == line.size()) return cells;
        line.remove_prefix(bar + 1);
    }
}

} // namespace

CsvTable::CsvTable(std::string source, std::string_view text, char separator) : source_(std::move(source)) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    bool bar_at_end = false; // as the header has it
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_blanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        std::vector<std::string> cells;
        if (columns_.empty()) bar_at_end = line.ends_with('|');
        if (separator == '|')
            cells = cells_between_bars(line, bar_at_end);
        else if (!split_csv_line(line, cells))
            throw at_line(number, "a quote is not closed, or stands inside a cell");
        if (columns_.empty()) {
            take_header(std::move(cells), number);
            continue;
        }
        if (cells.size() != columns_.size())
            throw at_line(number,
                          counted(cells.size(), "cell") + " where the header has " + std::to_string(columns_.size()));
        lines_.push_back({number, std::move(cells)});
    }
    if (lines_.empty()) throw FileError(source_, columns_.empty() ? "an empty table" : "no rows below the header");
}

CsvTable CsvTable::from_file(const std::string &path, char separator) {
    return {path, read_text_file(path), separator};
}

void CsvTable::take_header(std::vector<std::string> cells, std::size_t number) {
    header_line_ = number;
    std::set<std::string_view> names;
    for (const std::string &name : cells) {
        if (cells.size() == 1 && name.find_first_of(";\t") != std::string::npos)
            throw at_line(number, "columns are separated by commas, not by semicolons or tabs");
        if (name.empty()) throw at_line(number, "a column without a name");
        if (!names.insert(name).second) throw at_line(number, "column " + excerpt(name) + ": twice in the header");
    }
    columns_ = std::move(cells);
}

bool CsvTable::has(std::string_view column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

void CsvTable::require(const std::vector<std::string_view> &columns) const {
    for (const std::string_view column : columns)
        (void)index_of(column);
}

std::size_t CsvTable::index_of(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    const std::string name(column);
    for (const std::string &other : columns_) {
        if (same_quantity(column, other))
            throw at_line(header_line_, "column " + name + ": missing; there is " + excerpt(other) +
                                            ": give its values in the unit of " + name + ", under this name");
    }
    throw at_line(header_line_, "column " + name + ": missing; the columns are " + excerpt(list_of(columns_), 300));
}

bool CsvTable::is_empty(std::size_t row, std::string_view column) const {
    return lines_.at(row).cells[index_of(column)].empty();
}

const std::string &CsvTable::text(std::size_t row, std::string_view column) const {
    const std::string &cell = lines_.at(row).cells[index_of(column)];
    if (cell.empty()) throw wrong(row, column, "empty");
    return cell;
}

double CsvTable::number(std::size_t row, std::string_view column) const {
    const std::string &cell = text(row, column);
    double value = 0;
    const char *begin = cell.data() + (cell.front() == '+' && !cell.starts_with("+-") ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value))
        throw wrong(row, column, "not a number: " + excerpt(cell));
    if (as_figure(value) != value)
        throw wrong(row, column, "too large or too small for a measured value: " + excerpt(cell));
    return value;
}

double CsvTable::positive(std::size_t row, std::string_view column) const {
    const double value = number(row, column);
    if (!(value > 0)) throw wrong(row, column, "must be more than 0: " + excerpt(text(row, column)));
    return value;
}

double CsvTable::not_negative(std::size_t row, std::string_view column) const {
    const double value = number(row, column);
    if (!(value >= 0)) throw wrong(row, column, "must not be negative: " + excerpt(text(row, column)));
    return value;
}

double CsvTable::known_or_nan(std::size_t row, std::string_view column) const {
    if (!has(column)) return unknown;
    const std::string &cell = lines_.at(row).cells[index_of(column)];
    return cell.empty() || cell == "n/a" ? unknown : not_negative(row, column);
}

FileError CsvTable::wrong(std::size_t row, std::string_view column, const std::string &what) const {
    return at_line(lines_.at(row).number, "column " + std::string(column) + ": " + what);
}

FileError CsvTable::at_line(std::size_t line, const std::string &what) const {
    return {source_ + ":" + std::to_string(line), what};
}

} // namespace cpl_lb
