// Calls a function before MPI frees a communicator.
#pragma once

#include <functional>
#include <mpi.h>

namespace cpl_lb {

// Calls then() when comm is freed; for MPI_COMM_SELF that is the beginning of MPI_Finalize, where messages still work
// (MPI 3.1, 8.7.1). false: MPI did not take it.
bool when_freed(MPI_Comm comm, std::function<void()> then);

} // namespace cpl_lb
