// Omega_p, the waiting of process p (docs/definitions.md, section 2), depends only on which events p took part in and
// which of them lie inside its exchanges. This is the pattern of p. Most runs have few patterns, so the waiting of
// each pattern is worked out once.
//
// A sweep in the order of S_k makes Omega_p. Each exchange of p adds the part of its [S_k, E_k] that no earlier one
// covers, so that every instant belongs to the covering event with the smallest S_k (of equals, to the one with the
// latest E_k, then to the earlier in the table). The [S_m, E_m] of other kinds inside p's exchanges are taken out.
// Its length is added up by segment: start-up, each step of the coupling loop, shut-down.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "data/balance.hpp"
#include "data/event_keys.hpp"
#include "data/events.hpp"
#include "data/time.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// The role of a class of events in the figures of the coupling loop, looked up once for each class.
class EventRoles {
public:
    enum class Role : std::uint8_t { none, put, get, sync, mapping, output, restart, other };

    // `keys` outlives this object, and its classes do not change.
    explicit EventRoles(const EventKeys &keys);

    [[nodiscard]] std::size_t size() const { return class_of_.size(); }
    [[nodiscard]] Role role(EventIndex k) const { return classes_[class_of_[k]].role; }
    [[nodiscard]] std::uint32_t counterpart(EventIndex k) const { return classes_[class_of_[k]].counterpart; }
    [[nodiscard]] bool is_exchange(EventIndex k) const { return is_exchange(role(k)); }
    [[nodiscard]] static bool is_exchange(Role role) { return role >= Role::put && role <= Role::sync; }
    [[nodiscard]] bool is_operation(EventIndex k) const {
        return role(k) >= Role::mapping && role(k) <= Role::restart;
    }

    // Whether there are events with these roles; a class without events does not count.
    [[nodiscard]] bool any_operation() const { return any_operation_; }
    [[nodiscard]] bool any_other_kind() const { return any_other_kind_; } // of a kind that can lie inside an exchange
    [[nodiscard]] std::uint32_t highest_counterpart() const { return highest_counterpart_; }

private:
    struct Class {
        Role role = Role::none;
        std::uint32_t counterpart = 0;
    };
    std::vector<Class> classes_;
    std::span<const std::uint32_t> class_of_;
    bool any_operation_ = false, any_other_kind_ = false;
    std::uint32_t highest_counterpart_ = 0; // among exchanges
};

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

// Ends of the segments: {init, t0, ..., t1, terminate} with all steps, {init, t0, t1, terminate} without, or
// {init, terminate} if there is no window.
[[nodiscard]] std::vector<Nanoseconds> segment_ends(const Window &window, Interval run, bool with_steps);

// The intervals that have figures.
namespace part {
enum : std::size_t { startup, loop, shutdown, whole, count };
}
using PartFlags = std::uint32_t; // bit i: part i
constexpr PartFlags flag(std::size_t part) {
    return 1U << part;
}
inline constexpr PartFlags all_parts = flag(part::count) - 1;
// A value for each interval.
template <class Value>
using ByPart = std::array<Value, part::count>;
// Without a window only `whole` has a length.
[[nodiscard]] ByPart<Interval> parts_of(const Window &window, Interval run);

class SegmentSums {
public:
    // `ends` outlives this object.
    explicit SegmentSums(std::span<const Nanoseconds> ends) : ends_(ends) {}

    // Called before the first use, too: sums that nobody adds to need no memory.
    void reset() {
        sums_.reserve(ends_.size() - 1);
        prefer_large_pages(sums_);
        sums_.assign(ends_.size() - 1, 0);
        segment_ = 0;
    }
    // Adds a piece. Pieces come in ascending order. Time outside the partition is not counted.
    void add(Interval piece) {
        piece.start = std::max(piece.start, ends_.front());
        piece.stop = std::min(piece.stop, ends_.back());
        while (piece.start < piece.stop) {
            while (piece.start >= ends_[segment_ + 1])
                ++segment_;
            const Nanoseconds stop = std::min(piece.stop, ends_[segment_ + 1]);
            sums_[segment_] += stop - piece.start;
            piece.start = stop;
        }
    }
    // The sums of all segments.
    [[nodiscard]] std::span<const Nanoseconds> sums() const { return sums_; }
    // The sums of the steps of the loop alone, if there is a window.
    [[nodiscard]] std::span<const Nanoseconds> steps() const { return sums().subspan(1, sums_.size() - 2); }
    // Without a window only `whole` has a meaning.
    [[nodiscard]] ByPart<Nanoseconds> by_part() const;

private:
    std::span<const Nanoseconds> ends_;
    std::vector<Nanoseconds> sums_;
    std::size_t segment_ = 0;
};

struct WaitingPattern {
    // The pattern: exchanges (and maybe more) that the process took part in, and events of other kinds inside them.
    EventSet present, nested;

    // The results for this pattern.
    explicit WaitingPattern(std::span<const Nanoseconds> ends) : by_step(ends) {}
    bool keeps_omega = false;
    std::vector<Interval> omega; // Omega_p, ascending and disjoint, if it was asked for
    SegmentSums by_step;         // length of Omega_p in each segment
    ByPart<Nanoseconds> by_part{};
    std::vector<Nanoseconds> for_get, for_put, for_sync; // by counterpart; in the loop
    PartFlags touched = 0;                               // parts that an exchange of the process touches
};

class WaitingPatterns {
public:
    // `events`, `roles` and `ends` (the segments with all steps) outlive this object. `processes`: their number, so
    // that exchanges of all processes are not searched in each row; 0: not known.
    WaitingPatterns(const EventTable &events, const EventRoles &roles, std::span<const Nanoseconds> ends,
                    const ByPart<Interval> &parts, std::int32_t counterparts, std::int64_t processes);

    // The pattern of the process with this row and these events inside its exchanges, valid until the next call.
    [[nodiscard]] const WaitingPattern &of(const Row &row, const EventSet &nested, bool with_omega);
    // Whether every process took part in every exchange, as far as their number is known.
    [[nodiscard]] bool all_take_part() const { return processes_known_ && somewhere_.empty(); }
    // The parts whose means count a process with this pattern: as one of C, or because nobody exchanges there.
    [[nodiscard]] PartFlags counting(const WaitingPattern &pattern) const {
        return all_parts & (pattern.touched | ~touched_by_anyone_);
    }

private:
    // Sorts by S, then from the latest E; events with the same times stay in the order of the table.
    void sort_by_waiting(std::vector<EventIndex> &list) const;
    [[nodiscard]] PartFlags touched_by(const EventSpan &span) const;
    void note_presence(const Row &row);
    void list_nested(const EventSet &nested);
    template <class Sink>
    void for_each_piece(WaitingPattern &pattern, Sink &&sink);
    void sweep(WaitingPattern &pattern);

    const EventSpans &spans_;
    const EventRoles &roles_;
    std::span<const Nanoseconds> ends_;
    ByPart<Interval> parts_;
    std::size_t counterparts_ = 0;           // ids from 0
    std::vector<EventIndex> exchange_order_; // by S; empty: the table is in that order
    PartFlags touched_by_anyone_ = 0;
    bool processes_known_ = false;
    EventSet everywhere_;               // exchanges of all processes, if their number is known
    std::vector<EventIndex> somewhere_; // the other exchanges
    EventSet present_;                  // exchanges in the current row
    std::vector<EventIndex> nested_;    // by S
    std::vector<WaitingPattern> kept_;  // the latest first
    std::size_t most_kept_ = 1;
};

} // namespace cpl_lb
