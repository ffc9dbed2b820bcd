// Tables of the text summary that show where every core hour goes, only if MPI was recorded.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

// Empty if MPI was not recorded, as the next.
[[nodiscard]] std::string efficiency_table(const CoupledRun &run);
[[nodiscard]] std::string mpi_table(const CoupledRun &run);

} // namespace cpl_lb
