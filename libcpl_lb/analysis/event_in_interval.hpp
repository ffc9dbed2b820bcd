// Whether an event lies in an interval of the run, and whether it touches it (docs/definitions.md, section 2). Both
// go by [S_k, E_k], the time in which all processes of the event wait for something else than each other.
#pragma once

#include "data/events.hpp"

namespace cpl_lb {

[[nodiscard]] constexpr bool lies_in(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start >= interval.start && span.last_stop <= interval.stop;
}

// An event without length touches the interval that it lies in; the end of an interval belongs to the next one.
[[nodiscard]] constexpr bool touches(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start < interval.stop &&
           (span.last_stop > interval.start || span.last_start >= interval.start);
}

} // namespace cpl_lb
