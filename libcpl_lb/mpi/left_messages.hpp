// Messages that were given up while MPI still reads or writes their memory, or that nobody reads; and the moment
// before MPI ends at which they can be completed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mpi.h>

namespace cpl_lb {

// Completes all messages of comm, which only the library uses, in MPI_Finalize. With UCX a message that is still
// under way there ends the program (MPICH 4.2). Each process receives whatever was sent to it.
void finish_messages_at_the_end(MPI_Comm comm);

// The tag of an empty message after which its sender sends nothing more.
inline constexpr int last_word_tag = 30;

// Hands the request over to MPI or to a list, with its memory, which is never freed. source: that of a receive;
// any_rank for a message that is sure to arrive.
void leave_message(MPI_Request request, int source,
                   std::unique_ptr<std::byte[]> memory) noexcept; // NOLINT(*-avoid-c-arrays)

// Receives and discards all messages that came with this tag, or MPI_ANY_TAG. Throws std::bad_alloc.
void receive_unread(
    MPI_Comm comm, int tag, const std::function<void(int source, int tag)> &came = [](int, int) {});

// Calls then() when comm is freed; for MPI_COMM_SELF that is the beginning of MPI_Finalize, where messages still work
// (MPI 3.1, 8.7.1). false: MPI did not take it.
bool when_freed(MPI_Comm comm, std::function<void()> then);

} // namespace cpl_lb
