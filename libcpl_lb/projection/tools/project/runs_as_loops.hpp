// Runs of a model as the measured loops that project --fit reads from tables: one loop for each region, and for each
// component's coupling loop.
#pragma once

#include "projection/models/model_tables.hpp"
#include "projection/tools/project/project_output.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct LoopsOfRuns {
    std::vector<MeasuredLoop> loops;
    std::vector<std::string> remarks; // in words: threads and clock of each run
};

// `sources`: folders of runs or their json files, on `machine`. `clock_Hz` is that of runs whose counters do not tell
// it (PAPI_TOT_CYC). Where the machine's file has several clocks, the one within 5 % of the counted one is meant.
// Regions without time are left out. Throws FileError.
[[nodiscard]] LoopsOfRuns loops_of_runs(const std::vector<std::string> &sources, const Machine &machine,
                                        const CoresAtWork &said, double clock_Hz);

// What the runs can tell: all coefficients, or U alone, or none, and why.
[[nodiscard]] FittedLoop fit_what_is_known(const MeasuredLoop &loop, const Machine &machine);

} // namespace cpl_lb
