#include "gather/merge_order.hpp"

#include <algorithm>
#include <numeric>

namespace cpl_lb {
namespace {

struct FirstStart {
    OccurrenceKey key;
    Nanoseconds start;
};

bool by_key(const FirstStart &a, const FirstStart &b) {
    return a.key < b.key;
}

// Union of two lists that are sorted by key.
std::vector<FirstStart> unite(const std::vector<FirstStart> &a, const std::vector<FirstStart> &b) {
    std::vector<FirstStart> both;
    both.reserve(std::max(a.size(), b.size()));
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
        if (j == b.end() || (i != a.end() && i->key < j->key)) {
            both.push_back(*i++);
        } else if (i == a.end() || j->key < i->key) {
            both.push_back(*j++);
        } else {
            both.push_back({i->key, std::min(i->start, j->start)});
            ++i;
            ++j;
        }
    }
    return both;
}

Bytes pack(const std::vector<FirstStart> &list) {
    WireWriter out;
    out.put(list);
    return out.take();
}

} // namespace

bool merge_order(Group &group, const LocalEvents &events, std::size_t classes, bool use_dates,
                 std::vector<OccurrenceKey> &order) {
    std::vector<FirstStart> mine(events.size());
    for_each_key(events, classes, use_dates, [&](std::size_t i, const OccurrenceKey &key) {
        mine[i] = {key, events.start[i]};
    });
    std::sort(mine.begin(), mine.end(), by_key);
    Bytes bytes = pack(mine);
    mine = {};
    const auto merge = [](Bytes &a, const Bytes &b) {
        a = pack(unite(WireReader(a).get_vector<FirstStart>(), WireReader(b).get_vector<FirstStart>()));
    };
    if (!group.combine_up(bytes, merge)) return false;
    if (group.leads()) {
        std::vector<FirstStart> all = WireReader(bytes).get_vector<FirstStart>();
        std::stable_sort(all.begin(), all.end(),
                         [](const FirstStart &a, const FirstStart &b) { return a.start < b.start; });
        order.resize(all.size());
        std::transform(all.begin(), all.end(), order.begin(), [](const FirstStart &f) { return f.key; });
    }
    WireWriter out;
    out.put(order);
    bytes = out.take();
    if (!group.broadcast_all(bytes)) return false;
    order = WireReader(bytes).get_vector<OccurrenceKey>();
    return true;
}

std::vector<std::size_t> places_of(const LocalEvents &events, std::size_t classes, bool use_dates,
                                   const std::vector<OccurrenceKey> &order) {
    std::vector<std::size_t> sorted(order.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
    std::vector<std::size_t> place(events.size());
    for_each_key(events, classes, use_dates, [&](std::size_t i, const OccurrenceKey &key) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), key,
                                         [&](std::size_t a, const OccurrenceKey &k) { return order[a] < k; });
        place[i] = *at; // every key of this process is in the union
    });
    return place;
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
