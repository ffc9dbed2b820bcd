// Seconds of a timeline to nanoseconds, many at a time: reading a large file spends its time here.
#pragma once

#include "data/time.hpp"

#include <span>

namespace cpl_lb {

// Largest time that a file may hold: 31 years. Everything beyond is damage.
inline constexpr double largest_time_s = 1e9;

// As from_file_seconds() for each value; `fill` and not-a-numbers become `absent`. False when a value is neither
// that nor a possible time. `times` has room for as many.
[[nodiscard]] bool to_nanoseconds(std::span<const double> seconds, double fill, Nanoseconds *times);

} // namespace cpl_lb
