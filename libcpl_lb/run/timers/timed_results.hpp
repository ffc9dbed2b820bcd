// From the timers of a run to the waist of the library: a run without timelines, in which each figure says which
// timer told it.
#pragma once

#include "data/coupled_run.hpp"
#include "run/timers/timed_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Files of one run (TimedRun::of) become one: what the first does not tell comes from the others. The order stays.
[[nodiscard]] std::vector<TimedRun> joined_runs(std::vector<TimedRun> runs);

// Seconds and shares that follow from the timers; NaN for the rest. If the layout's rules are known, so is who is on
// the longest path through it.
[[nodiscard]] CoupledRun run_of_timers(const TimedRun &timed);

} // namespace cpl_lb
