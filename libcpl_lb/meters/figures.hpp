// Makes a run's figures from samples at any times: values in equal intervals, so that those of different processes
// can be added.
#pragma once

#include "data/meters.hpp"
#include "data/time.hpp"
#include "meters/reader.hpp"

#include <span>
#include <string_view>
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

// Values of equal intervals as a series of one process; empty if none is known.
[[nodiscard]] Series series_of(const Bins &bins, const std::vector<double> &values);

// A quantity of one process (or node), and its samples in the order of their times.
struct SampledQuantity {
    std::string_view meter;
    bool of_node = false;
    const Quantity *quantity = nullptr; // of the reader that gave the samples
    std::vector<TimedValue> samples;
};

// For meters whose figures have no place of their own. In the series the last sample of a gauge holds until that
// time: a process that waits for the others reads no more.
[[nodiscard]] MeterFigures figures_of(const SampledQuantity &sampled, const Bins &bins, Nanoseconds held_until);
// The mean by straight lines between the samples. One sample gives its value. NaN: no sample is known.
[[nodiscard]] double mean_over_time(std::span<const TimedValue> samples);

} // namespace cpl_lb
