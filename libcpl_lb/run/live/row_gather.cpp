// Brings the rows of all processes into the timeline's file, block by block.
#include "run/live/row_gather.hpp"

#include "analysis/load_balance.hpp"
#include "support/large_pages.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int row_tag = 16;
constexpr std::size_t piece_events = std::size_t{1} << 15U; // 512 KiB of starts and stops
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

RowGather::RowGather(Group &group, std::span<const std::int32_t> nodes, OwnRow &row, std::size_t events,
                     std::int64_t away_intervals)
    : group_(group), nodes_(nodes), row_(row), events_(events), away_intervals_(away_intervals),
      writers_(static_cast<std::size_t>(group.size())) {}

template <class Action>
void RowGather::attempt(Action action) {
    try {
        action();
    } catch (const std::exception &e) {
        if (error_.empty()) error_ = in_words(e);
    }
}

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

// The leader says how the rows go; those who could write them see whether they reach the file.
bool RowGather::agree_on_way(RowSink *sink) {
    WireWriter out;
    RowPlace place;
    if (group_.leads() && sink->good()) {
        const std::optional<RowPlace> handed = sink->hand_over();
        if (handed) attempt([&] { file_ = std::make_unique<RowFile>(*handed); });
        if (!error_.empty()) sink->fail(error_);
        if (sink->good()) way_ = handed ? Way::fixed_places : Way::in_pieces;
        if (handed) place = *handed;
    }
    out.put(way_);
    out.put(place.file);
    out.put(place.result);
    out.put(std::array<std::uint64_t, 6>{place.start_at, place.stop_at, place.raster_at,
                                         static_cast<std::uint64_t>(place.events), place.device, place.inode});
    Bytes bytes = out.take();
    if (!group_.broadcast_all(bytes)) return false;
    WireReader in(bytes);
    way_ = in.get<Way>();
    if (way_ != Way::fixed_places) return true;
    place.file = in.get_text();
    place.result = in.get_text();
    const auto numbers = in.get<std::array<std::uint64_t, 6>>();
    in.finish("the place of rows");
    const auto me = static_cast<std::size_t>(group_.index());
    if (!group_.leads() && nodes_[me] == nodes_[0]) {
        place.start_at = numbers[0];
        place.stop_at = numbers[1];
        place.raster_at = numbers[2];
        place.events = static_cast<std::int64_t>(numbers[3]);
        place.device = numbers[4];
        place.inode = numbers[5];
        attempt([&] { file_ = std::make_unique<RowFile>(place); });
        error_.clear(); // the file is out of reach (a container): the row goes to the leader
    }
    return agree_on_writers();
}

bool RowGather::agree_on_writers() {
    writers_[static_cast<std::size_t>(group_.index())] = file_ ? 1 : 0;
    // Processes of another node cannot write, and all know that.
    if (std::count(nodes_.begin(), nodes_.end(), nodes_[0]) == 1) {
        writers_[0] = 1;
        return true;
    }
    const auto either = [](std::uint8_t &mine, std::uint8_t theirs) { mine |= theirs; };
    return group_.reduce(std::span(writers_), either) &&
           group_.broadcast(std::as_writable_bytes(std::span(writers_)));
}

bool RowGather::rows_to_file(RowSink *sink, std::span<EventSpan> spans) {
    if (file_) write_own_row();
    if (!group_.leads()) return writes(group_.index()) || send_row();
    if (way_ == Way::in_pieces) {
        take_piece(0, 0, row_.whole(), *sink, spans);
        take_raster(0, row_.raster(), *sink);
    }
    return receive_rows(*sink, spans);
}

void RowGather::write_own_row() {
    attempt([&] { row_.write_to(*file_, group_.index(), group_.index() % 2 != 0); });
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

// Of the rows that their processes wrote; the others have been added as they passed.
bool RowGather::spans_from_file(std::span<EventSpan> spans) {
    std::vector<int> processes;
    for (int i = 0; i < group_.size(); ++i)
        if (writes(i)) processes.push_back(i);
    if (processes.size() == 1) {
        if (!group_.leads()) return true;
        add_row(spans, row_.whole());
        attempt([&] { file_->close(); });
        return true;
    }
    if (!writes(group_.index())) return true;
    const auto mine =
        static_cast<std::size_t>(std::find(processes.begin(), processes.end(), group_.index()) - processes.begin());
    const Part part = part_of(mine, processes.size());
    std::vector<EventSpan> of_part(part.events);
    attempt([&] {
        file_->add_to(of_part, processes, static_cast<std::int64_t>(part.first));
        file_->close();
    });
    Transport &t = group_.transport();
    if (!group_.leads()) return t.send(group_.ranks().front(), row_tag, std::as_bytes(std::span(of_part)));
    for (std::size_t w = 0; w < processes.size(); ++w) {
        const Part theirs = part_of(w, processes.size());
        of_part.resize(theirs.events);
        const int rank = group_.ranks()[static_cast<std::size_t>(processes[w])];
        if (w > 0 && !t.receive(rank, row_tag, std::as_writable_bytes(std::span(of_part)))) return false;
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
    for (std::size_t at = 0; at < row.start.size(); at += piece_events, turn = 1 - turn) {
        if (!t.wait(sends[turn])) return false;
        const auto n = static_cast<std::ptrdiff_t>(std::min(piece_events, row.start.size() - at));
        const auto first = static_cast<std::ptrdiff_t>(at);
        piece.assign(row.start.begin() + first, row.start.begin() + first + n);
        piece.insert(piece.end(), row.stop.begin() + first, row.stop.begin() + first + n);
        sends[turn] = t.start_send(leader, row_tag, std::as_bytes(std::span(piece)));
    }
    return t.wait(sends) && t.send(leader, row_tag, std::as_bytes(row_.raster()));
}

// Of those that do not write themselves, one after the other.
bool RowGather::receive_rows(RowSink &sink, std::span<EventSpan> spans) {
    for (int process = 1; process < group_.size(); ++process) {
        if (!writes(process) && !receive_row(static_cast<std::size_t>(process), sink, spans)) return false;
    }
    return true;
}

// A few receives ahead of the piece that is worked on.
bool RowGather::receive_row(std::size_t process, RowSink &sink, std::span<EventSpan> spans) {
    Transport &t = group_.transport();
    const std::size_t pieces = (events_ + piece_events - 1) / piece_events;
    std::array<Letter, pieces_ahead> letters;
    const auto length_of = [&](std::size_t piece) { return std::min(piece_events, events_ - piece * piece_events); };
    const auto ask_for = [&](std::size_t piece) {
        letters[piece % pieces_ahead] =
            t.start_receive(group_.ranks()[process], row_tag, 2 * length_of(piece) * sizeof(Nanoseconds));
    };
    for (std::size_t piece = 0; piece < std::min(pieces, pieces_ahead); ++piece)
        ask_for(piece);
    Row row;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        Letter &letter = letters[piece % pieces_ahead];
        if (!t.wait(letter)) return false;
        WireReader in(letter.data());
        in.get_values(length_of(piece), row.start);
        in.get_values(length_of(piece), row.stop);
        in.finish("a row");
        if (piece + pieces_ahead < pieces) ask_for(piece + pieces_ahead);
        take_piece(process, piece * piece_events, row, sink, spans);
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
