// The communicator that carries the library's messages.
#pragma once

#include <mpi.h>
#include <string>
#include <vector>

namespace cpl_lb {

// Of the ranks of comm that are present, in their order, with MPI_ERRORS_RETURN. All of them call this, after the
// roll call has shown that all do. CPL_LB_OK, or an error and what to say of it.
[[nodiscard]] int make_own_communicator(MPI_Comm comm, const std::vector<int> &present, double timeout_s,
                                        MPI_Comm &own, std::string &message);

} // namespace cpl_lb
