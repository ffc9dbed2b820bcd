// Load balance of one component (docs/definitions.md, section 2), in two passes over its processes so that no
// array of events x processes is ever needed:
//   pass 1  every process adds its row to the spans          (a reduction over MPI, or rows read from a file)
//   pass 2  every process computes its share from the spans  (then the shares are summed)
#pragma once

#include "data/balance.hpp"
#include "data/events.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {

// Both functions use [S_k, E_k], the time in which no process of the event waits for another one of it.
[[nodiscard]] constexpr bool lies_in(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start >= interval.start && span.last_stop <= interval.stop;
}

// An event without length touches the interval that it lies in; the end of an interval belongs to the next one.
[[nodiscard]] constexpr bool touches(const EventSpan &span, Interval interval) {
    return !span.empty() && span.last_start < interval.stop &&
           (span.last_stop > interval.start || span.last_start >= interval.start);
}

// Pass 1: row has one element for each event of `spans`; elements that are `absent` change nothing.
void add_row(std::span<EventSpan> spans, const Row &row);

// Limits of a window: it ends before the first dropped event and lies inside the slice.
struct WindowLimits {
    Nanoseconds first = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::max();
};

[[nodiscard]] Window find_window(const EventTable &events, const WindowLimits &limits = {});

// Sums over processes of one interval (start-up, loop, shut-down, whole run). "Own duration": see nesting.hpp.
struct IntervalShare {
    // Processes with an exchange that touches the interval: the set C. An event touches by its [S_k, E_k].
    std::int64_t exchanging = 0;
    WideNanoseconds waiting = 0; // |Omega_p|
    // The next two are sums over C; if nobody exchanges, C is empty and they are sums over all processes.
    WideNanoseconds waiting_or_operations = 0;            // |Omega_p united with p's own operation intervals|
    WideNanoseconds away = 0;                             // time inside other components and not in Omega_p
    WideNanoseconds mapping = 0, output = 0, restart = 0; // sums of own durations a_p
    std::int64_t mapping_processes = 0, output_processes = 0, restart_processes = 0;

    IntervalShare &operator+=(const IntervalShare &other);
    friend bool operator==(const IntervalShare &, const IntervalShare &) = default;
};

// The contribution of one process, or the sum over several: operator+= in any order gives the same. Without a window
// only `whole` is filled.
struct Share {
    std::int64_t processes = 0; // rows in the sum
    IntervalShare loop, startup, shutdown, whole;
    // By counterpart id (0: not known), in the loop.
    std::vector<WideNanoseconds> waiting_for_get, waiting_for_put, waiting_for_sync;
    std::vector<WideNanoseconds> step_waiting, step_away; // by step of the window, defined as in `loop`;
                                                          // step_away is empty if nobody was away

    Share &operator+=(const Share &other);
    friend bool operator==(const Share &, const Share &) = default;
};

// The sum of `processes` shares that are all equal to `one`.
[[nodiscard]] Share repeated(Share one, std::int64_t processes);

// Pass 2. `run`: the component's first init to its last terminate. `counterparts`: highest counterpart id.
// For many rows of one component, ShareCalculator (share_calculator.hpp) does the common part once.
[[nodiscard]] Share share_of(const EventTable &events, const Row &row, const Window &window, Interval run,
                             std::int32_t counterparts);

// The figures of the component from the sum of the shares of all its processes.
[[nodiscard]] ComponentBalance balance_of(const EventTable &events, const Window &window, Interval run,
                                          const Share &sum);

} // namespace cpl_lb
