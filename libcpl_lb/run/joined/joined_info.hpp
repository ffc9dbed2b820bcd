// General facts of the joined run: when it began, its clock, its simulated time, and how it was joined.
#pragma once

#include "run/joined/joined_sources.hpp"
#include "run/joined/placed_runs.hpp"

#include <string>

namespace cpl_lb {

// run, simulated_s: given by the user; empty and unknown: not given. Takes the meters of `joined`.
void enter_info(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place, const std::string &run,
                double simulated_s);

// Enters the remarks about the joining, and those of each run.
void enter_remarks(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place);

} // namespace cpl_lb
