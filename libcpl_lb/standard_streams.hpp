// Standard output and standard error of a model that may have closed them, or lost who reads them.
#pragma once

#include <array>
#include <string_view>

namespace cpl_lb {

// All of text, without a signal and without an error: where nobody reads, nothing is written. Nor is anything where
// the descriptor is no longer a standard stream: the next file that is opened gets the number of one that was closed.
void write_to_stream(int descriptor, std::string_view text) noexcept;

// While it lives the numbers 0, 1 and 2 are taken: no file that the library opens becomes the model's standard
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
