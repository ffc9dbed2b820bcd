// Parameters that the work of loops is written in (ESCAPE D3.5, tables 22 to 24: NSMAX, PTS, ITER, ...), and cells of
// tables that are expressions in them, as those of cpl_lb_assert_expression are.
#pragma once

#include "data/time.hpp"
#include "io/files/csv_table.hpp"

#include <map>
#include <string>
#include <string_view>

namespace cpl_lb {

class WorkParameters {
public:
    // The row `name` of a table with the column `case` and one for each parameter. Throws FileError.
    [[nodiscard]] static WorkParameters of_case(const std::string &path, const std::string &name);
    // "NSMAX=639"; throws std::invalid_argument in words.
    void set(std::string_view setting);
    // NaN: has no value.
    [[nodiscard]] double value(const std::string &name) const;
    [[nodiscard]] const std::map<std::string, double> &all() const { return values_; }

private:
    std::map<std::string, double> values_;
};

// A number or an expression; NaN if the cell is empty, n/a, or the table has no such column. Throws FileError for
// what cannot be read, for a parameter without a value, and for a result that is negative or not finite.
[[nodiscard]] double work_in(const CsvTable &table, std::size_t row, std::string_view column,
                             const WorkParameters &parameters);

} // namespace cpl_lb
