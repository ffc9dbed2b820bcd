// Quotes, blanks, and the apostrophe before what a spreadsheet would run.
#include "support/csv_cells.hpp"

#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace cpl_lb {
namespace {

bool is_number(std::string_view text) {
    double value = 0;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

// Apostrophes count: a name that begins with one of its own comes back as it was.
bool is_formula(std::string_view text) {
    const std::size_t first = text.find_first_not_of('\'');
    return first != std::string_view::npos && std::string_view("=+-@").find(text[first]) != std::string_view::npos &&
           !is_number(text);
}

// Takes one quoted cell off the front of the line; false when its end is missing.
bool take_quoted(std::string_view &line, std::string &cell) {
    for (std::size_t at = 1; at < line.size(); ++at) {
        if (line[at] != '"') {
            cell += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
            cell += line[at++];
        } else {
            line.remove_prefix(at + 1);
            return true;
        }
    }
    return false;
}

// Without control characters, and without those that turn the text after them around. Other programs' line ends
// (U+2028, U+2029) do nothing to a terminal or a spreadsheet and stay: a name is read back as it was.
std::string on_one_line(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        const std::string_view bytes = text.substr(0, next.bytes);
        const bool is_line_end = next.valid && (next.value == 0x2028 || next.value == 0x2029);
        line += is_line_end ? std::string(bytes) : next.value == '\n' ? "\\n" : safe_text(bytes);
        text.remove_prefix(next.bytes);
    }
    return line;
}

} // namespace

std::string_view without_blanks(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string quoted_csv_cell(std::string_view text) {
    std::string cell = on_one_line(text);
    if (is_formula(cell)) cell.insert(0, 1, '\'');
    std::string quoted = "\"";
    for (const char c : cell)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string csv_cell(std::string_view text) {
    std::string quoted = quoted_csv_cell(text);
    const std::string_view cell = std::string_view(quoted).substr(1, quoted.size() - 2);
    const bool plain = cell.find_first_of(",\"") == std::string_view::npos &&
                       without_blanks(cell).size() == cell.size() &&
                       !cell.starts_with('#'); // a comment for our readers
    return plain ? std::string(cell) : quoted;
}

bool split_csv_line(std::string_view line, std::vector<std::string> &cells) {
    for (;;) {
        line = without_blanks(line);
        std::string cell;
        if (line.starts_with('"')) {
            if (!take_quoted(line, cell)) return false;
            line = without_blanks(line);
            if (!line.empty() && line.front() != ',') return false;
        } else {
            const std::size_t comma = std::min(line.find(','), line.size());
            cell = without_blanks(line.substr(0, comma));
            line.remove_prefix(comma);
        }
        if (cell.starts_with('\'') && is_formula(cell)) cell.erase(0, 1);
        cells.push_back(std::move(cell));
        if (line.empty()) return true;
        line.remove_prefix(1);
    }
}

} // namespace cpl_lb
