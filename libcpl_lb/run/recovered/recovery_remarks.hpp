// The remarks of a recovered run on missing data.
#pragma once

#include "run/recovered/recovered_process.hpp"
#include "run/recovered/spool_folder.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Facts on a process that stay when its events are no longer in memory.
struct ProcessFacts {
    Nanoseconds first_init = 0;
    Nanoseconds last_mark = 0;
    Nanoseconds clock_bound = 0;
    DecodeProblems problems;
    bool clock_known = true;
    std::vector<ComponentPart> parts; // by local index; without entries where it has no part
};

[[nodiscard]] std::vector<std::string> recovery_remarks(const SpoolRun &run, const std::vector<ProcessFacts> &facts);

} // namespace cpl_lb
