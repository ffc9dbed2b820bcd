// The roll call of cpl_lb_init over a communicator of MPI.
#pragma once

#include "mpi/shared_settings.hpp"

#include <mpi.h>

namespace cpl_lb {

[[nodiscard]] SharedSettings call_roll(MPI_Comm comm, const Join &join);

} // namespace cpl_lb
