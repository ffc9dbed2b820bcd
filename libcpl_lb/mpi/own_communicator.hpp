// The communicator that carries the library's messages.
#pragma once

#include "mpi/rank_set.hpp"

#include <mpi.h>
#include <string>

namespace cpl_lb {

// Makes `own` from the present ranks of comm, in their order, with MPI_ERRORS_RETURN. All of them have promised to
// call this. It waits for them without a limit: a collective operation that is given up breaks the model's next one,
// and that would wait for a suspended process, too. Returns CPL_LB_OK, or an error and its message.
[[nodiscard]] int make_own_communicator(MPI_Comm comm, const RankSet &present, MPI_Comm &own, std::string &message);

} // namespace cpl_lb
