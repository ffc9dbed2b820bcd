// Converts blocks of seconds to nanoseconds and back.
#include "io/timeline/timeline_times.hpp"

#include "io/timeline/classic_file.hpp"
#include "io/timeline/vectorized.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace cpl_lb {
namespace {

// Adding 1.5 x 2^52 leaves the nearest whole number in the low bits, for magnitudes below 2^51: conversion
// without an instruction that older vector units lack.
constexpr double magic = 6755399441055744.0;
constexpr std::int64_t magic_bits = std::bit_cast<std::int64_t>(magic);

constexpr std::int64_t whole(double with_magic) {
    return std::bit_cast<std::int64_t>(with_magic) - magic_bits;
}
constexpr std::int64_t mask(bool condition) {
    return -static_cast<std::int64_t>(condition);
}

// No branch, so that compilers make vector code of the loop. 1e9 = 1953125 x 2^9: with |s| <= 1e9 the first
// product stays below 2^51, and is exact like s less its whole part.
inline std::int64_t converted(double s, double fill, std::int64_t &bad) {
    const std::int64_t there = mask(s != fill) & mask(!std::isnan(s));
    const std::int64_t sane = mask(std::abs(s) <= largest_time_s);
    bad |= there & ~sane;
    const std::int64_t ok = there & sane;
    const auto time = std::bit_cast<double>(std::bit_cast<std::int64_t>(s) & ok);
    const double seconds = (time + magic) - magic;
    const std::int64_t nanoseconds =
        (whole(seconds * 1953125.0 + magic) * 512) + whole((time - seconds) * 1e9 + magic);
    return (nanoseconds & ok) | (absent & ~ok);
}

// static_cast<double>(t) without the instruction for it: both halves are put behind a power of two that makes them
// exact, so the sum rounds once, as the instruction does.
inline double as_double(Nanoseconds t) {
    const auto bits = static_cast<std::uint64_t>(t);
    const auto high = std::bit_cast<double>((bits >> 32U) ^ 0x4530000080000000U);       // 2^84 + 2^63 + high half
    const auto low = std::bit_cast<double>((bits & 0xffffffffU) | 0x4330000000000000U); // 2^52 + low half
    constexpr double both = 0x1p84 + 0x1p63 + 0x1p52;
    return (high - both) + low;
}

inline void to_classic_loop(std::span<const Nanoseconds> times, double fill, std::uint64_t *values) {
    const auto fill_bits = std::bit_cast<std::uint64_t>(fill);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const auto there = static_cast<std::uint64_t>(mask(times[k] != absent));
        const auto bits = std::bit_cast<std::uint64_t>(as_double(times[k]) / 1e9); // file_seconds()
        values[k] = big_endian((bits & there) | (fill_bits & ~there));
    }
}

inline double from_file(std::uint64_t v) {
    return std::bit_cast<double>(big_endian(v));
}

inline TimeFaults convert_classic(ClassicTimes times, Nanoseconds *start, Nanoseconds *stop) {
    const std::uint64_t *const starts = times.start.data();
    const std::uint64_t *const stops = times.stop.data();
    const std::size_t n = std::min(times.start.size(), times.stop.size());
    std::int64_t bad = 0;
    std::int64_t backwards = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t s = converted(from_file(starts[k]), times.start_fill, bad);
        const std::int64_t e = converted(from_file(stops[k]), times.stop_fill, bad);
        const std::int64_t there = mask(s != absent) & mask(e != absent);
        backwards |= there & mask(e < s);
        start[k] = (s & there) | (absent & ~there);
        stop[k] = (e & there) | (absent & ~there);
    }
    return {bad != 0, backwards != 0};
}

inline bool convert(const double *seconds, std::size_t n, double fill, Nanoseconds *times) {
    std::int64_t bad = 0;
    for (std::size_t k = 0; k < n; ++k)
        times[k] = converted(seconds[k], fill, bad);
    return bad == 0;
}

} // namespace

bool to_nanoseconds(std::span<const double> seconds, double fill, Nanoseconds *times) {
    return vectorized<convert>(seconds.data(), seconds.size(), fill, times);
}
TimeFaults from_classic(const ClassicTimes &times, Nanoseconds *start, Nanoseconds *stop) {
    return vectorized<convert_classic>(times, start, stop);
}
void to_classic(std::span<const Nanoseconds> times, double fill, std::uint64_t *values) {
    vectorized<to_classic_loop>(times, fill, values);
}

} // namespace cpl_lb
