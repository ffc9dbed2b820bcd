// Memory, energy and counters in load_balancing_info.txt; empty texts if nothing was measured.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] std::string memory_table(const CoupledRun &run);       // MiB of one process
[[nodiscard]] std::string energy_table(const CoupledRun &run);       // J
[[nodiscard]] std::string loop_counter_table(const CoupledRun &run); // of one process, over the coupling loop
[[nodiscard]] std::string region_meter_table(const CoupledRun &run); // counters, energy and memory of regions
[[nodiscard]] std::string other_meter_table(const CoupledRun &run);  // of meters that have no table of their own
[[nodiscard]] std::string about_the_meters(const CoupledRun &run);   // what sampling cost, and what was not there

} // namespace cpl_lb
