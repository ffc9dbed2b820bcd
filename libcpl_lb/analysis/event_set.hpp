// Sets of events of a table, one bit each, and whether an event lies in an interval of the run or touches it
// (docs/definitions.md, section 2).
#pragma once

#include "analysis/nesting.hpp"
#include "data/events.hpp"

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

// Both go by [S_k, E_k], the time in which all processes of the event wait for something else than each other.
[[nodiscard]] constexpr bool lies_in(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start >= interval.start && span.last_stop <= interval.stop;
}

// An event without length touches the interval that it lies in; the end of an interval belongs to the next one.
[[nodiscard]] constexpr bool touches(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start < interval.stop &&
           (span.last_stop > interval.start || span.last_start >= interval.start);
}

} // namespace cpl_lb
