// Counts how often a process came to exchange with others after computing.
#pragma once

#include "run/live/steps/decode_record.hpp"

#include <cstddef>

namespace cpl_lb {

// PUTs, GETs and SYNCs right after each other count once, if less than a tenth of the usual computing lies between
// them. 0: there are too few. Reads the times from the marks if they are still there.
[[nodiscard]] std::size_t count_own_bursts(const ProcessRecord &record, const DecodedRecord &decoded);

} // namespace cpl_lb
