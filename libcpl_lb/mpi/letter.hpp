// A message under way. It owns its memory; the caller never does. If a message is given up, MPI may still read or
// write this memory until MPI ends, so it is never freed (docs/decisions/messages_own_their_memory.md).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace cpl_lb {

// A message that a carrier has begun. The destructor gives it up if it is not complete.
class UnderWay {
public:
    UnderWay() = default;
    UnderWay(const UnderWay &) = delete;
    UnderWay &operator=(const UnderWay &) = delete;
    virtual ~UnderWay() = default;
    // One test. True: it is complete; source: where it came from.
    virtual bool test(int *source) = 0;
    // The received bytes, as many as came. Only after the message is complete.
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

} // namespace cpl_lb
