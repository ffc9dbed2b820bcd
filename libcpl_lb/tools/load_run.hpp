// A run from what it left in its folder: the timelines, analysed anew, and the json for what they cannot tell.
#pragma once

#include "data/coupled_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// What the user says of timelines that do not say it themselves.
struct TimelineHints {
    std::vector<std::string> order; // names of the components in the order of their ids; empty: not said
    double simulated_s = unknown;
};

// Rows are read in blocks, twice: memory grows with the events, not with the processes. Of timelines of several
// runs in the folder those of the newest count, and a remark says so. Throws FileError when the folder holds no
// timeline or anything in it cannot be what it should be.
[[nodiscard]] CoupledRun load_run(const std::string &directory, const TimelineHints &hints = {});

// The figures of a run from its load_balancing_info.json alone where there is one and no hint is given, else by
// load_run().
[[nodiscard]] CoupledRun load_figures(const std::string &directory, const TimelineHints &hints = {});

} // namespace cpl_lb
