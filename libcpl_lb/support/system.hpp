// What the operating system knows or does for the process: the node's name, signals of a write, a library that stays
// loaded, a word that no other run has.
#pragma once

#include <csignal>
#include <string>

namespace cpl_lb {

[[nodiscard]] std::string host_name(); // of this node

// From now on dlclose() does not unload this code: a thread runs in it, MPI calls it, or the model holds its
// functions.
void stay_loaded() noexcept;

// A signal that a write would raise in the model (a file too large, a pipe without a reader) becomes an error code.
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

// A unique word for the names of this run's files: 16 hexadecimal digits.
[[nodiscard]] std::string new_token();

} // namespace cpl_lb
