// The usual numbers go up the tree and come back; then, for each class of which processes recorded different numbers,
// the times of those that recorded the usual number do, and each of the others works out its own shift.
#include "run/live/align_occurrences.hpp"

#include <algorithm>

namespace cpl_lb {

Bytes pack_counts(const std::vector<RecordedCount> &counts) {
    WireWriter out;
    out.put(counts);
    return out.take();
}

std::vector<RecordedCount> unpack_counts(const Bytes &bytes, std::size_t classes) {
    WireReader in(bytes);
    auto counts = in.get_vector<RecordedCount>();
    const auto outside = [&](const RecordedCount &c) { return c.event_class >= classes || c.occurrences == 0; };
    in.finish("numbers of events", std::none_of(counts.begin(), counts.end(), outside));
    return counts;
}

namespace {

bool agree_on_usual_counts(Group &group, const LocalEvents &events, std::size_t classes,
                           std::vector<RecordedCount> &usual) {
    std::vector<RecordedCount> counts = recorded_counts(events, classes);
    const auto unpack = [classes](const Bytes &bytes) { return unpack_counts(bytes, classes); };
    const auto unite_two = [](std::vector<RecordedCount> &mine, const std::vector<RecordedCount> &theirs) {
        unite(mine, theirs);
    };
    if (!unite_up(group, counts, pack_counts, unpack, unite_two)) return false;
    Bytes bytes;
    if (group.leads()) bytes = pack_counts(usual_counts(counts));
    if (!group.broadcast_all(bytes)) return false;
    usual = unpack_counts(bytes, classes);
    return true;
}

// Classes of which a process knows more than their count need no shift, on any process.
bool leave_out_numbered(Group &group, const LocalEvents &events, std::size_t classes,
                        std::vector<RecordedCount> &usual) {
    std::vector<std::uint8_t> numbered(classes);
    for (const auto &[event_class, numbers] : events.numbers)
        numbered[event_class] = 1;
    const auto any = [](std::uint8_t &mine, std::uint8_t theirs) { mine = std::max(mine, theirs); };
    if (!group.reduce(std::span(numbered), any) || !group.broadcast(std::as_writable_bytes(std::span(numbered))))
        return false;
    std::erase_if(usual, [&](const RecordedCount &u) { return numbered[u.event_class] != 0; });
    return true;
}

bool find_shift(Group &group, const EventsByClass &events, const RecordedCount &usual, std::size_t most,
                std::int64_t &shift) {
    std::vector<OccurrenceExtent> extents(std::min<std::size_t>(usual.occurrences, most));
    const std::size_t mine = events.count(usual.event_class);
    if (mine == usual.occurrences) events.add_to(extents, usual.event_class);
    const auto unite_extents = [](OccurrenceExtent &a, const OccurrenceExtent &b) { a.add(b); };
    if (!group.reduce(std::span(extents), unite_extents) ||
        !group.broadcast(std::as_writable_bytes(std::span(extents))))
        return false;
    shift =
        mine == 0 || mine == usual.occurrences ? 0 : shift_of(events, usual.event_class, usual.occurrences, extents);
    return true;
}

} // namespace

bool align_occurrences(Group &group, const LocalEvents &events, std::size_t most, KeyRule &rule,
                       std::vector<ClassShifts> &shifts) {
    std::vector<RecordedCount> usual;
    if (!agree_on_usual_counts(group, events, rule.classes, usual)) return false;
    shifts.clear();
    if (usual.empty()) return true;
    if (!leave_out_numbered(group, events, rule.classes, usual)) return false;
    std::vector<std::int64_t> mine(usual.size());
    const EventsByClass by_class(events, rule.classes);
    for (std::size_t i = 0; i < usual.size(); ++i) {
        if (!find_shift(group, by_class, usual[i], most, mine[i])) return false;
        shifts.push_back({usual[i].event_class, 0, {}, {}});
        shifts.back().add(mine[i], group.transport().rank());
    }
    const auto unite_shifts = [](ClassShifts &a, const ClassShifts &b) { a.add(b); };
    if (!group.reduce(std::span(shifts), unite_shifts) || !group.broadcast(std::as_writable_bytes(std::span(shifts))))
        return false;
    rule.first.assign(rule.classes, 0);
    for (std::size_t i = 0; i < usual.size(); ++i)
        rule.first[usual[i].event_class] = static_cast<std::uint32_t>(mine[i] - shifts[i].least);
    return true;
}

} // namespace cpl_lb
