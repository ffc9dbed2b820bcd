// What in the timers of a run cannot be true.
#pragma once

#include "run/timers/timed_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Sentences: means outside of least and most, phases longer than the run, components that do more than fits into
// their loop. At most a few of each kind.
[[nodiscard]] std::vector<std::string> doubts_about(const TimedRun &run);

} // namespace cpl_lb
