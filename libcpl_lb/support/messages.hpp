// Lines on standard error, and the standard streams of a model that may have closed them, or whose reader may be
// gone.
#pragma once

#include <array>
#include <exception>
#include <new>
#include <string_view>

namespace cpl_lb {

// A line that starts with "cpl_lb: ". It is written at once, so that lines of several processes do not mix.
void tell(std::string_view line) noexcept;

// An exception's text for a line on standard error: std::bad_alloc says only its own name.
[[nodiscard]] inline const char *in_words(const std::exception &e) {
    return dynamic_cast<const std::bad_alloc *>(&e) != nullptr ? "out of memory" : e.what();
}

// Writes all of text, without a signal and without an error. It writes nothing if nobody reads, or if the descriptor
// is no longer a standard stream: the next file that is opened gets the number of a stream that was closed. A reader
// that has paused is waited for at most 5 s in the whole run; then the rest is left out. False: something was.
bool write_to_stream(int descriptor, std::string_view text) noexcept;

// Keeps the descriptors 0, 1 and 2 taken while it lives: no file that the library opens becomes the model's standard
// output.
class StandardNumbersTaken {
public:
    StandardNumbersTaken() noexcept;
    ~StandardNumbersTaken();
    StandardNumbersTaken(const StandardNumbersTaken &) = delete;
    StandardNumbersTaken &operator=(const StandardNumbersTaken &) = delete;

private:
    std::array<bool, 3> ours_{};
};

} // namespace cpl_lb
