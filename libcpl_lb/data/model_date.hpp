// Which numbers of seconds are a date of the model, or a length of its run.
#pragma once

#include <cstdint>

namespace cpl_lb {

// Files hold dates as doubles, which are whole up to 2^53, some 9.007e15.
inline constexpr std::int64_t largest_date = 9'000'000'000'000'000;

[[nodiscard]] constexpr bool is_date(std::int64_t seconds) {
    return seconds >= -largest_date && seconds <= largest_date;
}

// From a nanosecond to twice the age of the universe: beyond, speeds and costs are meaningless.
[[nodiscard]] constexpr bool is_simulated_time(double seconds) {
    return seconds >= 1e-9 && seconds <= 1e18;
}

} // namespace cpl_lb
