// A run from what it left in its folder: the timelines, analysed anew, and the json for what they cannot tell.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

// Rows are read in blocks, twice: memory grows with the events, not with the processes. Of timelines of several
// runs in the folder those of the newest count, and a remark says so. Throws FileError when the folder holds no
// timeline or anything in it cannot be what it should be.
[[nodiscard]] CoupledRun load_run(const std::string &directory);

// The figures of a run from its load_balancing_info.json alone where there is one, else by load_run().
[[nodiscard]] CoupledRun load_figures(const std::string &directory);

} // namespace cpl_lb
