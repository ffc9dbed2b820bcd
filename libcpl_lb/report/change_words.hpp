// Runs whose components change what they compute, in words and as a table.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Sentences on changes for good, which come first. None for a run that does not change.
[[nodiscard]] std::vector<std::string> changes_for_good(const CoupledRun &run);
// Sentences on changes by a pattern only, then on the meaning of all changes for the figures and the advice.
[[nodiscard]] std::vector<std::string> advice_for_changes(const CoupledRun &run);
// Both.
[[nodiscard]] std::vector<std::string> change_words(const CoupledRun &run);

// A row for each part, and for each pattern.
[[nodiscard]] std::string change_table(const CoupledRun &run);

} // namespace cpl_lb
