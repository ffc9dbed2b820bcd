// Pass 2 of the load balance for many processes of one component: what depends on the events and the window
// alone is worked out once, the waiting once for each pattern (waiting_patterns.hpp), buffers are kept from row to
// row.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "analysis/waiting_patterns.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareCalculator {
public:
    // `events` outlives this object.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts);
    ShareCalculator(const ShareCalculator &) = delete; // its parts look at each other
    ShareCalculator &operator=(const ShareCalculator &) = delete;

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);

private:
    // Own durations of one process in one part of the run.
    struct Operations {
        WideNanoseconds mapping = 0, output = 0, restart = 0;
        bool mapped = false, put_out = false, restarted = false;
    };

    void add_operation(EventIndex k, Nanoseconds own);
    void walk_nesting(const Row &row);
    void add_beside_waiting(const Row &row, const WaitingPattern &pattern);
    void collect(const Row &row, const WaitingPattern &pattern, Share &sum) const;

    const std::vector<EventSpan> &spans_;
    EventRoles roles_;
    bool has_window_ = false;
    ByPart<Interval> parts_;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_; // of segments: with the steps, and without
    WaitingPatterns patterns_;

    // Of the row at hand.
    RowOrder order_;
    NestingStack stack_;
    std::vector<EventIndex> nested_;   // of other kinds, inside exchanges; by S
    std::vector<Interval> operations_; // by start
    ByPart<Operations> own_{};
    SegmentSums away_beside_, operations_beside_; // outside Omega_p
};

} // namespace cpl_lb
