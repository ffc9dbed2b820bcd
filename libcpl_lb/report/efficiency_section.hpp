// Where every core hour goes, as tables of the text summary: only where MPI was recorded.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

// Empty if MPI was not recorded, as the next.
[[nodiscard]] std::string efficiency_table(const CoupledRun &run);
[[nodiscard]] std::string mpi_table(const CoupledRun &run);

} // namespace cpl_lb
