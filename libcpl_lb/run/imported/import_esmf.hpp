// Makes results from ESMF's own traces, for a NUOPC application without this library: timelines and summaries like
// those of cpl_lb_terminate.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct ImportOptions {
    std::string output = ".";
    std::string run;              // name of the run; empty: made up
    double simulated_s = unknown; // the trace does not tell
    bool compress = false;
    Progress progress{}; // counts the streams that are read
};

struct Imported {
    CoupledRun run;
    std::vector<std::string> files; // names, in the output folder
};

// Throws FileError if the folder has no readable trace, or the results cannot be written.
[[nodiscard]] Imported import_esmf(const std::string &trace_folder, const ImportOptions &options);

} // namespace cpl_lb
