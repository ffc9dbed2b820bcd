// The clock of the hot path: the processor's time stamp counter where it runs at a constant rate through all
// power states, else CLOCK_MONOTONIC. Ticks become nanoseconds by calibration points taken at both ends of the run.
#pragma once

#include "data/time.hpp"

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cpl_lb {

enum class ClockSource : std::uint8_t { gettime, tsc };

[[nodiscard]] inline std::uint64_t monotonic_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
}

[[nodiscard]] inline std::uint64_t read_ticks(ClockSource source) {
#if defined(__x86_64__)
    if (source == ClockSource::tsc) return __rdtsc();
#else
    (void)source;
#endif
    return monotonic_ns();
}

// The time stamp counter if the processor says that it is constant and non-stop and the kernel has not
// given up on it; CPL_LB_CLOCK=gettime (or tsc) in the environment decides otherwise.
[[nodiscard]] ClockSource choose_clock(const char *wish);

// The same instant on both clocks.
struct ClockPoint {
    std::uint64_t ticks = 0;
    std::int64_t monotonic_ns = 0;
    std::uint64_t gap_ticks = 0; // between the two readings of the counter around that of CLOCK_MONOTONIC
};

// The closest of several readings: the one that the scheduler disturbed least.
[[nodiscard]] ClockPoint take_clock_point(ClockSource source);

// The same before the clock is chosen; later the point on that clock.
[[nodiscard]] ClockPoint take_point_of_any_clock();
[[nodiscard]] ClockPoint of_clock(ClockSource source, const ClockPoint &of_any);

// Ticks to nanoseconds of CLOCK_MONOTONIC by the straight line through two points.
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
