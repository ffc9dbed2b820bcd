// Pass 2 of the load balance for many processes of one component. What depends only on the events and the window is
// calculated once, and the waiting once for each pattern (waiting_patterns.hpp). Buffers are kept from row to row.
// OwnShare is the part that differs from process to process: the durations of its operations, and the parts of its
// operations and of its time away that lie outside its waiting.
#pragma once

#include "analysis/intervals.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "analysis/waiting_patterns.hpp"

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
[[nodiscard]] std::vector<OperationsInParts> operations_in_parts(const EventRoles &roles, const EventSpans &spans,
                                                                 const ByPart<Interval> &parts);

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

class ShareCalculator {
public:
    // `events` outlives this object. `processes`: the number of all rows; 0: not known.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts,
                    std::int64_t processes = 0);
    ShareCalculator(const ShareCalculator &) = delete; // its parts refer to each other
    ShareCalculator &operator=(const ShareCalculator &) = delete;

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);
    // The same for the last row, whose times are given back before the sums by step need memory.
    void add_last(Row row, Share &sum);
    // False: a row without times, only with its time away, has the same share.
    [[nodiscard]] bool looks_at_times() const { return roles_.any_other_kind() || !patterns_.all_take_part(); }

    // The same in parts, for processes that all took part in the same events, with the same events inside exchanges.
    // Their waiting is one pattern, that of any row, valid until the next call. Each works out its own operations and
    // time away (OwnShare), from the operations' places and, if wanted, from Omega_p. walk() returns the row's events
    // of other kinds inside its exchanges; the next three functions are for that row.
    const EventSet &walk(const Row &row);
    [[nodiscard]] const WaitingPattern &waiting_of(const Row &row, bool with_omega);
    void add_waiting(const WaitingPattern &pattern, Share &sum) const;
    void add_own(const Row &row, const WaitingPattern &pattern, Share &sum);
    [[nodiscard]] const std::vector<OperationsInParts> &operations() const { return places_of_operations_; }
    [[nodiscard]] const std::vector<Nanoseconds> &coarse_ends() const { return coarse_ends_; }
    [[nodiscard]] const std::vector<Nanoseconds> &fine_ends() const { return fine_ends_; }

private:
    const WaitingPattern &pattern_of(const Row &row);

    EventRoles roles_;
    std::vector<std::uint32_t> counterparts_; // of the exchanges, ascending
    bool has_window_ = false;
    ByPart<Interval> parts_;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_; // ends of the segments, with the steps and without
    WaitingPatterns patterns_;
    std::vector<OperationsInParts> places_of_operations_;
    OwnShare own_;
    EventSet nested_; // the current row's events of other kinds inside exchanges
};

} // namespace cpl_lb
