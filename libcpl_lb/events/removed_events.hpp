// Takes events out of what was decoded: those that were open at the edge of a slice, or when memory ended.
#pragma once

#include "events/decode.hpp"

#include <vector>

namespace cpl_lb {

// All that follows from them is put right: places, dates, the events open at the end. Not end_order.
void remove_events(DecodedProcess &process, std::vector<EventPlace> gone);

} // namespace cpl_lb
