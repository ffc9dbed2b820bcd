// Standard output and standard error of a model that may have closed them, or whose reader may be gone.
#pragma once

#include <array>
#include <string_view>

namespace cpl_lb {

// Writes all of text, without a signal and without an error. It writes nothing if nobody reads, or if the descriptor
// is no longer a standard stream: the next file that is opened gets the number of a stream that was closed.
void write_to_stream(int descriptor, std::string_view text) noexcept;

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
