// Pass 2 of the load balance for many processes of one component: what depends on the events and the window
// alone is worked out once, the waiting once for each pattern (waiting_patterns.hpp), buffers are kept from row to
// row.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "analysis/waiting_patterns.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareCalculator {
public:
    // `events` outlives this object. `processes`: how many rows there are in all, 0: not known.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts,
                    std::int64_t processes = 0);
    ShareCalculator(const ShareCalculator &) = delete; // its parts look at each other
    ShareCalculator &operator=(const ShareCalculator &) = delete;

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);

private:
    // Own durations of one process: of the events of one kind of operation that lie in the same parts of the run.
    struct OwnDurations {
        WideNanoseconds sum = 0;
        bool any = false;
    };
    static constexpr std::size_t operation_kinds = 3; // mapping, output, restart

    void note_places();
    [[nodiscard]] IntervalShare own_durations_in(std::size_t part) const;
    void walk_nesting(const Row &row);
    void add_beside_waiting(const Row &row, const WaitingPattern &pattern);
    void collect(const Row &row, const WaitingPattern &pattern, Share &sum) const;

    const std::vector<EventSpan> &spans_;
    EventRoles roles_;
    bool has_window_ = false;
    ByPart<Interval> parts_;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_; // of segments: with the steps, and without
    WaitingPatterns patterns_;
    std::vector<std::uint8_t>
        place_in_own_; // of operations: flags of the parts times operation_kinds, and which kind

    // Of the row at hand.
    RowOrder order_;
    NestingStack stack_;
    EventSet nested_;                  // of other kinds, inside exchanges
    std::vector<Interval> operations_; // by start
    std::array<OwnDurations, (std::size_t{1} << part::count) * operation_kinds> own_{};
    SegmentSums away_beside_, operations_beside_; // outside Omega_p
};

} // namespace cpl_lb
