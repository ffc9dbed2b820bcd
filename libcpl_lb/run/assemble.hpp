// The one place that completes a CoupledRun. A live run, the spool files of a dead run and the timelines of a folder
// hand over their data. The figures that follow from them are worked out here, once for all three.
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct RunParts {
    // The recorded or read data: names, components with their balance, meters, times, the clock's bound, remarks.
    // Zero and NaN in run.run are filled in from the components if possible.
    CoupledRun run;
    // The sum over the processes: the run's cores if run.run.cores is 0. 0: the cores come from the components.
    std::int64_t threads_of_processes = 0;
    bool all_recorded = true; // false: those threads are only of the recorded processes
    // The components' expressions were not yet compared with the measurements.
    bool annotations_are_new = false;
    // Rows of the table from an earlier analysis of the run, with meters or other runs. They count if they cannot
    // be worked out here.
    Cpmip told{};
    // computing_change() of each component, from callers that have threads; empty: worked out here.
    std::vector<ComputingChange> changes{};
};

// Figures for which the budget does not suffice are unknown, with a remark.
[[nodiscard]] CoupledRun assemble(RunParts parts, const Budget &budget = {});

} // namespace cpl_lb
