// Finds the spool files of one run in the folders into which they were copied.
#pragma once

#include "run/recovered/spool_file.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

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

} // namespace cpl_lb
