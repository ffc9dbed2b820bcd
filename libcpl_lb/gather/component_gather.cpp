#include "gather/component_gather.hpp"

#include "analysis/share_calculator.hpp"
#include "gather/merge_order.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr int row_tag = 16;
constexpr std::size_t piece_events = std::size_t{1} << 15U; // 512 KiB of starts and stops
constexpr std::size_t pieces_ahead = 4;

// What all processes say, to see whether they say the same.
struct Agreement {
    SequenceHash least, greatest;
    std::int32_t all_dated = 1;
    std::int64_t away_intervals = 0;
};

void agree(Agreement &mine, const Agreement &theirs) {
    mine.least = std::min(mine.least, theirs.least);
    mine.greatest = std::max(mine.greatest, theirs.greatest);
    mine.all_dated = std::min(mine.all_dated, theirs.all_dated);
    mine.away_intervals += theirs.away_intervals;
}

void unite_spans(EventSpan &mine, const EventSpan &theirs) {
    mine.first_start = std::min(mine.first_start, theirs.first_start);
    mine.last_start = std::max(mine.last_start, theirs.last_start);
    mine.last_stop = std::max(mine.last_stop, theirs.last_stop);
    mine.processes += theirs.processes;
}

} // namespace

ComponentGather::ComponentGather(Group &group, const ComponentInput &input, LocalEvents events)
    : group_(group), input_(input), events_(std::move(events)) {}

bool ComponentGather::run(bool rows_wanted, RowSink *sink) {
    if (!agree_on_events()) return false;
    figures_.table.spans.assign(figures_.table.keys.size(), {});
    if (!(rows_wanted ? stream_rows(sink) : reduce_spans())) return false;
    return make_balance();
}

bool ComponentGather::agree_on_events() {
    Agreement a;
    a.least = a.greatest = hash_of(events_);
    // A process with no events has no say about dates.
    a.all_dated = events_.dated || events_.size() == 0 ? 1 : 0;
    a.away_intervals = static_cast<std::int64_t>(events_.away.size());
    if (!group_.reduce(std::span(&a, 1), agree) || !group_.broadcast(as_wire_out(a))) return false;
    use_dates_ = a.all_dated != 0;
    figures_.away_intervals = a.away_intervals;
    if (!use_dates_) a.least.dates = a.greatest.dates = 0;
    same_events_ = a.least == a.greatest;
    if (!same_events_) return merge_events();
    take_leaders_events();
    return true;
}

EventKey ComponentGather::event_key(const OccurrenceKey &key) const {
    const EventClass &c = input_.catalogue->classes[key.event_class];
    return {c.kind, c.field, c.counterpart, key.date, static_cast<std::int64_t>(key.occurrence)};
}

// All processes recorded the same events in the same order: each already holds its row.
void ComponentGather::take_leaders_events() {
    figures_.table.keys.resize(events_.size());
    for_each_key(events_, classes(), use_dates_,
                 [&](std::size_t i, const OccurrenceKey &key) { figures_.table.keys[i] = event_key(key); });
    row_.start = std::move(events_.start);
    row_.stop = std::move(events_.stop);
    row_.away = std::move(events_.away);
    events_ = {};
}

bool ComponentGather::merge_events() {
    std::vector<OccurrenceKey> order;
    if (!merge_order(group_, events_, classes(), use_dates_, order)) return false;
    make_row_from_all(order);
    return true;
}

void ComponentGather::make_row_from_all(const std::vector<OccurrenceKey> &order) {
    figures_.table.keys.resize(order.size());
    std::transform(order.begin(), order.end(), figures_.table.keys.begin(),
                   [&](const OccurrenceKey &key) { return event_key(key); });
    row_ = row_of(events_, classes(), use_dates_, order.size(), Places(order));
}

bool ComponentGather::reduce_spans() {
    add_row(figures_.table.spans, row_);
    return group_.reduce(std::span(figures_.table.spans), unite_spans);
}

bool ComponentGather::stream_rows(RowSink *sink) {
    if (!group_.leads()) return send_row();
    sink->open(figures_.table.keys, figures_.away_intervals);
    take_own_row(*sink);
    return receive_rows(*sink);
}

// A piece: its starts, then its stops. Two are under way at a time.
bool ComponentGather::send_row() {
    Transport &t = group_.transport();
    const int leader = group_.ranks().front();
    std::array<std::vector<Nanoseconds>, 2> pieces;
    std::array<MPI_Request, 2> sends{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::size_t turn = 0;
    for (std::size_t at = 0; at < row_.start.size(); at += piece_events, turn = 1 - turn) {
        if (!t.wait({&sends[turn], 1})) return false;
        const auto n = static_cast<std::ptrdiff_t>(std::min(piece_events, row_.start.size() - at));
        const auto first = static_cast<std::ptrdiff_t>(at);
        pieces[turn].assign(row_.start.begin() + first, row_.start.begin() + first + n);
        pieces[turn].insert(pieces[turn].end(), row_.stop.begin() + first, row_.stop.begin() + first + n);
        sends[turn] = t.start_send(leader, row_tag, std::as_bytes(std::span(pieces[turn])));
    }
    if (!t.wait(sends)) return false;
    if (figures_.away_intervals == 0) return true;
    WireWriter away;
    away.put(row_.away);
    return t.send_all(leader, row_tag, away.take());
}

void ComponentGather::take_own_row(RowSink &sink) {
    add_row(figures_.table.spans, row_);
    sink.piece(0, 0, row_);
    if (!row_.away.empty()) sink.away(0, row_.away);
}

// The pieces of all processes, one after the other, a few receives ahead of the one being worked on.
bool ComponentGather::receive_rows(RowSink &sink) {
    Transport &t = group_.transport();
    const std::size_t events = figures_.table.keys.size();
    const std::size_t pieces = (events + piece_events - 1) / piece_events;
    std::array<std::vector<Nanoseconds>, pieces_ahead> buffers;
    std::array<MPI_Request, pieces_ahead> requests;
    requests.fill(MPI_REQUEST_NULL);
    const auto length_of = [&](std::size_t piece) { return std::min(piece_events, events - piece * piece_events); };
    const auto ask_for = [&](std::size_t process, std::size_t piece) {
        const std::size_t slot = piece % pieces_ahead;
        buffers[slot].resize(2 * length_of(piece));
        requests[slot] =
            t.start_receive(group_.ranks()[process], row_tag, std::as_writable_bytes(std::span(buffers[slot])));
    };
    Row row;
    for (std::size_t process = 1; process < static_cast<std::size_t>(group_.size()); ++process) {
        for (std::size_t piece = 0; piece < std::min(pieces, pieces_ahead); ++piece)
            ask_for(process, piece);
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t slot = piece % pieces_ahead;
            if (!t.wait({&requests[slot], 1})) return false;
            const auto n = static_cast<std::ptrdiff_t>(length_of(piece));
            row.start.assign(buffers[slot].begin(), buffers[slot].begin() + n);
            row.stop.assign(buffers[slot].begin() + n, buffers[slot].end());
            if (piece + pieces_ahead < pieces) ask_for(process, piece + pieces_ahead);
            add_row(std::span(figures_.table.spans).subspan(piece * piece_events, static_cast<std::size_t>(n)), row);
            sink.piece(static_cast<int>(process), piece * piece_events, row);
        }
        if (figures_.away_intervals == 0) continue;
        Bytes away;
        if (!t.receive_all(group_.ranks()[process], row_tag, away)) return false;
        sink.away(static_cast<int>(process), WireReader(away).get_vector<Interval>());
    }
    return true;
}

// Waiting is the same on all processes that take part in the same events, equally nested. What differs are the
// process's own operations and its time away.
bool ComponentGather::all_shares_are_alike() const {
    const auto of_this = [&](const EventClass &c) { return c.component == input_.id && is_operation(c.kind); };
    const std::vector<EventClass> &all = input_.catalogue->classes;
    return same_events_ && figures_.away_intervals == 0 && std::none_of(all.begin(), all.end(), of_this);
}

bool ComponentGather::make_balance() {
    const bool alike = all_shares_are_alike();
    if (group_.leads()) figures_.window = find_window(figures_.table, input_.limits);
    if (alike && !group_.leads()) return true;
    if (!alike && (!share_spans() || !share_window())) return false;
    const auto counterparts = static_cast<std::int32_t>(input_.catalogue->component_names.size());
    Share sum;
    ShareCalculator(figures_.table, figures_.window, input_.run, counterparts).add(row_, sum);
    row_ = {};
    if (alike) {
        sum = repeated(sum, group_.size());
    } else if (!sum_shares(sum)) {
        return false;
    }
    if (group_.leads()) figures_.balance = balance_of(figures_.table, figures_.window, input_.run, sum);
    return true;
}

// S and E go back, in blocks: each process computes its own union from them.
bool ComponentGather::share_spans() {
    struct Late {
        Nanoseconds start, stop;
    };
    constexpr std::size_t block = reduce_block_bytes / sizeof(Late);
    std::vector<EventSpan> &spans = figures_.table.spans;
    std::vector<Late> late;
    for (std::size_t at = 0; at < spans.size(); at += block) {
        const std::size_t n = std::min(block, spans.size() - at);
        late.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            late[i] = {spans[at + i].last_start, spans[at + i].last_stop};
        if (!group_.broadcast(std::as_writable_bytes(std::span(late)))) return false;
        if (group_.leads()) continue;
        // The earliest start and the number of processes matter to the leader only.
        for (std::size_t i = 0; i < n; ++i)
            spans[at + i] = {late[i].start, late[i].start, late[i].stop, 1};
    }
    return true;
}

bool ComponentGather::share_window() {
    WireWriter out;
    out.put(figures_.window.steps);
    Bytes bytes = out.take();
    if (!group_.broadcast_all(bytes)) return false;
    if (!group_.leads()) figures_.window.steps = WireReader(bytes).get_vector<Nanoseconds>();
    return true;
}

bool ComponentGather::sum_shares(Share &share) {
    // The steps are many: element by element, in blocks. The rest is small.
    const auto add_up = [&](std::vector<WideNanoseconds> &values) {
        std::size_t count = values.size();
        const auto longer = [](std::size_t &a, std::size_t b) { a = std::max(a, b); };
        if (!group_.reduce(std::span(&count, 1), longer) || !group_.broadcast(as_wire_out(count))) return false;
        values.resize(count);
        return group_.reduce(std::span(values), [](WideNanoseconds &a, WideNanoseconds b) { a += b; });
    };
    if (!add_up(share.step_waiting) || !add_up(share.step_away)) return false;
    const std::vector<WideNanoseconds> waiting = std::exchange(share.step_waiting, {});
    const std::vector<WideNanoseconds> away = std::exchange(share.step_away, {});
    Bytes bytes = pack_share(share);
    const auto add = [](Bytes &mine, const Bytes &theirs) {
        Share both = unpack_share(mine);
        both += unpack_share(theirs);
        mine = pack_share(both);
    };
    if (!group_.combine_up(bytes, add)) return false;
    share = unpack_share(bytes);
    share.step_waiting = waiting;
    share.step_away = away;
    return true;
}

} // namespace cpl_lb
