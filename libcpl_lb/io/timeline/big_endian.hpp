// The order of bytes in classic netCDF files.
#pragma once

#include <bit>
#include <cstdint>

namespace cpl_lb {

// From the machine's order to the file's, or back.
[[nodiscard]] constexpr std::uint64_t big_endian(std::uint64_t v) {
    if constexpr (std::endian::native == std::endian::big) return v;
#if defined(__GNUC__)
    return __builtin_bswap64(v);
#else
    v = (v & 0x00ff00ff00ff00ffU) << 8U | (v >> 8U & 0x00ff00ff00ff00ffU);
    v = (v & 0x0000ffff0000ffffU) << 16U | (v >> 16U & 0x0000ffff0000ffffU);
    return v << 32U | v >> 32U;
#endif
}

} // namespace cpl_lb
