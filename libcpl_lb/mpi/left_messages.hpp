// Messages that were given up while MPI still reads or writes their memory.
#pragma once

#include <cstddef>
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

} // namespace cpl_lb
