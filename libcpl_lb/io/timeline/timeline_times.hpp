// Seconds of a timeline to nanoseconds and back, many at a time: large files spend their time here.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <span>

namespace cpl_lb {

// Largest time that a file may hold: 31 years. Everything beyond is damage.
inline constexpr double largest_time_s = 1e9;

// As from_file_seconds() for each value; `fill` and not-a-numbers become `absent`. False when a value is neither
// that nor a possible time. `times` has room for as many.
[[nodiscard]] bool to_nanoseconds(std::span<const double> seconds, double fill, Nanoseconds *times);

// Starts and stops of the same events in the bytes of a classic netCDF file, big-endian doubles. An event needs both
// ends: with one absent, both become `absent`.
struct ClassicTimes {
    std::span<const std::uint64_t> start, stop;
    double start_fill, stop_fill;
};
// What was wrong; the first of these if both were.
struct TimeFaults {
    bool impossible = false;        // as to_nanoseconds() finds it
    bool ends_before_start = false; // an event
};
[[nodiscard]] TimeFaults from_classic(const ClassicTimes &times, Nanoseconds *start, Nanoseconds *stop);

// As file_seconds() for each time, `fill` for `absent`, as the bytes of a classic netCDF file: big-endian doubles.
// `values` has room for as many.
void to_classic(std::span<const Nanoseconds> times, double fill, std::uint64_t *values);

} // namespace cpl_lb
