// From the timers of a run to the waist of the library: a run without timelines, in which each figure says which
// timer told it.
#pragma once

#include "data/coupled_run.hpp"
#include "run/timers/timed_run.hpp"

namespace cpl_lb {

// Seconds and shares that follow from the timers; NaN for the rest. If the layout's rules are known, so is who is on
// the longest path through it.
[[nodiscard]] CoupledRun run_of_timers(const TimedRun &timed);

} // namespace cpl_lb
