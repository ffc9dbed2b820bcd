// Runs of a model as what cpl-lb energy reads from tables: power over numbers of threads, and energy over work.
#pragma once

#include "projection/tools/energy/energy_output.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One row for each run: its cores at work on a node, its time from the first init to the last terminate, and the mean
// energy of a node's packages and DRAM in it. Throws FileError, with the meters' reason where a run has no energy.
[[nodiscard]] EnergyTable energy_table_of_runs(const std::vector<std::string> &sources, const CoresAtWork &said);

// One row for each region of each source that knows its operations, bytes and energy (of a node); a source may be a
// table, too. Bytes are those that the program asks for, or DRAM's where more regions know these. Throws FileError.
[[nodiscard]] EnergyByWork energy_by_work(const std::vector<std::string> &sources, const CoresAtWork &said);

} // namespace cpl_lb
