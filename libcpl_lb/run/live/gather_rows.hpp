// Brings the rows of all processes of a component into its timeline's file, and makes the events' spans from them.
//
// Each process that wrote its row reads its part of the events of all rows of its node back from the page cache, and
// sends the leader their spans. Rows of other nodes go through the leader. Without a file the spans are a reduction
// by messages.
#pragma once

#include "analysis/intervals.hpp"
#include "run/live/own_row.hpp"
#include "run/live/row_plan.hpp"

#include <span>
#include <vector>

namespace cpl_lb {

struct GatheredRows {
    std::vector<EventSpan> spans; // of each event, on the leader
    bool wrote_itself = false;    // this process wrote its times
};

// All three functions are collective over the group.

// nodes: the node of each process of the group. events, away_intervals: the numbers of all, known to all. keys, sink:
// on the leader.
[[nodiscard]] GatheredRows gather_rows(Group &group, const NumberList &nodes, OwnRow &row, std::size_t events,
                                       std::int64_t away_intervals, EventKeys &keys, RowSink *sink);
// For a run without a timeline: the spans, on the leader.
[[nodiscard]] std::vector<EventSpan> reduce_spans(Group &group, OwnRow &row, std::size_t events);
// The times away of all, on the leader: they go up the tree as one list.
[[nodiscard]] TimesAway gather_away(Group &group, std::span<const Interval> row);

} // namespace cpl_lb
