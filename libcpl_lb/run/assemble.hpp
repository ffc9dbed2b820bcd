// The one place that completes a CoupledRun. A live run, the spool files of a dead run and the timelines of a folder
// hand over what they have; what follows from it is worked out here, once for all three.
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <cstdint>

namespace cpl_lb {

struct RunParts {
    // What was recorded or read: names, components with their balance, meters, times, the clock's bound, remarks.
    // Zero and NaN in run.run are filled in where the components tell them.
    CoupledRun run;
    // The sum over the processes: the run's cores where run.run.cores is 0. 0: the components tell them.
    std::int64_t threads_of_processes = 0;
    bool all_recorded = true; // else those threads are of the recorded processes only
    // The components' expressions were not yet compared with what was measured.
    bool annotations_are_new = false;
    // Rows of the table that an earlier look at the run gave, from meters or other runs. They count where they cannot
    // be worked out here.
    Cpmip told{};
};

// Figures for which the budget does not suffice are not known, and say so.
[[nodiscard]] CoupledRun assemble(RunParts parts, const Budget &budget = {});

} // namespace cpl_lb
