// Carries messages between the processes of a run, and has the clock of this process: MPI (mpi_carrier.hpp), or for
// tests queues in the memory of one process (docs/decisions/messages.md). Nothing here waits. Messages from
// one process with one tag arrive in the order of sending, as MPI promises.
#pragma once

#include "mpi/patience.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace cpl_lb {

// A message on its way. It owns its memory; the caller never does. If a message is given up, MPI may still read or
// write this memory until MPI ends, so it is never freed (docs/decisions/messages.md). The
// destructor gives up an incomplete message.
class UnderWay {
public:
    UnderWay() = default;
    UnderWay(const UnderWay &) = delete;
    UnderWay &operator=(const UnderWay &) = delete;
    virtual ~UnderWay() = default;
    // Tests once. True: it is complete; source: where it came from.
    virtual bool test(int *source) = 0;
    // The received bytes. Call it only after the message is complete.
    [[nodiscard]] virtual std::span<const std::byte> data() const = 0;
};

class Letter {
public:
    Letter() = default; // no message: complete
    explicit Letter(std::unique_ptr<UnderWay> message) : message_(std::move(message)) {}

    bool test(int *source = nullptr) {
        if (!complete_ && message_) complete_ = message_->test(source);
        return !under_way();
    }
    [[nodiscard]] bool under_way() const { return message_ && !complete_; }
    [[nodiscard]] std::span<const std::byte> data() const {
        return message_ ? message_->data() : std::span<const std::byte>();
    }
    // Gives up a message that nobody waits for any more.
    void give_up() noexcept {
        if (under_way()) message_.reset();
    }

private:
    std::unique_ptr<UnderWay> message_;
    bool complete_ = false;
};

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
    // Receives at most `size` bytes. A longer message is an error.
    [[nodiscard]] virtual std::unique_ptr<UnderWay> start_receive(int from, int tag, std::size_t size) = 0;
    // Sends an empty message whose completion nobody waits for.
    virtual void send_empty(int to, int tag) noexcept = 0;

    // Tells all partners of earlier messages that this process sends no more.
    virtual void last_word() noexcept {}

    // Sleeps until something may have arrived, but not past until_ns. patience: how long this wait has taken so far.
    virtual void pause(Patience &patience, std::int64_t until_ns) = 0;
    // A monotonic clock, the same for all processes of a node.
    [[nodiscard]] virtual std::int64_t now_ns() = 0;

    // The text of the first error; empty: none. The call may have worked in spite of it.
    [[nodiscard]] virtual const std::string &first_error() const = 0;
};

} // namespace cpl_lb
