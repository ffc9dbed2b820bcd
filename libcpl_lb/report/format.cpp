// Prints numbers, times and names, and wraps lines of text.
#include "report/format.hpp"

#include "data/time.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

namespace {

// Three as the paper prints, or more if they would show fewer than three digits.
int decimals_for(double value) {
    const double size = std::abs(value);
    return !std::isfinite(value) || size == 0 || size >= 0.1 ? 3 : size >= 1e-4 ? 6 : 9;
}

std::string text_with(double value, int decimals) {
    if (!std::isfinite(value)) return "n/a";
    const double size = std::abs(value);
    if (size == 0) return fmt::format("{:.{}f}", 0.0, decimals);
    if (size < 1e-7 || size >= 1e15) return fmt::format("{:.3e}", value);
    return fmt::format("{:.{}f}", value, decimals);
}

// The longest beginning of the text that is at most `columns` wide.
std::string_view beginning(std::string_view text, std::size_t columns) {
    std::size_t bytes = 0;
    for (std::size_t used = 0; bytes < text.size();) {
        const Codepoint next = next_codepoint(text.substr(bytes));
        used += columns_of(next.value);
        if (used > columns) break;
        bytes += next.bytes;
    }
    return text.substr(0, bytes);
}

std::string_view ending(std::string_view text, std::size_t columns) {
    for (std::size_t wide = display_columns(text); wide > columns;) {
        const Codepoint next = next_codepoint(text);
        wide -= columns_of(next.value);
        text.remove_prefix(next.bytes);
    }
    return text;
}

constexpr int time_decimals = 3;

double unit_in_s(const std::string &unit) {
    return unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1;
}

std::string fixed_text(double value, int decimals) {
    if (!std::isfinite(value)) return "n/a";
    if (std::abs(value) >= 1e15) return fmt::format("{:.3e}", value);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (value == 0 || text.find_first_of("123456789") != std::string::npos) return text;
    text.back() = '1';
    return (value < 0 ? ">" : "<") + text;
}

// For each column the decimals that its largest number needs for three digits, and at least three as in the paper.
std::vector<int> decimals_of(const std::vector<RowOfCells> &rows) {
    std::vector<int> decimals;
    for (const RowOfCells &row : rows)
        decimals.resize(std::max(decimals.size(), row.size()));
    for (std::size_t column = 0; column < decimals.size(); ++column) {
        double largest = 0;
        for (const RowOfCells &row : rows) {
            const Decimal *number = column < row.size() ? std::get_if<Decimal>(&row[column]) : nullptr;
            if (number != nullptr && std::isfinite(number->value))
                largest = std::max(largest, std::abs(number->value));
        }
        decimals[column] = decimals_for(largest);
    }
    return decimals;
}

bool looks_numeric(const std::string &cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789.-<>") == std::string::npos;
}

std::size_t digits_after_point(const std::string &cell) {
    const std::size_t point = cell.find('.');
    return point == std::string::npos ? 0 : cell.size() - point;
}

void align_points(std::size_t column, std::vector<std::vector<std::string>> &rows) {
    std::size_t most = 0;
    for (const auto &cells : rows)
        if (column < cells.size() && looks_numeric(cells[column]))
            most = std::max(most, digits_after_point(cells[column]));
    for (auto &cells : rows)
        if (column < cells.size() && looks_numeric(cells[column]))
            cells[column].append(most - digits_after_point(cells[column]), ' ');
}

bool tells(const Cell &cell) {
    if (const auto *time = std::get_if<InSeconds>(&cell)) return is_known(time->value);
    if (const auto *number = std::get_if<Decimal>(&cell)) return is_known(number->value);
    const auto &words = std::get<std::string>(cell);
    return !words.empty() && words != "n/a";
}

} // namespace

std::string number_text(double value) {
    return text_with(value, decimals_for(value));
}

std::vector<std::string> number_texts(const std::vector<double> &values) {
    int decimals = 0;
    for (const double value : values)
        decimals = std::max(decimals, decimals_for(value));
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const double value : values)
        texts.push_back(text_with(value, decimals));
    return texts;
}

std::string per_cent_text(double fraction) {
    return std::isfinite(fraction) ? decimal_text(100.0 * fraction, 2) : "n/a";
}

std::string share_in_words(double fraction) {
    const double per_cent = 100.0 * fraction;
    if (!std::isfinite(per_cent)) return "an unknown share";
    if (per_cent < 0.05) return "less than 0.1 %";
    return per_cent < 9.95 ? fmt::format("{} %", decimal_text(per_cent, 1))
                           : fmt::format("{} %", decimal_text(per_cent, 0));
}

std::string count_text(std::int64_t value) {
    return std::to_string(value);
}

std::size_t display_columns(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        columns += next.valid ? columns_of(next.value) : 1;
        text.remove_prefix(next.bytes);
    }
    return columns;
}

std::string short_name(std::string_view name, std::size_t columns) {
    std::string safe = safe_name(name);
    if (display_columns(safe) <= columns) return safe;
    const std::size_t kept = columns > 3 ? columns - 3 : 0;
    return std::string(beginning(safe, kept - kept / 3)) + "..." + std::string(ending(safe, kept / 3));
}

std::string wrapped(std::string_view sentence, std::size_t columns, std::string_view indent) {
    std::string text;
    std::string line(indent);
    bool empty = true;
    while (!sentence.empty()) {
        const std::string_view word = sentence.substr(0, sentence.find(' '));
        sentence.remove_prefix(std::min(sentence.size(), word.size() + 1));
        if (!empty && display_columns(line) + 1 + display_columns(word) > columns) {
            text += line + "\n";
            line = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + std::string(word);
        empty = false;
    }
    return text + line + "\n";
}

TextTable titled(RowOfCells titles, std::vector<std::size_t> left) {
    TextTable table(std::move(left));
    table.row(std::move(titles));
    return table;
}

std::string TextTable::unit() const {
    double longest = 0;
    for (const RowOfCells &row : rows_) {
        for (const Cell &cell : row) {
            const InSeconds *time = std::get_if<InSeconds>(&cell);
            if (time != nullptr && std::isfinite(time->value)) longest = std::max(longest, std::abs(time->value));
        }
    }
    return longest == 0 || longest >= 1 ? "s" : longest >= 1e-3 ? "ms" : "us";
}

std::vector<std::vector<std::string>> TextTable::cells() const {
    const std::string in_unit = unit();
    const auto seconds = [&](double value) { return fixed_text(value / unit_in_s(in_unit), time_decimals); };
    const std::vector<int> decimals = decimals_of(rows_);
    std::vector<std::vector<std::string>> all;
    all.reserve(rows_.size());
    for (const RowOfCells &row : rows_) {
        std::vector<std::string> &cells = all.emplace_back();
        cells.reserve(row.size());
        for (const Cell &cell : row) {
            if (const auto *time = std::get_if<InSeconds>(&cell)) {
                const std::string range = " (" + seconds(time->least) + " to " + seconds(time->most) + ")";
                cells.push_back(time->before + seconds(time->value) + (is_known(time->least) ? range : ""));
            } else if (const auto *number = std::get_if<Decimal>(&cell)) {
                cells.push_back(fixed_text(number->value, decimals[cells.size()]));
            } else {
                std::string words = std::get<std::string>(cell);
                const std::size_t at = &row == &rows_.front() ? words.find("{s}") : std::string::npos;
                if (at != std::string::npos) words.replace(at, 3, in_unit);
                cells.push_back(std::move(words));
            }
        }
    }
    return all;
}

std::vector<std::string> TextTable::lines(std::size_t columns) const {
    std::vector<std::vector<std::string>> rows = cells();
    std::vector<std::size_t> widths;
    for (const auto &cells : rows)
        widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (!is_left(i)) align_points(i, rows);
        for (const auto &cells : rows)
            if (i < cells.size()) widths[i] = std::max(widths[i], display_columns(cells[i]));
    }
    std::vector<std::string> lines;
    for (const std::vector<std::size_t> &part : parts(widths, columns)) {
        if (!lines.empty()) lines.emplace_back();
        for (const auto &cells : rows) {
            std::string line;
            for (const std::size_t i : part) {
                if (i >= cells.size()) continue;
                const std::string gap(widths[i] - display_columns(cells[i]), ' ');
                if (i > 0) line += separator_;
                line += is_left(i) ? cells[i] + gap : gap + cells[i];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::vector<std::vector<std::size_t>> TextTable::parts(const std::vector<std::size_t> &widths,
                                                       std::size_t columns) const {
    std::vector<std::size_t> names;
    std::size_t width_of_names = 0;
    for (std::size_t i = 0; i < widths.size() && (i == 0 || is_left(i)); ++i) {
        names.push_back(i);
        width_of_names += widths[i] + (i > 0 ? separator_.size() : 0);
    }
    std::vector<std::vector<std::size_t>> parts = {names};
    std::size_t width = width_of_names;
    for (std::size_t i = names.size(); i < widths.size(); ++i) {
        const std::size_t more = separator_.size() + widths[i];
        if (width + more > columns && parts.back().size() > names.size()) {
            parts.push_back(names);
            width = width_of_names;
        }
        parts.back().push_back(i);
        width += more;
    }
    return parts;
}

bool TextTable::is_left(std::size_t column) const {
    return column == 0 || std::ranges::find(left_, column) != left_.end();
}

void TextTable::keep_told() {
    for (std::size_t column = rows_.front().size(); column-- > 1;) {
        if (std::any_of(rows_.begin() + 1, rows_.end(), [&](const RowOfCells &row) { return tells(row[column]); }))
            continue;
        for (RowOfCells &row : rows_)
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
}

std::string TextTable::text(std::size_t columns) const {
    std::string text;
    for (const std::string &line : lines(columns))
        text += line + "\n";
    return text;
}

} // namespace cpl_lb
