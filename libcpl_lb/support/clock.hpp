// The clock of the hot path: the processor's counter (time stamp counter of x86-64, generic timer of ARM) if it runs
// at a constant rate through all power states, else CLOCK_MONOTONIC. Calibration points at both ends of the run turn
// ticks into nanoseconds.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <ctime>
#include <string_view>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cpl_lb {

// The numbers stand in spool files.
enum class ClockSource : std::uint8_t { gettime, time_stamp_counter, generic_timer };

#if defined(__aarch64__)
inline constexpr ClockSource processors_counter = ClockSource::generic_timer;
#else
inline constexpr ClockSource processors_counter = ClockSource::time_stamp_counter;
#endif

// For the results: "time stamp counter".
[[nodiscard]] std::string_view name_of(ClockSource source);

[[nodiscard]] inline std::uint64_t monotonic_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
}

// The clock of day, since 1970.
[[nodiscard]] inline std::int64_t realtime_ns() {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(t.tv_nsec);
}

[[nodiscard]] inline std::uint64_t read_ticks(ClockSource source) {
#if defined(__x86_64__)
    if (source == processors_counter) return __rdtsc();
#elif defined(__aarch64__)
    if (source == processors_counter) {
        std::uint64_t ticks = 0;
        // Without the barrier the processor may read the counter long before it has done the earlier instructions.
        __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
        return ticks;
    }
#else
    static_cast<void>(source);
#endif
    return monotonic_ns();
}

// The processor's counter if the kernel still uses it and it is constant. On x86-64 the processor says so;
// on ARM it keeps pace with CLOCK_MONOTONIC at the processor's stated frequency. CPL_LB_CLOCK=gettime in the
// environment decides otherwise, and so does tsc (x86-64) or cntvct (ARM).
[[nodiscard]] ClockSource choose_clock(const char *wish);

// The same instant on both clocks.
struct ClockPoint {
    std::uint64_t ticks = 0;
    std::int64_t monotonic_ns = 0;
    std::uint64_t gap_ticks = 0; // between the two readings of the counter around that of CLOCK_MONOTONIC
};

// Whether the ticks between two points fit a counter of so many ticks in a second, within 1 in 1000 and the
// uncertainty of the readings. Network time bends a clock by at most half of that. False also for a counter of less
// than 16 MHz: TickScale has no room for its rate.
[[nodiscard]] bool keeps_pace(const ClockPoint &first, const ClockPoint &last, std::uint64_t ticks_per_s);

// The best of several readings: the one that the scheduler disturbed least.
[[nodiscard]] ClockPoint take_clock_point(ClockSource source);

// The same before the clock is chosen; later the point on that clock.
[[nodiscard]] ClockPoint take_point_of_any_clock();
[[nodiscard]] ClockPoint of_clock(ClockSource source, const ClockPoint &of_any);

// Converts ticks to nanoseconds of CLOCK_MONOTONIC by the straight line through two points.
class TickScale {
public:
    TickScale() = default;
    TickScale(ClockSource source, const ClockPoint &first, const ClockPoint &last);

    [[nodiscard]] Nanoseconds to_ns(std::uint64_t ticks) const {
        return origin_.monotonic_ns + scaled(static_cast<std::int64_t>(ticks - origin_.ticks));
    }
    [[nodiscard]] Nanoseconds length_ns(std::uint64_t ticks) const {
        return scaled(static_cast<std::int64_t>(ticks));
    }

    // The scale of a clock that is `by` ahead of CLOCK_MONOTONIC.
    [[nodiscard]] TickScale ahead(Nanoseconds by) const {
        TickScale moved = *this;
        moved.origin_.monotonic_ns += by;
        return moved;
    }

private:
    // Fixed point: exact to less than a nanosecond over years, and cheaper than a division.
    [[nodiscard]] Nanoseconds scaled(std::int64_t ticks) const {
        return static_cast<Nanoseconds>((static_cast<WideNanoseconds>(ticks) * rate_) >> rate_bits);
    }
    static constexpr int rate_bits = 56;

    ClockPoint origin_;
    std::int64_t rate_ = std::int64_t{1} << rate_bits; // nanoseconds per tick, times 2^rate_bits
};

} // namespace cpl_lb
