// Messages that were given up while MPI still reads or writes their memory, or that nobody reads; and the moment
// before MPI ends, in which they can be cleared away.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mpi.h>

namespace cpl_lb {

// Completes all messages of comm (only the library uses it) in MPI_Finalize: with UCX a message that is still under
// way there ends the program (MPICH 4.2). Each process receives whatever was sent to it.
void finish_messages_at_the_end(MPI_Comm comm);

// The tag of an empty message after which its sender sends nothing more.
inline constexpr int last_word_tag = 30;

// Hands the request and its memory over to MPI or to a list; the memory is never freed. source: that of a receive;
// any_rank for a message that is sure to be under way.
void leave_message(MPI_Request request, int source,
                   std::unique_ptr<std::byte[]> memory) noexcept; // NOLINT(*-avoid-c-arrays)

// Receives all messages with this tag, or MPI_ANY_TAG, that came, and discards them. Throws std::bad_alloc.
void receive_unread(
    MPI_Comm comm, int tag, const std::function<void(int source, int tag)> &came = [](int, int) {});

// Calls then() when comm is freed; for MPI_COMM_SELF that is the beginning of MPI_Finalize, where messages still work
// (MPI 3.1, 8.7.1). false: MPI did not take it.
bool when_freed(MPI_Comm comm, std::function<void()> then);

} // namespace cpl_lb
