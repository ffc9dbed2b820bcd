// Clears away messages that came and that nobody reads.
#pragma once

#include <functional>
#include <mpi.h>

namespace cpl_lb {

// Receives all messages with this tag, or MPI_ANY_TAG, and discards them. Throws std::bad_alloc.
void receive_unread(
    MPI_Comm comm, int tag, const std::function<void(int source, int tag)> &came = [](int, int) {});

} // namespace cpl_lb
