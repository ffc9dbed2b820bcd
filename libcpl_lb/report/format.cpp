// Prints numbers, times and names, and wraps lines of text.
#include "report/format.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

std::string number_text(double value) {
    if (!std::isfinite(value)) return "n/a";
    const double size = std::abs(value);
    if (size == 0) return "0.000";
    if (size < 1e-7 || size >= 1e15) return fmt::format("{:.3e}", value);
    // Three decimals as the paper prints, more where they would show fewer than three digits.
    const int decimals = size >= 0.1 ? 3 : size >= 1e-4 ? 6 : 9;
    return fmt::format("{:.{}f}", value, decimals);
}

std::string per_cent_text(double fraction) {
    return std::isfinite(fraction) ? fmt::format("{:.2f}", 100.0 * fraction) : "n/a";
}

std::string share_in_words(double fraction) {
    const double per_cent = 100.0 * fraction;
    if (!std::isfinite(per_cent)) return "an unknown share";
    if (per_cent < 0.05) return "less than 0.1 %";
    return per_cent < 9.95 ? fmt::format("{:.1f} %", per_cent) : fmt::format("{:.0f} %", per_cent);
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

namespace {

// The longest beginning that is at most `columns` wide.
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

} // namespace

std::string short_name(std::string_view name, std::size_t columns) {
    std::string safe = safe_name(name);
    if (display_columns(safe) <= columns) return safe;
    const std::size_t kept = columns > 3 ? columns - 3 : 0;
    return std::string(beginning(safe, kept - kept / 3)) + "..." + std::string(ending(safe, kept / 3));
}

void TextTable::row(std::vector<std::string> cells) {
    rows_.push_back(std::move(cells));
}

namespace {

bool looks_numeric(const std::string &cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789.-") == std::string::npos;
}

std::size_t digits_after_point(const std::string &cell) {
    const std::size_t point = cell.find('.');
    return point == std::string::npos ? 0 : cell.size() - point;
}

} // namespace

void TextTable::align_points(std::size_t column, std::vector<std::vector<std::string>> &rows) {
    std::size_t most = 0;
    for (const auto &cells : rows)
        if (column < cells.size() && looks_numeric(cells[column]))
            most = std::max(most, digits_after_point(cells[column]));
    for (auto &cells : rows)
        if (column < cells.size() && looks_numeric(cells[column]))
            cells[column].append(most - digits_after_point(cells[column]), ' ');
}

std::vector<std::string> TextTable::lines() const {
    std::vector<std::vector<std::string>> rows = rows_;
    std::vector<std::size_t> widths;
    for (const auto &cells : rows)
        widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (!is_left(i)) align_points(i, rows);
        for (const auto &cells : rows)
            if (i < cells.size()) widths[i] = std::max(widths[i], display_columns(cells[i]));
    }
    std::vector<std::string> lines;
    for (const auto &cells : rows) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string gap(widths[i] - display_columns(cells[i]), ' ');
            if (i > 0) line += separator_;
            line += is_left(i) ? cells[i] + gap : gap + cells[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

bool TextTable::is_left(std::size_t column) const {
    return column == 0 || std::find(left_.begin(), left_.end(), column) != left_.end();
}

std::string TextTable::text() const {
    std::string text;
    for (const std::string &line : lines())
        text += line + "\n";
    return text;
}

} // namespace cpl_lb
