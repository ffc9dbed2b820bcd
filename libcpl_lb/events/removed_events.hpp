// Removes decoded events: those that were open at the edge of a slice, or when memory ended.
#pragma once

#include "events/decode.hpp"

#include <vector>

namespace cpl_lb {

// Also corrects places, dates and the events open at the end, but not end_order.
void remove_events(DecodedProcess &process, std::vector<EventPlace> gone);

} // namespace cpl_lb
