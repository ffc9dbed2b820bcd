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

// Field by field: between those of an IntervalShare lie bytes of padding, which are nobody's.
template <class Way, Either<IntervalShare> S>
static void wire_members(Way &way, S &s) {
    way.pass(s.exchanging, s.waiting, s.waiting_or_operations, s.away, s.mapping, s.output, s.restart);
    way.pass(s.mapping_processes, s.output_processes, s.restart_processes);
}

template <class Way, Either<Share> S>
static void wire_members(Way &way, S &share) {
    way.pass(share.processes, share.loop, share.startup, share.shutdown, share.whole);
    way.pass(share.waiting_for_get, share.waiting_for_put, share.waiting_for_sync, share.step_waiting,
             share.step_away);
}

Bytes pack_share(const Share &share) {
    WireWriter out;
    out.pass(share);
    return out.take();
}

Share unpack_share(const Bytes &bytes) {
    Share share;
    WireReader in(bytes);
    in.pass(share);
    in.finish("a share");
    return share;
}

} // namespace cpl_lb
