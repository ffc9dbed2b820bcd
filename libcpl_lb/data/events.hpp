// Coupling events of one component, as plain data (docs/definitions.md, section 1).
#pragma once

#include "data/event_keys.hpp"
#include "data/event_spans.hpp"
#include "data/time.hpp"

#include <vector>

namespace cpl_lb {

// Row of one process: element k belongs to event k of its component, `absent` where it took no part.
struct Row {
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> stop;
    std::vector<Interval> away; // time inside other components of the same process, ascending, disjoint
};

// The events of a component in the order of their first start, reduced over its processes.
struct EventTable {
    EventKeys keys;
    EventSpans spans; // same length
};

} // namespace cpl_lb
