// How often a process came to exchange with others after it had computed.
#pragma once

#include "run/live/steps/decode_record.hpp"

#include <cstddef>

namespace cpl_lb {

// PUTs, GETs and SYNCs right after each other count once: with less than a tenth of the usual computing between them.
// 0: too few. Reads the times from the marks where they are there.
[[nodiscard]] std::size_t count_own_bursts(const ProcessRecord &record, const DecodedRecord &decoded);

} // namespace cpl_lb
