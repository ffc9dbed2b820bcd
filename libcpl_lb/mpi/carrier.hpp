// Carries messages between the processes of a run, and has the clock of this process: MPI (mpi_carrier.hpp), or
// queues in the memory of one process for tests (docs/decisions/messages_in_memory.md). Nothing here waits.
//
// As MPI promises it: messages from one process with one tag arrive in the order in which they were sent.
#pragma once

#include "mpi/letter.hpp"
#include "mpi/patience.hpp"

#include <cstdint>
#include <string>

namespace cpl_lb {

inline constexpr int any_rank = -1; // to receive from

class Carrier {
public:
    Carrier() = default;
    Carrier(const Carrier &) = delete;
    Carrier &operator=(const Carrier &) = delete;
    virtual ~Carrier() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    // The data is copied. Null: the message could not be begun.
    [[nodiscard]] virtual std::unique_ptr<UnderWay> start_send(int to, int tag, std::span<const std::byte> data) = 0;
    // Receives at most `size` bytes; a longer message is an error.
    [[nodiscard]] virtual std::unique_ptr<UnderWay> start_receive(int from, int tag, std::size_t size) = 0;
    // Sends an empty message whose completion nobody waits for.
    virtual void send_empty(int to, int tag) noexcept = 0;

    // Tells all with whom there were messages that this process sends nothing more.
    virtual void last_word() noexcept {}

    // Sleeps until something may have arrived, but not past until_ns. patience: how long this wait has taken so far.
    virtual void pause(Patience &patience, std::int64_t until_ns) = 0;
    // A monotonic clock, the same for all processes of a node.
    [[nodiscard]] virtual std::int64_t now_ns() = 0;

    // Text of the first error; empty: none. The call may have worked in spite of it.
    [[nodiscard]] virtual const std::string &first_error() const = 0;
};

} // namespace cpl_lb
