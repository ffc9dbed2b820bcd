// Merges the sequences of events of processes that recorded different ones.
#include "run/live/merge_order.hpp"

namespace cpl_lb {
namespace {

struct ListHead {
    std::size_t events = 0;
    Nanoseconds end = 0;
};

// Not as Bytes: the lists are the largest that terminate holds, and would be there twice.
bool send(Transport &t, int to, const EarlyEvents &events) {
    const ListHead head{events.list.size(), events.end};
    return t.send(to, group_tag, as_wire(head)) && t.send(to, group_tag, std::as_bytes(std::span(events.list)));
}

bool receive(Transport &t, int from, EarlyEvents &events) {
    ListHead head;
    if (!t.receive(from, group_tag, as_wire_out(head))) return false;
    events.end = head.end;
    return t.receive_list(from, group_tag, head.events, events.list);
}

} // namespace

bool merge_order(Group &group, const LocalEvents &events, const KeyRule &rule, UnionLimit limit, EarlyOrder &result) {
    EarlyEvents all{first_starts(events, rule)};
    if (all.list.size() > limit.events) unite(all, {}, limit);
    const auto take = [&](int child) {
        EarlyEvents theirs;
        if (!receive(group.transport(), child, theirs)) return false;
        unite(all, theirs, limit);
        return true;
    };
    if (!group.up_the_tree(take, [&](int parent) { return send(group.transport(), parent, all); })) return false;
    std::vector<FirstStart> list = std::move(all.list);
    if (group.leads()) result.order = in_order_of_start(std::move(list));
    list = {};
    ListHead head{result.order.size(), all.end};
    if (!group.broadcast(as_wire_out(head))) return false;
    result.order.resize(head.events);
    result.end = head.end;
    return group.broadcast(std::as_writable_bytes(std::span(result.order)));
}

namespace {

// Field by field: between those of an IntervalShare lie bytes of padding, which are nobody's.
template <class Sums, class Visit>
void each_field(Sums &s, Visit visit) {
    visit(s.exchanging);
    for (auto *wide : {&s.waiting, &s.waiting_or_operations, &s.away, &s.mapping, &s.output, &s.restart})
        visit(*wide);
    for (auto *processes : {&s.mapping_processes, &s.output_processes, &s.restart_processes})
        visit(*processes);
}

} // namespace

Bytes pack_share(const Share &share) {
    WireWriter out;
    out.put(share.processes);
    for (const IntervalShare *s : {&share.loop, &share.startup, &share.shutdown, &share.whole})
        each_field(*s, [&](const auto &field) { out.put(field); });
    out.put(share.waiting_for_get);
    out.put(share.waiting_for_put);
    out.put(share.waiting_for_sync);
    out.put(share.step_waiting);
    out.put(share.step_away);
    return out.take();
}

Share unpack_share(const Bytes &bytes) {
    Share share;
    WireReader in(bytes);
    share.processes = in.get<std::int64_t>();
    for (IntervalShare *s : {&share.loop, &share.startup, &share.shutdown, &share.whole})
        each_field(*s, [&]<class Field>(Field &field) { field = in.get<Field>(); });
    share.waiting_for_get = in.get_vector<WideNanoseconds>();
    share.waiting_for_put = in.get_vector<WideNanoseconds>();
    share.waiting_for_sync = in.get_vector<WideNanoseconds>();
    share.step_waiting = in.get_vector<WideNanoseconds>();
    share.step_away = in.get_vector<WideNanoseconds>();
    in.finish("a share");
    return share;
}

} // namespace cpl_lb
