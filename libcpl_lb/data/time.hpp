// Time inside the library: whole nanoseconds on the run's common clock, 0 at the earliest cpl_lb_init.
// Whole numbers make every sum exact, so figures do not depend on the order of the processes.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace cpl_lb {

using Nanoseconds = std::int64_t; // +-292 years

// Sums over many processes of long runs exceed 64 bits.
__extension__ typedef __int128 WideNanoseconds; // NOLINT(modernize-use-using): no __extension__ there

// In a timeline: this process took no part in the event.
inline constexpr Nanoseconds absent = std::numeric_limits<Nanoseconds>::min();

// Not measured: printed as "n/a", null in JSON, never 0.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
[[nodiscard]] inline bool is_known(double value) {
    return !std::isnan(value);
}

// Bounds of a figure that comes from outside, or from such values: smaller values count as 0, and larger ones are
// unknown, so that no figure made of figures is infinite.
inline constexpr double largest_figure = 1e100;
[[nodiscard]] inline double as_figure(double value) {
    if (!(std::abs(value) <= largest_figure)) return unknown;
    return std::abs(value) < 1 / largest_figure ? 0.0 : value;
}

[[nodiscard]] constexpr double to_seconds(Nanoseconds t) {
    return static_cast<double>(t) * 1e-9;
}
[[nodiscard]] constexpr double to_seconds(WideNanoseconds t) {
    return static_cast<double>(t) * 1e-9;
}
[[nodiscard]] inline Nanoseconds from_seconds(double s) {
    return std::llround(s * 1e9);
}

struct Interval {
    Nanoseconds start = 0;
    Nanoseconds stop = 0;

    [[nodiscard]] constexpr Nanoseconds length() const { return stop > start ? stop - start : 0; }
    friend constexpr bool operator==(const Interval &, const Interval &) = default;
};

} // namespace cpl_lb
