// Joins the results of several mpiruns that were one coupled system (docs/several_runs.md) to results of one run:
// timelines on one axis of time, and summaries.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct JoinOptions {
    std::string output = ".";
    std::string run;              // name of the run; empty: made up
    double simulated_s = unknown; // instead of what the runs say
    bool any_job = false;         // also runs that name no CPL_LB_JOB, or different ones
    bool prefix = false;          // components of the same name get their folder's name
    bool compress = false;
    ProgressOf progress_of{};
};

struct JoinedRuns {
    CoupledRun run;
    std::vector<std::string> files;     // names, in the output folder
    std::vector<std::string> timelines; // their paths
};

// Throws FileError if a folder cannot be read, or the runs are not parts of one system: runs of different jobs, at
// different times, the same run twice, or components of the same name.
[[nodiscard]] JoinedRuns join_runs(const std::vector<std::string> &folders, const JoinOptions &options);

} // namespace cpl_lb
