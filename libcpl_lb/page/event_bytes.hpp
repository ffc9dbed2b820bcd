// The exact events of some processes, as bytes that compress well: gap and length in whole microseconds (absolute
// times are rounded first, so that the error does not add up), their bytes sorted by significance.
#pragma once

#include "data/events.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// How many bytes a number needs, at least one.
[[nodiscard]] unsigned bytes_for(std::uint64_t largest);

class EventBytes {
public:
    // start - (start of the event before), as zigzag; stop - start + 1, or 0 if the process took no part.
    void add(const Row &row);

    // The number of bytes for each of these numbers: as many as the largest needs.
    [[nodiscard]] unsigned gap_bytes() const { return bytes_for(largest_gap_); }
    [[nodiscard]] unsigned length_bytes() const { return bytes_for(largest_length_); }
    [[nodiscard]] std::int64_t values() const { return static_cast<std::int64_t>(gaps_.low.size()); }
    // The lowest bytes of all gaps, then their next ones, ...; then the same for the lengths. Starts anew.
    [[nodiscard]] std::vector<std::uint8_t> take();

private:
    // Numbers above 2^32, more than an hour, are rare: their upper halves take room only where there are some.
    struct Numbers {
        std::vector<std::uint32_t> low, high; // high: as long as low, or shorter, and 0 from there on
        void push_back(std::uint64_t n);
        void append_to(std::vector<std::uint8_t> &bytes, unsigned width) const;
    };
    Numbers gaps_, lengths_;
    std::uint64_t largest_gap_ = 0, largest_length_ = 0;
};

// Appends numbers of `width` bytes each, sorted by significance.
void append_shuffled(std::vector<std::uint8_t> &bytes, std::span<const std::uint64_t> numbers, unsigned width);

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t n) {
    return static_cast<std::uint64_t>(n) << 1U ^ static_cast<std::uint64_t>(n >> 63);
}

// What the events of a component are, in two bytes each, and then their dates: 0 for no date, else 1 + zigzag of the
// change. `dates` may be empty.
struct KeyBytes {
    std::vector<std::uint8_t> bytes;
    unsigned date_bytes = 1; // for each
};
[[nodiscard]] KeyBytes key_bytes(std::span<const std::uint16_t> classes, std::span<const std::int64_t> dates);

} // namespace cpl_lb
