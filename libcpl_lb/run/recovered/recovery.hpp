// Makes the results of a run that died from its spool files: those of cpl_lb_terminate, with remarks on what is lost.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "run/recovered/spool_folder.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct RecoveryOptions {
    std::string output = "."; // empty: nothing is written, as when a run is still going on
    bool compress = false;
    Progress progress{}; // counts how often a process is decoded or read again
};

struct Recovery {
    CoupledRun run;
    std::vector<std::string> files; // names, in the output folder
};

// Writes the timelines and the summaries. Throws FileError when they cannot be written.
[[nodiscard]] Recovery recover(const SpoolRun &spools, const RecoveryOptions &options);

} // namespace cpl_lb
