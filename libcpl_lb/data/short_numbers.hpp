// Numbers in as few bytes as they need, the lowest byte first. Whole words are read and written, so that there is no
// branch for the length: behind the last number there is room for a word.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cpl_lb {

inline constexpr unsigned longest_number = 8; // bytes

[[nodiscard]] constexpr unsigned length_of(std::uint64_t number) {
    return static_cast<unsigned>(std::bit_width(number) + 7) / 8;
}
[[nodiscard]] constexpr std::uint64_t lowest_first(std::uint64_t number) {
    return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
}

// By length.
inline constexpr std::array<std::uint64_t, longest_number + 1> masks_of_lengths = [] {
    std::array<std::uint64_t, longest_number + 1> masks{};
    for (unsigned n = 1; n <= longest_number; ++n)
        masks[n] = ~std::uint64_t{0} >> (64 - 8 * n);
    return masks;
}();

inline void write_short(std::byte *to, std::uint64_t number) {
    const std::uint64_t word = lowest_first(number);
    std::memcpy(to, &word, sizeof word);
}
[[nodiscard]] inline std::uint64_t read_short(const std::byte *from, unsigned length) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return lowest_first(word) & masks_of_lengths[length];
}

} // namespace cpl_lb
