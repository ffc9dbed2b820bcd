// Folders of runs that a command takes together: each counts once.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Throws FileError if two name the same folder: a run that counts twice makes answers look more certain than they
// are.
void refuse_folders_twice(const std::vector<std::string> &folders);

// Also for copies: two runs of one name that began and ended at the same time are one. Jobs of a chain may bear one
// name (cn_run), but do not start together. `runs`: what the folders hold, in their order.
void refuse_runs_twice(const std::vector<CoupledRun> &runs, const std::vector<std::string> &folders);

} // namespace cpl_lb
