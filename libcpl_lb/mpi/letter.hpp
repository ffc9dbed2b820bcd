// A message under way. Its memory belongs to it, never to its caller: a message that is given up may still be read or
// written until MPI ends, and then its memory is left to MPI for good (docs/decisions/messages_own_their_memory.md).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace cpl_lb {

// What a carrier hands out. The destructor gives the message up if it is not complete.
class UnderWay {
public:
    UnderWay() = default;
    UnderWay(const UnderWay &) = delete;
    UnderWay &operator=(const UnderWay &) = delete;
    virtual ~UnderWay() = default;
    // One test. True: it is complete; source: where it came from.
    virtual bool test(int *source) = 0;
    // What was received, as long as it came; after it is complete.
    [[nodiscard]] virtual std::span<const std::byte> data() const = 0;
};

class Letter {
public:
    Letter() = default; // none: complete
    explicit Letter(std::unique_ptr<UnderWay> message) : message_(std::move(message)) {}

    bool test(int *source = nullptr) {
        if (!complete_ && message_) complete_ = message_->test(source);
        return !under_way();
    }
    [[nodiscard]] bool under_way() const { return message_ && !complete_; }
    [[nodiscard]] std::span<const std::byte> data() const {
        return message_ ? message_->data() : std::span<const std::byte>();
    }
    // Lets go of a message that nobody waits for any more.
    void give_up() noexcept {
        if (under_way()) message_.reset();
    }

private:
    std::unique_ptr<UnderWay> message_;
    bool complete_ = false;
};

} // namespace cpl_lb
