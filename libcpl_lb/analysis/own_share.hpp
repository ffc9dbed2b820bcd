// Pass 2 of the load balance: the part of a process's share that differs from process to process. These are the
// durations of its operations, and the parts of its operations and of its time away that lie outside its waiting. The
// waiting comes from waiting_patterns.hpp and may be the same for many processes.
#pragma once

#include "analysis/event_roles.hpp"
#include "analysis/intervals.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "analysis/segments.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// Consecutive operations of the table, other events left out, that lie in the same parts of the run.
struct OperationsInParts {
    std::uint64_t operations = 0;
    PartFlags parts = 0;
};
[[nodiscard]] std::vector<OperationsInParts>
operations_in_parts(const EventRoles &roles, std::span<const EventSpan> spans, const ByPart<Interval> &parts);

// Makes a list a source of intervals (intervals.hpp).
inline auto source_of(std::span<const Interval> list) {
    return [next = list.begin(), end = list.end()](Interval &out) mutable {
        if (next == end) return false;
        out = *next++;
        return true;
    };
}

class OwnShare {
public:
    // `roles` and the ends of segments outlive this object. fine_ends: with all steps (or without, if nobody is ever
    // away). coarse_ends: without steps.
    OwnShare(const EventRoles &roles, std::span<const OperationsInParts> operations,
             std::span<const Nanoseconds> fine_ends, std::span<const Nanoseconds> coarse_ends);

    // Reads the events of a process: the row has one element for each event. Afterwards `nested` holds its events of
    // other kinds inside exchanges; it has a bit for each event.
    void walk(const Row &row, EventSet &nested);

    // After walk(): each_waiting(visit) calls visit(Interval) for the pieces of Omega_p, ascending and disjoint.
    template <class EachWaiting>
    void lay_beside(const Row &row, EachWaiting each_waiting) {
        operations_beside_.reset();
        was_away_ = !row.away.empty();
        if (was_away_) away_beside_.reset(); // clears all steps
        const auto add_operation = [this](Interval rest) { operations_beside_.add(rest); };
        const auto add_away = [this](Interval rest) { away_beside_.add(rest); };
        Remainder operations(UnionStream(source_of(operations_)), add_operation);
        Remainder away(source_of(row.away), add_away);
        each_waiting([&](Interval waiting) {
            operations.take_out(waiting);
            away.take_out(waiting);
        });
        operations.finish();
        away.finish();
    }
    // Adds all but the pure waiting, and does not count the process. `counting`: the parts whose means count it.
    void add_to(Share &sum, PartFlags counting) const;

private:
    // One process's own durations of the events of one kind of operation that lie in the same parts of the run.
    struct OwnDurations {
        WideNanoseconds sum = 0;
        bool any = false;
    };
    static constexpr std::size_t operation_kinds = 3; // mapping, output, restart

    [[nodiscard]] IntervalShare own_durations_in(std::size_t part) const;

    const EventRoles &roles_;
    bool has_window_ = false;
    std::vector<std::uint8_t>
        place_in_own_; // by operation: flags of the parts times operation_kinds, plus its kind's place

    // The members below belong to the current row.
    RowOrder order_;
    NestingStack stack_;
    std::vector<Interval> operations_; // by start
    bool was_away_ = false;
    std::array<OwnDurations, (std::size_t{1} << part::count) * operation_kinds> own_{};
    SegmentSums away_beside_, operations_beside_; // outside Omega_p
};

void add_by_step(std::vector<WideNanoseconds> &sum, std::span<const Nanoseconds> steps);

} // namespace cpl_lb
