// Coupling events of one component, as plain data (docs/definitions.md, section 1).
#pragma once

#include "data/event_keys.hpp"
#include "data/time.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace cpl_lb {

// One event reduced over the processes that took part in it.
struct EventSpan {
    Nanoseconds first_start = std::numeric_limits<Nanoseconds>::max(); // min_p s
    Nanoseconds last_start = std::numeric_limits<Nanoseconds>::min();  // S_k = max_p s
    Nanoseconds last_stop = std::numeric_limits<Nanoseconds>::min();   // E_k = max_p e
    std::int32_t processes = 0;                                        // |P_k|

    [[nodiscard]] constexpr bool empty() const { return processes == 0; }
    [[nodiscard]] constexpr Nanoseconds jitter() const { return last_start - first_start; } // J_k
    [[nodiscard]] constexpr Nanoseconds waiting() const { return last_stop - last_start; }  // W_k
    constexpr void add(Nanoseconds start, Nanoseconds stop) {
        if (start < first_start) first_start = start;
        if (start > last_start) last_start = start;
        if (stop > last_stop) last_stop = stop;
        ++processes;
    }
    friend constexpr bool operator==(const EventSpan &, const EventSpan &) = default;
};

// Row of one process: element k belongs to event k of its component, `absent` where it took no part.
struct Row {
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> stop;
    std::vector<Interval> away; // time inside other components of the same process, ascending, disjoint
};

// The events of a component in the order of their first start, reduced over its processes.
struct EventTable {
    EventKeys keys;
    std::vector<EventSpan> spans; // same length
};

} // namespace cpl_lb
