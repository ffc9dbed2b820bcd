// The critical path of a run for its page: which components decide how long the coupling loop takes.
#pragma once

#include "data/coupled_run.hpp"
#include "page/page.hpp"

namespace cpl_lb {

// run: with the tables of its components. Components that exchange nothing with any other are left out; where there
// is no path, why_not says so.
[[nodiscard]] PageCriticalPath critical_path_of(const CoupledRun &run);

} // namespace cpl_lb
