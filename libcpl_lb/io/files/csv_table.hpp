// A measured table as a text file: one line of column names, then one line for each row, cells separated by commas.
// Blank lines and lines that start with # are left out; a cell may stand in double quotes ("" is a quote inside).
// Columns are found by their names, in any order; others may stand beside them. A name ends with its unit
// (time_s, frequency_GHz), so that a table in another unit is told from one that lacks the column.
#pragma once

#include "io/files/file_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// All errors are FileError and read "file:line: column NAME: what"; the line is the file's own, from 1.
class CsvTable {
public:
    // `source` is what errors call the text. Throws when there are no rows, names repeat, or a row has too few cells
    // or too many.
    // `separator` '|' is the form of batch systems (sacct --parsable2): a quote is a letter as any other, and where
    // the header ends with one (--parsable), those at the ends of lines are no cells.
    CsvTable(std::string source, std::string_view text, char separator = ',');
    [[nodiscard]] static CsvTable from_file(const std::string &path, char separator = ',');

    [[nodiscard]] std::size_t rows() const { return lines_.size(); }
    [[nodiscard]] const std::string &source() const { return source_; }
    [[nodiscard]] const std::vector<std::string> &columns() const { return columns_; }
    [[nodiscard]] bool has(std::string_view column) const;
    // Throws at once, before any row is read, for the first name that is missing; names the column that has the same
    // quantity in another unit where there is one.
    void require(const std::vector<std::string_view> &columns) const;

    [[nodiscard]] std::size_t line(std::size_t row) const { return lines_.at(row).number; } // of the file
    [[nodiscard]] bool is_empty(std::size_t row, std::string_view column) const;
    [[nodiscard]] const std::string &text(std::size_t row, std::string_view column) const; // not empty
    [[nodiscard]] double number(std::size_t row, std::string_view column) const;           // finite
    [[nodiscard]] double positive(std::size_t row, std::string_view column) const;         // > 0
    [[nodiscard]] double not_negative(std::size_t row, std::string_view column) const;     // >= 0
    // NaN if the cell is empty or n/a, or the table has no such column; else a finite number >= 0.
    [[nodiscard]] double known_or_nan(std::size_t row, std::string_view column) const;

    // For what only the caller can see, as "speed of light exceeded".
    [[nodiscard]] FileError wrong(std::size_t row, std::string_view column, const std::string &what) const;

private:
    struct Line {
        std::size_t number = 0; // in the file
        std::vector<std::string> cells;
    };
    [[nodiscard]] std::size_t index_of(std::string_view column) const;
    [[nodiscard]] FileError at_line(std::size_t line, const std::string &what) const;
    void take_header(std::vector<std::string> cells, std::size_t number);

    std::string source_;
    std::size_t header_line_ = 0;
    std::vector<std::string> columns_;
    std::vector<Line> lines_;
};

} // namespace cpl_lb
