// Decoding of a process whose events lie one after the other, none inside another: their times stay in the marks
// (LocalTimeline::times_in_marks) until they are written, and are read from there block by block.
#pragma once

#include "events/decode.hpp"

#include <functional>
#include <optional>
#include <span>

namespace cpl_lb {

// Decodes everything but the times. Nothing if an event lies inside another, or if the marks hold more than events,
// dates, times and calibrations.
[[nodiscard]] std::optional<DecodedProcess> decode_whole_events(const DecodeInput &input);

// Takes the times of the events from `first` on. It may change them: they are used once.
using TakeTimes = std::function<void(std::size_t first, std::span<Nanoseconds> start, std::span<Nanoseconds> stop)>;

// Gives all events in order, in blocks that stay in the cache. The input is that of decode(), with unchanged chunks.
void for_each_block_of_times(const DecodeInput &input, const TakeTimes &take);

} // namespace cpl_lb
