// The communicator that carries the library's messages.
#pragma once

#include "mpi/rank_set.hpp"

#include <mpi.h>
#include <string>

namespace cpl_lb {

// Of the ranks of comm that are present, in their order, with MPI_ERRORS_RETURN. All of them have promised to call
// this, and it waits for them without a limit: who gave up would leave a collective operation behind that breaks the
// model's next one, which would wait for a suspended process, too. CPL_LB_OK, or an error and what to say of it.
[[nodiscard]] int make_own_communicator(MPI_Comm comm, const RankSet &present, MPI_Comm &own, std::string &message);

} // namespace cpl_lb
