// Runs whose components change what they compute, in words and as a table.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// What changes, then what that means for the figures and the advice; nothing for a run that does not change.
[[nodiscard]] std::vector<std::string> change_words(const CoupledRun &run);

// A row for each part, and for each pattern.
[[nodiscard]] std::string change_table(const CoupledRun &run);

} // namespace cpl_lb
