// Tables of what the author says about the work of regions, beside what was measured. Empty without annotations.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] std::string annotation_table(const CoupledRun &run);
[[nodiscard]] std::string control_flow_table(const CoupledRun &run);
[[nodiscard]] std::string parameter_line(const Component &component); // "nx = 100, ny = 50 to 60"

// A large number in the few characters of a table: "1.234e+09"; n/a for NaN.
[[nodiscard]] std::string amount_text(double value);

} // namespace cpl_lb
