#include "gather/component_gather.hpp"

#include "analysis/share_calculator.hpp"
#include "gather/merge_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int row_tag = 16;

// min and max of what all processes say, to see whether they say the same.
struct Agreement {
    SequenceHash low, high;
    std::int32_t all_dated = 1;
};

void agree(Agreement &mine, const Agreement &theirs) {
    // Only equality matters, so any order will do.
    const auto less = [](const SequenceHash &a, const SequenceHash &b) {
        return std::tie(a.events, a.low, a.high) < std::tie(b.events, b.low, b.high);
    };
    if (less(theirs.low, mine.low)) mine.low = theirs.low;
    if (less(mine.high, theirs.high)) mine.high = theirs.high;
    mine.all_dated = std::min(mine.all_dated, theirs.all_dated);
}

void unite(EventSpan &mine, const EventSpan &theirs) {
    mine.first_start = std::min(mine.first_start, theirs.first_start);
    mine.last_start = std::max(mine.last_start, theirs.last_start);
    mine.last_stop = std::max(mine.last_stop, theirs.last_stop);
    mine.processes += theirs.processes;
}

} // namespace

ComponentGather::ComponentGather(Group &group, const ComponentInput &input, LocalEvents events)
    : group_(group), input_(input), events_(std::move(events)) {}

bool ComponentGather::balance() {
    if (!agree_on_events() || !reduce_spans()) return false;
    if (group_.leads()) figures_.window = find_window(figures_.table, input_.limits);
    return share_spans() && share_window() && sum_shares();
}

bool ComponentGather::agree_on_events() {
    // A process with no events has no say about dates.
    Agreement a;
    a.all_dated = events_.dated || events_.size() == 0 ? 1 : 0;
    if (!group_.reduce(std::span(&a, 1), agree) || !group_.broadcast(as_wire_out(a))) return false;
    use_dates_ = a.all_dated != 0 && a.all_dated == 1;
    a.low = a.high = hash_of(events_, use_dates_);
    if (!group_.reduce(std::span(&a, 1), agree) || !group_.broadcast(as_wire_out(a))) return false;
    return a.low == a.high ? take_leaders_events() : merge_events();
}

EventKey ComponentGather::event_key(const OccurrenceKey &key) const {
    const EventClass &c = input_.catalogue->classes[key.event_class];
    return {c.kind, c.field, c.counterpart, key.date, static_cast<std::int64_t>(key.occurrence)};
}

// All processes recorded the same events in the same order: each already holds its row.
bool ComponentGather::take_leaders_events() {
    figures_.table.keys.resize(events_.size());
    for_each_key(events_, classes(), use_dates_,
                 [&](std::size_t i, const OccurrenceKey &key) { figures_.table.keys[i] = event_key(key); });
    row_.start = std::move(events_.start);
    row_.stop = std::move(events_.stop);
    row_.away = std::move(events_.away);
    return true;
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
    figures_.table.spans.assign(figures_.table.keys.size(), {});
    add_row(figures_.table.spans, row_);
    return group_.reduce(std::span(figures_.table.spans), unite);
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
        for (std::size_t i = 0; i < n; ++i) {
            spans[at + i].last_start = late[i].start;
            spans[at + i].last_stop = late[i].stop;
        }
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

bool ComponentGather::sum_shares() {
    const auto counterparts = static_cast<std::int32_t>(input_.catalogue->component_names.size());
    Share sum;
    ShareCalculator(figures_.table, figures_.window, input_.run, counterparts).add(row_, sum);
    Bytes bytes = pack_share(sum);
    const auto add = [](Bytes &mine, const Bytes &theirs) {
        Share both = unpack_share(mine);
        both += unpack_share(theirs);
        mine = pack_share(both);
    };
    std::int64_t away = static_cast<std::int64_t>(row_.away.size());
    if (!group_.combine_up(bytes, add)) return false;
    if (!group_.reduce(std::span(&away, 1), [](std::int64_t &a, std::int64_t b) { a += b; })) return false;
    if (group_.leads()) {
        figures_.balance = balance_of(figures_.table, figures_.window, input_.run, unpack_share(bytes));
        figures_.away_intervals = away;
    }
    return true;
}

bool ComponentGather::stream_rows(const WriteRow &write) {
    Transport &t = group_.transport();
    if (!group_.leads()) {
        const int leader = group_.ranks().front();
        WireWriter away;
        away.put(row_.away);
        return t.send(leader, row_tag, std::as_bytes(std::span(row_.start))) &&
               t.send(leader, row_tag, std::as_bytes(std::span(row_.stop))) &&
               t.send_all(leader, row_tag, away.take());
    }
    write(0, row_);
    Row row;
    Bytes away;
    for (int i = 1; i < group_.size(); ++i) {
        const int from = group_.ranks()[static_cast<std::size_t>(i)];
        row.start.resize(figures_.table.keys.size());
        row.stop.resize(figures_.table.keys.size());
        if (!t.receive(from, row_tag, std::as_writable_bytes(std::span(row.start))) ||
            !t.receive(from, row_tag, std::as_writable_bytes(std::span(row.stop))) ||
            !t.receive_all(from, row_tag, away))
            return false;
        row.away = WireReader(away).get_vector<Interval>();
        write(i, row);
    }
    return true;
}

} // namespace cpl_lb
