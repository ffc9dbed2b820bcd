// netCDF counts with std::size_t, the timelines with 64 bits of their own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpl_lb {

[[nodiscard]] constexpr std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

} // namespace cpl_lb
