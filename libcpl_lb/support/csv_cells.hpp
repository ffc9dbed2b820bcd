// Cells of comma-separated lines (RFC 4180), both ways.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Text as a cell that no terminal obeys, in quotes if it needs them. A spreadsheet runs text that begins with
// '=', '+', '-' or '@' as a formula, so an apostrophe goes before it, which spreadsheets hide. "-3.5" is a number and
// stays.
[[nodiscard]] std::string csv_cell(std::string_view text);
// The same, always in quotes, for tables that scripts have read in this form since 0.2.0.
[[nodiscard]] std::string quoted_csv_cell(std::string_view text);

// Splits a line into its cells, and takes these apostrophes off again; false if a quote is not closed, or stands
// inside a cell.
[[nodiscard]] bool split_csv_line(std::string_view line, std::vector<std::string> &cells);

[[nodiscard]] std::string_view without_blanks(std::string_view text); // at both ends

} // namespace cpl_lb
