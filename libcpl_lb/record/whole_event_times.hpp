// The times of events that hold no other, from the marks in which decoding left them (LocalTimeline::times_in_marks).
#pragma once

#include "record/decode.hpp"

#include <functional>
#include <span>

namespace cpl_lb {

// Of so many events from `first` on. The times may be changed: they are used once.
using TakeTimes = std::function<void(std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop)>;

// All events in their order, in blocks that stay in the cache. The input is that of decode(), its chunks unchanged.
void for_each_block_of_times(const DecodeInput &input, const TakeTimes &take);

} // namespace cpl_lb
