#include "gather/merge_order.hpp"

namespace cpl_lb {
namespace {

Bytes pack(const std::vector<FirstStart> &list) {
    WireWriter out;
    out.put(list);
    return out.take();
}

} // namespace

bool merge_order(Group &group, const LocalEvents &events, std::size_t classes, bool use_dates,
                 std::vector<OccurrenceKey> &order) {
    Bytes bytes = pack(first_starts(events, classes, use_dates));
    const auto merge = [](Bytes &a, const Bytes &b) {
        a = pack(union_of(WireReader(a).get_vector<FirstStart>(), WireReader(b).get_vector<FirstStart>()));
    };
    if (!group.combine_up(bytes, merge)) return false;
    if (group.leads()) order = in_order_of_start(WireReader(bytes).get_vector<FirstStart>());
    WireWriter out;
    out.put(order);
    bytes = out.take();
    if (!group.broadcast_all(bytes)) return false;
    order = WireReader(bytes).get_vector<OccurrenceKey>();
    return true;
}

namespace {

void put_interval(WireWriter &out, const IntervalShare &s) {
    out.put(s);
}

} // namespace

Bytes pack_share(const Share &share) {
    WireWriter out;
    out.put(share.processes);
    for (const IntervalShare *s : {&share.loop, &share.startup, &share.shutdown, &share.whole})
        put_interval(out, *s);
    out.put(share.waiting_for_get);
    out.put(share.waiting_for_put);
    out.put(share.step_waiting);
    out.put(share.step_away);
    return out.take();
}

Share unpack_share(const Bytes &bytes) {
    Share share;
    WireReader in(bytes);
    share.processes = in.get<std::int64_t>();
    for (IntervalShare *s : {&share.loop, &share.startup, &share.shutdown, &share.whole})
        *s = in.get<IntervalShare>();
    share.waiting_for_get = in.get_vector<WideNanoseconds>();
    share.waiting_for_put = in.get_vector<WideNanoseconds>();
    share.step_waiting = in.get_vector<WideNanoseconds>();
    share.step_away = in.get_vector<WideNanoseconds>();
    return share;
}

} // namespace cpl_lb
