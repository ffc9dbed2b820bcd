// Makes the results of a run that died from its spool files: those of cpl_lb_terminate, with remarks on lost data.
#pragma once

#include "data/coupled_run.hpp"
#include "data/progress.hpp"
#include "run/recovered/spool_file.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Finds the spool files of one run in the folders into which they were copied.
struct SpoolRun {
    std::string token;
    std::string id; // name of the run
    std::string started;
    std::vector<SpoolFile> files;     // by rank, one for each
    std::vector<std::string> remarks; // files that could not be used, other runs
};

// places: folders (their files *.spool) and files. wanted: token or name of the run; empty: the newest. Throws
// FileError if there is nothing to recover.
[[nodiscard]] SpoolRun find_spools(const std::vector<std::string> &places, const std::string &wanted);

struct RecoveryOptions {
    std::string output = "."; // empty: nothing is written, for example while the run goes on
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
