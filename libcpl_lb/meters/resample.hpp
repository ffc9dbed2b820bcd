// Turns samples at any times into values in equal intervals, so that values of different processes can be added.
#pragma once

#include "data/meters.hpp"
#include "data/time.hpp"

#include <span>
#include <vector>

namespace cpl_lb {

struct TimedValue {
    Nanoseconds at = 0;
    double value = unknown;
};

struct Bins {
    Nanoseconds step = 0;
    std::size_t count = 0;
};
// The series of a run of that length with such samples: equal intervals from 0 on, at most series_most_points.
[[nodiscard]] Bins bins_of(Nanoseconds length, Nanoseconds sample);

// The functions below take samples in the order of their times and ignore those that are NaN.
// The largest sample of each interval; in one without, the last before it. NaN before the first and after the last.
[[nodiscard]] std::vector<double> largest_in(const Bins &bins, std::span<const TimedValue> samples);
// Increase of a counter per second in each interval, by straight lines between samples. NaN if less than half of
// the interval lies between the first sample and the last.
[[nodiscard]] std::vector<double> rate_in(const Bins &bins, std::span<const TimedValue> samples);
// The value of a counter at one instant, by a straight line between the samples around it. NaN outside of them.
[[nodiscard]] double value_at(Nanoseconds at, std::span<const TimedValue> samples);

} // namespace cpl_lb
