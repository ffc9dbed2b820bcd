// Hashes show whether all recorded the same; else numbers of events, their times and their keys go up the tree.
#include "run/live/agree_on_events.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

struct ListHead {
    std::size_t events = 0;
    Nanoseconds end = 0;
};

// Not as Bytes: the lists are the largest data of terminate, and would be in memory twice.
void send(Transport &t, int to, const EarlyEvents &events) {
    const ListHead head{events.list.size(), events.end};
    t.send(to, group_tag, as_wire(head));
    t.send(to, group_tag, std::as_bytes(std::span(events.list)));
}

EarlyEvents receive(Transport &t, int from) {
    EarlyEvents events;
    ListHead head;
    t.receive(from, group_tag, as_wire_out(head));
    events.end = head.end;
    t.receive_list(from, group_tag, head.events, events.list);
    return events;
}

std::vector<RecordedCount> agree_on_usual_counts(Group &group, const LocalEvents &events, std::size_t classes) {
    std::vector<RecordedCount> counts = recorded_counts(events, classes);
    const auto unpack = [classes](const Bytes &bytes) { return unpack_counts(bytes, classes); };
    unite_up(group, counts, packed<std::vector<RecordedCount>>, unpack, unite_theirs);
    Bytes bytes;
    if (group.leads()) bytes = packed(usual_counts(counts));
    group.broadcast_all(bytes);
    return unpack_counts(bytes, classes);
}

// Classes whose events some process can number need no shift, on any process.
void leave_out_numbered(Group &group, const LocalEvents &events, std::size_t classes,
                        std::vector<RecordedCount> &usual) {
    std::vector<std::uint8_t> numbered(classes);
    for (const auto &[event_class, numbers] : events.numbers)
        numbered[event_class] = 1;
    reduce_for_all(group, std::span(numbered), keep_larger);
    std::erase_if(usual, [&](const RecordedCount &u) { return numbered[u.event_class] != 0; });
}

std::int64_t find_shift(Group &group, const EventsByClass &events, const RecordedCount &usual, std::size_t most) {
    std::vector<OccurrenceExtent> extents(std::min<std::size_t>(usual.occurrences, most));
    const std::size_t mine = events.count(usual.event_class);
    if (mine == usual.occurrences) events.add_to(extents, usual.event_class);
    reduce_for_all(group, std::span(extents), add_theirs);
    if (mine == 0 || mine == usual.occurrences) return 0;
    return shift_of(events, usual.event_class, usual.occurrences, extents);
}

// The facts of all processes, compared to see whether they agree.
struct Agreement {
    SequenceHash least, greatest;
    std::int32_t all_dated = 1;
    std::int64_t away_intervals = 0;
    std::uint64_t most_events = 0; // the limit of the process with the least memory
};

void agree(Agreement &mine, const Agreement &theirs) {
    mine.least = std::min(mine.least, theirs.least);
    mine.greatest = std::max(mine.greatest, theirs.greatest);
    mine.all_dated = std::min(mine.all_dated, theirs.all_dated);
    mine.away_intervals += theirs.away_intervals;
    mine.most_events = std::min(mine.most_events, theirs.most_events);
}

Agreement compare(Group &group, const LocalEvents &events, std::size_t most) {
    Agreement a;
    a.least = a.greatest = hash_of(events);
    // A process with no events has no say about dates.
    a.all_dated = events.dated || events.size() == 0 ? 1 : 0;
    a.away_intervals = static_cast<std::int64_t>(events.away.size());
    a.most_events = most;
    reduce_for_all(group, std::span(&a, 1), agree);
    if (a.all_dated == 0) a.least.dates = a.greatest.dates = 0;
    return a;
}

// The waiting is the same on all processes with the same events and the same nesting. The process's own operations
// and its time away may differ.
bool differs(const Catalogue &catalogue, std::int32_t id, std::int64_t away_intervals) {
    const auto of_this = [&](const ClassOfComponent &c) { return c.component == id && is_operation(c.what.kind); };
    return away_intervals > 0 || std::ranges::any_of(catalogue.classes, of_this);
}

std::vector<std::int64_t> dates_of(const LocalEvents &events) {
    std::vector<std::int64_t> dates(events.size(), no_date);
    for_each_date(events.dates, events.size(), [&](std::size_t i, std::int64_t date) { dates[i] = date; });
    return dates;
}

// All processes recorded the same events in the same order, so each already has its row. If no other process needs
// its times or its keys, they stay in the marks until they are written.
void take_own_events(AgreedEvents &agreed, const Catalogue &catalogue, LocalEvents events, bool needs_keys,
                     bool use_dates, RasterInput picture) {
    agreed.count = events.size();
    if (events.times_in_marks && !needs_keys) {
        agreed.row = OwnRow(events, std::move(picture));
        return;
    }
    take_times_from_marks(events);
    Row row{std::move(events.start), std::move(events.stop), std::move(events.away)};
    std::vector<std::int64_t> dates;
    if (needs_keys && use_dates) dates = dates_of(events);
    agreed.table.keys = event_list(catalogue, take_classes(events), std::move(dates));
    agreed.row = OwnRow(std::move(row), agreed.table.keys.of_events(), std::move(picture));
}

void merge_events(AgreedEvents &agreed, Group &group, const Catalogue &catalogue, LocalEvents events, bool use_dates,
                  std::size_t most, RasterInput picture) {
    take_times_from_marks(events);
    const UnionLimit limit{most, events.class_of_place.back()}; // TERM stays, because it marks the end
    KeyRule rule{catalogue.classes.size(), use_dates, {}};
    if (!use_dates) align_occurrences(group, events, most, rule, agreed.shifts);
    const EarlyOrder early = merge_order(group, events, rule, limit);
    agreed.count = early.order.size();
    agreed.table.keys = event_list(catalogue, early.order, use_dates);
    Row row = row_of(events, rule, agreed.count, Places(early.order), &agreed.left_out);
    agreed.row = OwnRow(std::move(row), agreed.table.keys.of_events(), std::move(picture));
    agreed.end = early.end;
    if (early.end < std::numeric_limits<Nanoseconds>::max())
        reduce_for_all(group, std::span(&agreed.left_out, 1), sum_up);
}

} // namespace

std::vector<RecordedCount> unpack_counts(const Bytes &bytes, std::size_t classes) {
    WireReader in(bytes);
    auto counts = in.get_vector<RecordedCount>();
    const auto outside = [&](const RecordedCount &c) { return c.event_class >= classes || c.occurrences == 0; };
    in.finish("numbers of events", std::ranges::none_of(counts, outside));
    return counts;
}

void align_occurrences(Group &group, const LocalEvents &events, std::size_t most, KeyRule &rule,
                       std::vector<ClassShifts> &shifts) {
    std::vector<RecordedCount> usual = agree_on_usual_counts(group, events, rule.classes);
    shifts.clear();
    if (usual.empty()) return;
    leave_out_numbered(group, events, rule.classes, usual);
    std::vector<std::int64_t> mine(usual.size());
    const EventsByClass by_class(events, rule.classes);
    for (std::size_t i = 0; i < usual.size(); ++i) {
        mine[i] = find_shift(group, by_class, usual[i], most);
        shifts.push_back({usual[i].event_class, 0, {}, {}});
        shifts.back().add(mine[i], group.transport().rank());
    }
    reduce_for_all(group, std::span(shifts), add_theirs);
    rule.first.assign(rule.classes, 0);
    for (std::size_t i = 0; i < usual.size(); ++i)
        rule.first[usual[i].event_class] = static_cast<std::uint32_t>(mine[i] - shifts[i].least);
}

EarlyOrder merge_order(Group &group, const LocalEvents &events, const KeyRule &rule, UnionLimit limit) {
    EarlyEvents all{first_starts(events, rule)};
    if (all.list.size() > limit.events) unite(all, {}, limit);
    Transport &t = group.transport();
    const auto take = [&](int child) { unite(all, receive(t, child), limit); };
    group.up_the_tree(take, [&](int parent) { send(t, parent, all); });
    EarlyOrder result;
    std::vector<FirstStart> list = std::move(all.list);
    if (group.leads()) result.order = in_order_of_start(std::move(list));
    list = std::vector<FirstStart>(); // = {} would keep the memory
    ListHead head{result.order.size(), all.end};
    group.broadcast(as_wire_out(head));
    result.order.resize(head.events);
    result.end = head.end;
    group.broadcast(std::as_writable_bytes(std::span(result.order)));
    return result;
}

AgreedEvents agree_on_events(Group &group, const Catalogue &catalogue, std::int32_t id, LocalEvents events,
                             std::size_t most, RasterInput picture) {
    const Agreement all = compare(group, events, most);
    AgreedEvents agreed;
    agreed.away_intervals = all.away_intervals;
    const bool use_dates = all.all_dated != 0;
    for (const ClassOfComponent &c : catalogue.classes)
        picture.kind_of_class.push_back(c.what.kind);
    if (all.away_intervals > 0) picture.inside.clear(); // MPI was in several components
    if (all.least == all.greatest) {
        agreed.alike = differs(catalogue, id, all.away_intervals) ? Alike::events : Alike::shares;
        const bool needs_keys = group.leads() || agreed.alike != Alike::shares;
        take_own_events(agreed, catalogue, std::move(events), needs_keys, use_dates, std::move(picture));
    } else {
        merge_events(agreed, group, catalogue, std::move(events), use_dates, all.most_events, std::move(picture));
    }
    return agreed;
}

} // namespace cpl_lb
