// Messages that were given up while MPI still reads or writes their memory.
#pragma once

#include <cstddef>
#include <memory>
#include <mpi.h>

namespace cpl_lb {

// Messages of comm, which only the library uses, are brought to their ends in MPI_Finalize: with UCX a message that
// is still under way there ends the program (MPICH 4.2). Each process takes what was sent to it, whatever it is.
void finish_messages_at_the_end(MPI_Comm comm);

// An empty message of this tag: its sender sends nothing more.
inline constexpr int last_word_tag = 30;

// The request is MPI's or the list's from now on, the memory too: it is never freed. source: of a receive; any_rank
// for a message that is sure to be under way.
void leave_message(MPI_Request request, int source,
                   std::unique_ptr<std::byte[]> memory) noexcept; // NOLINT(*-avoid-c-arrays)

} // namespace cpl_lb
