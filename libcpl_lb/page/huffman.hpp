// Prefix codes of limited length (RFC 1951, section 3.2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

struct PrefixCode {
    std::vector<std::uint8_t> lengths; // bits of each symbol's code; 0: does not occur
    std::vector<std::uint16_t> codes;  // the first bit of a code is its lowest: ready for an LSB-first stream
};

// Every frequency above 0 gets a code of at most `longest` bits. At least two symbols must occur.
[[nodiscard]] PrefixCode prefix_code(std::span<const std::uint32_t> frequencies, unsigned longest);

} // namespace cpl_lb
