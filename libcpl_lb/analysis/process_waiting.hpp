// Each process's own waiting in the coupling loop (docs/definitions.md, section 2): its own time in exchanges.
// The waiting of the component lasts from the last process's arrival to the last one's leaving instead.
#pragma once

#include "data/balance.hpp"
#include "data/events.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {

// The time that one process spends in exchanges in an interval.
struct ExchangeTime {
    Nanoseconds time = 0;
    bool any = false; // one of its exchanges touches the interval

    friend bool operator==(const ExchangeTime &, const ExchangeTime &) = default;
};

// The union of the exchanges [s, e] of the row, less the events of other kinds inside them. class_of_event: for each
// event, its place in kind_of_class.
[[nodiscard]] ExchangeTime exchange_time(const Row &row, std::span<const std::uint32_t> class_of_event,
                                         std::span<const Kind> kind_of_class, Interval within);

// What a process did in the loop outside of its exchanges and outside of other components (away) while it was there
// (running). NaN if it has no exchange in the loop, because its waiting is then not known.
[[nodiscard]] double computing_in_loop_s(const ExchangeTime &own, Interval loop, Interval running,
                                         std::span<const Interval> away);

// The same for events that arrive in blocks and do not overlap.
class ExchangeTimeOfWholeEvents {
public:
    ExchangeTimeOfWholeEvents(std::span<const Kind> kind_of_class, Interval within)
        : kind_of_class_(kind_of_class), within_(within) {}
    // Returns false from then on if events overlap or are absent: use exchange_time() for those.
    [[nodiscard]] bool add(std::span<const std::uint32_t> class_of_event, std::span<const Nanoseconds> start,
                           std::span<const Nanoseconds> stop);
    [[nodiscard]] const ExchangeTime &found() const { return found_; }

private:
    std::span<const Kind> kind_of_class_;
    Interval within_;
    ExchangeTime found_;
    Nanoseconds until_ = absent; // the smallest number there is
    bool whole_ = true;
};

// The sum over the processes with an exchange in the loop. Whole nanoseconds make it independent of the order. It has
// no padding, because it is sent.
struct ProcessWaitingSum {
    WideNanoseconds sum = 0;
    Nanoseconds least = std::numeric_limits<Nanoseconds>::max(), most = 0;
    std::int64_t processes = 0, unused = 0;

    void add(const ExchangeTime &of_one);
    void add(const ProcessWaitingSum &other);
    [[nodiscard]] Spread seconds() const;
    friend bool operator==(const ProcessWaitingSum &, const ProcessWaitingSum &) = default;
};

// For rows of one component whose table of events and window are known. Without a window all results are empty.
class ProcessWaiting {
public:
    // `keys` outlives this object, and its classes do not change.
    ProcessWaiting(const EventKeys &keys, const Window &window);
    ExchangeTime add(const Row &row); // returns what it added
    [[nodiscard]] const ProcessWaitingSum &sum() const { return sum_; }

private:
    std::span<const std::uint32_t> class_of_event_;
    std::vector<Kind> kind_of_class_;
    Interval loop_;
    bool has_loop_ = false;
    ProcessWaitingSum sum_;
};

} // namespace cpl_lb
