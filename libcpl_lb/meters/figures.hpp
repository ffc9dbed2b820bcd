// Makes a run's figures from the samples of a quantity, for meters whose figures have no place of their own.
#pragma once

#include "data/meters.hpp"
#include "meters/reader.hpp"
#include "meters/resample.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A quantity of one process (or node), and its samples in the order of their times.
struct SampledQuantity {
    std::string_view meter;
    bool of_node = false;
    const Quantity *quantity = nullptr; // of the reader that gave the samples
    std::vector<TimedValue> samples;
};

// In the series the last sample of a gauge holds until that time: a process that waits for the others reads no more.
[[nodiscard]] MeterFigures figures_of(const SampledQuantity &sampled, const Bins &bins, Nanoseconds held_until);
// The mean by straight lines between the samples. One sample gives its value. NaN: no sample is known.
[[nodiscard]] double mean_over_time(std::span<const TimedValue> samples);

} // namespace cpl_lb
