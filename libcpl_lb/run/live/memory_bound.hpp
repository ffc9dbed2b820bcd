// The memory that nn_max_mb leaves to each part of the library on one process (docs/decisions/memory_bound.md).
#pragma once

#include <cstddef>

namespace cpl_lb {

// The bytes for marks while the model runs. An event has 16 bytes of marks and needs some 100 in cpl_lb_terminate,
// which so stays within 1.5 times the bound.
[[nodiscard]] constexpr std::size_t mark_bytes(std::size_t bound) {
    return bound / 5;
}
// A second limit, because begins that never end take only 8 bytes.
[[nodiscard]] constexpr std::size_t most_decoded_events(std::size_t bound) {
    return bound / 80;
}
// Limits the union of the events of processes that recorded different ones.
[[nodiscard]] constexpr std::size_t most_united_events(std::size_t bound) {
    return bound / 120;
}
// The PUTs and GETs of other masters' components that the root holds at a time, some 100 bytes each.
[[nodiscard]] constexpr std::size_t most_exchanges_elsewhere(std::size_t bound) {
    return bound / 256;
}

} // namespace cpl_lb
