// Brings the rows of all processes into the timeline's file, block by block.
#include "run/live/row_gather.hpp"

#include "analysis/load_balance.hpp"
#include "mpi/packed_times.hpp"
#include "support/large_pages.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <set>
#include <utility>

namespace cpl_lb {

// The first failure with the rows of one or several processes.
struct RowGather::Outcome {
    std::array<char, 512> why{}; // empty: good
};

void unite_spans(EventSpan &mine, const EventSpan &theirs) {
    mine.first_start = std::min(mine.first_start, theirs.first_start);
    mine.last_start = std::max(mine.last_start, theirs.last_start);
    mine.last_stop = std::max(mine.last_stop, theirs.last_stop);
    mine.processes += theirs.processes;
}

RowGather::RowGather(Group &group, NumberList nodes, OwnRow &row, std::size_t events, std::int64_t away_intervals)
    : group_(group), nodes_(std::move(nodes)), row_(row), events_(events), away_intervals_(away_intervals),
      writers_(static_cast<std::size_t>(group.size())) {}

bool RowGather::run(RowSink *sink, EventKeys &keys, std::vector<EventSpan> &spans) {
    if (group_.leads()) sink->open(keys, away_intervals_);
    if (!gather_away(sink) || !agree_on_way(sink)) return false;
    if (way_ == Way::no_file) return reduce(spans);
    bool good = true;
    if (!rows_to_file(sink, spans) || !all_good(sink, good)) return false;
    if (way_ == Way::in_pieces) return true; // a compressed file's errors are the leader's own, and it has the spans
    if (good && (!spans_from_file(spans) || !all_good(sink, good))) return false;
    file_.reset();
    return good || reduce(spans);
}

void RowGather::make_spans(std::vector<EventSpan> &spans) const {
    spans.clear();
    spans.reserve(events_);
    prefer_large_pages(spans);
    spans.resize(events_);
}

bool RowGather::reduce(std::vector<EventSpan> &spans) {
    make_spans(spans);
    add_row(spans, row_.whole());
    const bool done = group_.reduce_packed<PackedSpans>(std::span(spans), unite_spans);
    if (!group_.leads()) spans = {};
    return done;
}

bool RowGather::gather_away(RowSink *sink) {
    if (away_intervals_ == 0) return true;
    Transport &t = group_.transport();
    if (!group_.leads()) {
        WireWriter out;
        out.put(row_.away());
        return t.send_all(group_.ranks().front(), row_tag, out.take());
    }
    sink->away(0, row_.away());
    Bytes bytes;
    for (int process = 1; process < group_.size(); ++process) {
        if (!t.receive_all(group_.ranks()[static_cast<std::size_t>(process)], row_tag, bytes)) return false;
        WireReader in(bytes);
        const auto intervals = in.get_vector<Interval>();
        in.finish("times away");
        sink->away(process, intervals);
    }
    return true;
}

bool RowGather::rows_to_file(RowSink *sink, std::vector<EventSpan> &spans) {
    const int me = group_.index();
    if (!group_.leads()) {
        if (way_of(me) != RowsOf::others) write_own_row([] {});
        return way_of(me) == RowsOf::own_node || send_row(group_, row_, pieces_to_send(me));
    }
    RowStream rows = ask_for_rows(*sink, spans); // first: they are on their way meanwhile
    make_spans(spans);
    if (way_ == Way::in_pieces) {
        take_piece(0, 0, row_.whole(), *sink, spans);
        take_raster(0, row_.raster(), *sink);
    } else {
        write_own_row([&] { rows.take_what_came(); });
    }
    return rows.finish();
}

// The pieces of a process's row that go to the leader.
std::vector<EventRange> RowGather::pieces_to_send(int index) const {
    const auto end = static_cast<std::int64_t>(events_);
    std::vector<EventRange> rest = {{0, end}};
    if (way_ == Way::fixed_places && way_of(index) == RowsOf::own_pages) {
        const EventRange own = own_events(index);
        if (!own.empty()) rest = {{0, own.first}, {own.end, end}};
    }
    return in_pieces(rest);
}

// Asks the processes that do not write their rows themselves, or not all of them. They are asked at once: their rows
// come while this process writes its own.
RowStream RowGather::ask_for_rows(RowSink &sink, std::vector<EventSpan> &spans) {
    std::vector<int> senders;
    for (int process = 1; process < group_.size(); ++process)
        if (way_of(process) != RowsOf::own_node) senders.push_back(process);
    return {group_,
            std::move(senders),
            {[this](int process) { return pieces_to_send(process); },
             [this, &sink, &spans](int process, std::size_t first, const Row &piece) {
                 take_piece(process, first, piece, sink, spans);
             },
             [this, &sink](int process, std::span<const signed char> kinds) { take_raster(process, kinds, sink); },
             row_.raster_bytes()}};
}

void RowGather::write_own_row(const std::function<void()> &between) {
    const int me = group_.index();
    attempt([&] {
        if (way_of(me) == RowsOf::own_node) return row_.write_to(*file_, me, me % 2 != 0, between);
        if (const EventRange own = own_events(me); !own.empty()) row_.write_part_to(*file_, me, own);
        file_->flush();
    });
}

bool RowGather::all_good(RowSink *sink, bool &good) {
    Outcome outcome;
    error_.copy(outcome.why.data(), outcome.why.size() - 1);
    const auto first = [](Outcome &mine, const Outcome &theirs) {
        if (mine.why[0] == '\0') mine = theirs;
    };
    if (!group_.reduce(std::span(&outcome, 1), first)) return false;
    std::int32_t bad = outcome.why[0] == '\0' ? 0 : 1;
    if (group_.leads() && bad != 0) sink->fail(outcome.why.data());
    if (!group_.broadcast(as_wire_out(bad))) return false;
    good = bad == 0;
    return true;
}

RowGather::Part RowGather::part_of(std::size_t writer, std::size_t writers) const {
    const std::size_t first = events_ * writer / writers;
    return {first, events_ * (writer + 1) / writers - first};
}

// Adds the spans of the rows that their processes wrote. Rows that were sent were added as they passed.
bool RowGather::spans_from_file(std::span<EventSpan> spans) {
    const int me = group_.index();
    std::vector<int> writers; // of this node
    for (const std::int32_t i : nodes_.places_of(node_of(me)))
        if (way_of(i) != RowsOf::others) writers.push_back(i);
    if (way_of(me) == RowsOf::own_node && !spans_of_node(writers, spans)) return false;
    if (way_of(me) == RowsOf::own_pages) {
        std::vector<EventSpan> of_node(writers.front() == me ? events_ : 0);
        if (!spans_of_node(writers, of_node) || !spans_of_other_nodes(of_node)) return false;
    } else if (group_.leads() && !spans_of_other_nodes(spans)) {
        return false;
    }
    if (file_) attempt([&] { file_->close(); });
    return true;
}

// From the first writers of other nodes to the leader.
bool RowGather::spans_of_other_nodes(std::span<EventSpan> spans) {
    std::vector<int> first_of_nodes = {group_.ranks().front()};
    std::set<std::int32_t> nodes;
    for (int i = 0; i < group_.size(); ++i)
        if (way_of(i) == RowsOf::own_pages && nodes.insert(node_of(i)).second)
            first_of_nodes.push_back(group_.ranks()[static_cast<std::size_t>(i)]);
    Group firsts(group_.transport(), first_of_nodes);
    if (!firsts.has(group_.transport().rank())) return true;
    return firsts.reduce_packed<PackedSpans>(spans, unite_spans);
}

// Adds, for a part of the events, the spans of the rows that were written on this node.
void RowGather::add_part(const std::vector<int> &writers, Part part, std::span<EventSpan> spans) {
    if (way_of(writers.front()) == RowsOf::own_node)
        return file_->add_to(spans, writers, static_cast<std::int64_t>(part.first));
    const auto part_first = static_cast<std::int64_t>(part.first);
    for (const int writer : writers) {
        EventRange own = own_events(writer);
        own.first = std::max(own.first, part_first);
        own.end = std::min(own.end, part_first + static_cast<std::int64_t>(part.events));
        if (own.empty()) continue;
        file_->add_to(spans.subspan(static_cast<std::size_t>(own.first - part_first),
                                    static_cast<std::size_t>(own.end - own.first)),
                      std::span(&writer, 1), own.first);
    }
}

// On the first of the writers.
bool RowGather::spans_of_node(const std::vector<int> &writers, std::span<EventSpan> spans) {
    if (writers.size() == 1 && way_of(writers.front()) == RowsOf::own_node) {
        add_row(spans, row_.whole());
        return true;
    }
    const int me = group_.index();
    const auto mine = static_cast<std::size_t>(std::find(writers.begin(), writers.end(), me) - writers.begin());
    const Part part = part_of(mine, writers.size());
    std::vector<EventSpan> of_part(mine > 0 ? part.events : 0);
    const std::span<EventSpan> here = mine > 0 ? std::span(of_part) : spans.subspan(part.first, part.events);
    attempt([&] { add_part(writers, part, here); });
    const auto rank_of = [&](int index) { return group_.ranks()[static_cast<std::size_t>(index)]; };
    const auto from = [&](std::size_t w, std::span<EventSpan> values) {
        return Group(group_.transport(), {rank_of(writers.front()), rank_of(writers[w])}, row_tag)
            .reduce_packed<PackedSpans>(values, unite_spans);
    };
    if (mine > 0) return from(mine, here);
    for (std::size_t w = 1; w < writers.size(); ++w) {
        const Part theirs = part_of(w, writers.size());
        if (!from(w, spans.subspan(theirs.first, theirs.events))) return false;
    }
    return true;
}

void RowGather::take_piece(int process, std::size_t first, const Row &piece, RowSink &sink,
                           std::span<EventSpan> spans) {
    add_row(spans.subspan(first, piece.start.size()), piece);
    if (!file_) return sink.piece(process, first, piece);
    attempt([&] { file_->write(process, static_cast<std::int64_t>(first), piece.start, piece.stop); });
}

void RowGather::take_raster(int process, std::span<const signed char> kinds, RowSink &sink) {
    if (!file_) return sink.raster(process, kinds);
    attempt([&] { file_->write_raster(process, kinds); });
}

} // namespace cpl_lb
