// What nn_max_mb leaves to each part of the library on one process (docs/decisions/memory_bound.md).
#pragma once

#include <cstddef>

namespace cpl_lb {

// For marks while the model runs, 16 bytes for an event, so that cpl_lb_terminate, which takes some 100 for each,
// comes to its end within 1.5 times the bound.
[[nodiscard]] constexpr std::size_t mark_bytes(std::size_t bound) {
    return bound / 5;
}
// Begins that never end take 8 bytes only.
[[nodiscard]] constexpr std::size_t most_decoded_events(std::size_t bound) {
    return bound / 80;
}
// Limits the union of the events of processes that recorded different ones.
[[nodiscard]] constexpr std::size_t most_united_events(std::size_t bound) {
    return bound / 120;
}
// PUT and GET of all components of other masters that the root holds together, some 100 bytes each.
[[nodiscard]] constexpr std::size_t most_exchanges_elsewhere(std::size_t bound) {
    return bound / 256;
}

} // namespace cpl_lb
