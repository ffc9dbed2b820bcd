// Omega_p, the waiting of process p (docs/definitions.md, section 2), depends only on which events p took part in and
// which of them lie inside its exchanges. This is the pattern of p. Most runs have few patterns, so the waiting of
// each pattern is worked out once.
//
// A sweep in the order of S_k makes Omega_p. Each exchange of p adds the part of its [S_k, E_k] that no earlier one
// covers, so that every instant belongs to the covering event with the smallest S_k (of equals, to the earlier in the
// table). The [S_m, E_m] of other kinds inside p's exchanges are taken out.
#pragma once

#include "analysis/event_roles.hpp"
#include "analysis/segments.hpp"
#include "data/events.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

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
    // The parts whose means count a process with this pattern: as one of C, or because nobody exchanges there.
    [[nodiscard]] PartFlags counting(const WaitingPattern &pattern) const {
        return all_parts & (pattern.touched | ~touched_by_anyone_);
    }

private:
    // Sorts by S; events with the same S stay in the order of the table.
    void sort_by_waiting(std::vector<EventIndex> &list) const;
    [[nodiscard]] PartFlags touched_by(const EventSpan &span) const;
    void order_exchanges();
    void note_presence(const Row &row);
    // Moves the least recently used pattern, or a new one, to the front.
    WaitingPattern &make_room();
    void list_nested(const EventSet &nested);
    template <class Sink>
    void for_each_piece(WaitingPattern &pattern, Sink &&sink);
    void sweep(WaitingPattern &pattern);

    std::span<const EventSpan> spans_;
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
