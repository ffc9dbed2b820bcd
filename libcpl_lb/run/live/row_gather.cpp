// Brings the rows of all processes into the timeline's file, block by block.
#include "run/live/row_gather.hpp"

#include "analysis/load_balance.hpp"
#include "support/large_pages.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int row_tag = 16;
constexpr std::int64_t piece_events = std::int64_t{1} << 15U; // 512 KiB of starts and stops
constexpr std::size_t pieces_ahead = 4;

} // namespace

// What one process, or several, say of their rows: the first failure.
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
    if (group_.leads()) make_spans(spans);
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
    const bool done = group_.reduce(std::span(spans), unite_spans);
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

bool RowGather::rows_to_file(RowSink *sink, std::span<EventSpan> spans) {
    const int me = group_.index();
    if (way_of(me) != RowsOf::others) write_own_row();
    if (!group_.leads()) return way_of(me) == RowsOf::own_node || send_row();
    if (way_ == Way::in_pieces) {
        take_piece(0, 0, row_.whole(), *sink, spans);
        take_raster(0, row_.raster(), *sink);
    }
    return receive_rows(*sink, spans);
}

// What of the row of a process goes to the leader, in pieces.
std::vector<EventRange> RowGather::events_to_send(int index) const {
    const auto end = static_cast<std::int64_t>(events_);
    std::vector<EventRange> rest = {{0, end}};
    if (way_ == Way::fixed_places && way_of(index) == RowsOf::own_pages) {
        const EventRange own = own_events(index);
        if (!own.empty()) rest = {{0, own.first}, {own.end, end}};
    }
    std::vector<EventRange> pieces;
    for (EventRange r : rest)
        for (; !r.empty(); r.first += piece_events)
            pieces.push_back({r.first, std::min(r.first + piece_events, r.end)});
    return pieces;
}

void RowGather::write_own_row() {
    const int me = group_.index();
    attempt([&] {
        if (way_of(me) == RowsOf::own_node) return row_.write_to(*file_, me, me % 2 != 0);
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

// Of the rows that their processes wrote; what was sent has been added as it passed.
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
    return firsts.reduce(spans, unite_spans);
}

// Of a part of the events, what the rows say that were written on this node.
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
    std::vector<EventSpan> of_part(part.events);
    attempt([&] { add_part(writers, part, of_part); });
    Transport &t = group_.transport();
    const auto rank_of = [&](int index) { return group_.ranks()[static_cast<std::size_t>(index)]; };
    if (mine > 0) return t.send(rank_of(writers.front()), row_tag, std::as_bytes(std::span(of_part)));
    for (std::size_t w = 0; w < writers.size(); ++w) {
        const Part theirs = part_of(w, writers.size());
        of_part.resize(theirs.events);
        if (w > 0 && !t.receive(rank_of(writers[w]), row_tag, std::as_writable_bytes(std::span(of_part))))
            return false;
        for (std::size_t k = 0; k < of_part.size(); ++k)
            unite_spans(spans[theirs.first + k], of_part[k]);
    }
    return true;
}

// A piece: its starts, then its stops. Two are under way at a time. The raster comes last.
bool RowGather::send_row() {
    Transport &t = group_.transport();
    const int leader = group_.ranks().front();
    std::vector<Nanoseconds> piece;
    std::array<Letter, 2> sends;
    std::size_t turn = 0;
    const Row &row = row_.whole();
    for (const EventRange &range : events_to_send(group_.index())) {
        if (!t.wait(sends[turn])) return false;
        piece.assign(row.start.begin() + range.first, row.start.begin() + range.end);
        piece.insert(piece.end(), row.stop.begin() + range.first, row.stop.begin() + range.end);
        sends[turn] = t.start_send(leader, row_tag, std::as_bytes(std::span(piece)));
        turn = 1 - turn;
    }
    return t.wait(sends) && t.send(leader, row_tag, std::as_bytes(row_.raster()));
}

// Of those that do not write themselves, or not all, one after the other.
bool RowGather::receive_rows(RowSink &sink, std::span<EventSpan> spans) {
    for (int process = 1; process < group_.size(); ++process) {
        if (way_of(process) == RowsOf::own_node) continue;
        if (!receive_row(static_cast<std::size_t>(process), sink, spans)) return false;
    }
    return true;
}

// A few receives ahead of the piece that is worked on.
bool RowGather::receive_row(std::size_t process, RowSink &sink, std::span<EventSpan> spans) {
    Transport &t = group_.transport();
    const std::vector<EventRange> pieces = events_to_send(static_cast<int>(process));
    std::array<Letter, pieces_ahead> letters;
    const auto length_of = [&](std::size_t piece) {
        return static_cast<std::size_t>(pieces[piece].end - pieces[piece].first);
    };
    const auto ask_for = [&](std::size_t piece) {
        letters[piece % pieces_ahead] =
            t.start_receive(group_.ranks()[process], row_tag, 2 * length_of(piece) * sizeof(Nanoseconds));
    };
    for (std::size_t piece = 0; piece < std::min(pieces.size(), pieces_ahead); ++piece)
        ask_for(piece);
    Row row;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        Letter &letter = letters[piece % pieces_ahead];
        if (!t.wait(letter)) return false;
        WireReader in(letter.data());
        in.get_values(length_of(piece), row.start);
        in.get_values(length_of(piece), row.stop);
        in.finish("a row");
        if (piece + pieces_ahead < pieces.size()) ask_for(piece + pieces_ahead);
        take_piece(process, static_cast<std::size_t>(pieces[piece].first), row, sink, spans);
    }
    std::vector<signed char> raster(raster_bins);
    if (!t.receive(group_.ranks()[process], row_tag, std::as_writable_bytes(std::span(raster)))) return false;
    take_raster(static_cast<int>(process), raster, sink);
    return true;
}

void RowGather::take_piece(std::size_t process, std::size_t first, const Row &piece, RowSink &sink,
                           std::span<EventSpan> spans) {
    add_row(spans.subspan(first, piece.start.size()), piece);
    const auto index = static_cast<int>(process);
    if (!file_) return sink.piece(index, first, piece);
    attempt([&] { file_->write(index, static_cast<std::int64_t>(first), piece.start, piece.stop); });
}

void RowGather::take_raster(int process, std::span<const signed char> kinds, RowSink &sink) {
    if (!file_) return sink.raster(process, kinds);
    attempt([&] { file_->write_raster(process, kinds); });
}

} // namespace cpl_lb
