// A set of events of a table, one bit each.
#pragma once

#include "analysis/nesting.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpl_lb {

// Event k is bit k % 64 of word k / 64.
using EventSet = std::vector<std::uint64_t>;
[[nodiscard]] inline EventSet no_events(std::size_t of) {
    return EventSet((of + 63) / 64);
}
inline void insert(EventSet &set, EventIndex k) {
    set[k / 64] |= std::uint64_t{1} << k % 64;
}
[[nodiscard]] inline bool contains(const EventSet &set, EventIndex k) {
    return (set[k / 64] >> k % 64 & 1U) != 0;
}

} // namespace cpl_lb
