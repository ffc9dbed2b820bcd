// A signal that a write would raise in the model (a file too large, a pipe without a reader) becomes an error code.
#pragma once

#include <csignal>

namespace cpl_lb {

// Keeps the signal off the calling thread while it lives; write() then fails with EFBIG or EPIPE.
class NoSignal {
public:
    explicit NoSignal(int signal) noexcept;
    ~NoSignal();
    NoSignal(const NoSignal &) = delete;
    NoSignal &operator=(const NoSignal &) = delete;

private:
    sigset_t only_{};
    bool was_free_ = false; // neither blocked nor pending before
};

class NoFileSizeSignal : public NoSignal {
public:
    NoFileSizeSignal() noexcept : NoSignal(SIGXFSZ) {}
};

} // namespace cpl_lb
