// Each process knows its partners by their ranks in MPI_COMM_WORLD: here they become places in the component, and
// groups of these. Lists with the pairs that have messages are united up the tree.
#include "run/live/figures_gather.hpp"

#include "run/live/unite.hpp"
#include "run/live/wire_members.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

// The place in the group of a process, by its rank in MPI_COMM_WORLD.
class PlacesInWorld {
public:
    PlacesInWorld(const Group &group, const ProcessRecord &record) {
        const NumberList &in_world = record.rank_in_world;
        places_.reserve(group.ranks().size());
        for (const int rank : group.ranks()) {
            const auto r = static_cast<std::size_t>(rank);
            places_.emplace_back(in_world.empty() ? record.process_map.in_model(rank) : in_world[r],
                                 static_cast<std::int32_t>(places_.size()));
        }
        std::ranges::sort(places_);
    }
    // Below 0: it is in another component.
    [[nodiscard]] std::int32_t of(int rank) const {
        const auto at = std::ranges::lower_bound(places_, std::pair(rank, std::int32_t{0}));
        return at == places_.end() || at->first != rank ? -1 : at->second;
    }

private:
    std::vector<std::pair<int, std::int32_t>> places_;
};

void add_figures(GroupPair &mine, const GroupPair &theirs) {
    mine.messages += theirs.messages;
    mine.bytes += theirs.bytes;
    mine.waited_s += theirs.waited_s;
}

void add_figures(WaitedFor &mine, const WaitedFor &theirs) {
    mine.by += theirs.by;
    mine.waits += theirs.waits;
    mine.waited_s += theirs.waited_s;
    mine.with_others_s += theirs.with_others_s;
    mine.in_loop_s += theirs.in_loop_s;
}

std::pair<std::int32_t, std::int32_t> order_of(const GroupPair &pair) {
    return {pair.from, pair.to};
}
std::int32_t order_of(const WaitedFor &late) {
    return late.process;
}

// Both lists are in order, and so is the result.
template <class T>
void unite_in_order(std::vector<T> &mine, const std::vector<T> &theirs) {
    std::vector<T> all;
    all.reserve(mine.size() + theirs.size());
    const auto order = [](const T &one) { return order_of(one); };
    std::ranges::merge(mine, theirs, std::back_inserter(all), {}, order, order);
    mine.clear();
    for (const T &one : all) {
        if (!mine.empty() && order_of(mine.back()) == order_of(one))
            add_figures(mine.back(), one);
        else
            mine.push_back(one);
    }
}

template <class T>
bool in_order(const std::vector<T> &list) {
    const auto order = [](const T &one) { return order_of(one); };
    return std::ranges::adjacent_find(list, std::ranges::greater_equal{}, order) == list.end();
}

bool waits_more(const WaitedFor &a, const WaitedFor &b) {
    return std::tuple(a.in_loop_s, a.with_others_s, b.process) > std::tuple(b.in_loop_s, b.with_others_s, a.process);
}

void keep_candidates(std::vector<WaitedFor> &late) {
    if (late.size() <= most_late_candidates) return;
    std::nth_element(late.begin(), late.begin() + most_late_candidates, late.end(), waits_more);
    late.resize(most_late_candidates);
    std::ranges::sort(late, {}, &WaitedFor::process);
}

} // namespace

// The table has no times, so the waits for each partner outside of the loop are not known. They are at most all time
// in such calls there.
InsideTraffic own_traffic(const Group &group, const ProcessRecord &record, double outside_s) {
    InsideTraffic traffic;
    traffic.groups = traffic_groups(group.size());
    const PlacesInWorld places(group, record);
    const std::int32_t mine = traffic_group_of(group.index(), group.size());
    const auto seconds = [&](std::uint64_t ticks) { return to_seconds(record.scale.length_ns(ticks)); };
    std::map<std::pair<std::int32_t, std::int32_t>, GroupPair> pairs;
    const Peers &peers = record.recorder->peers();
    peers.for_each([&](const Peer &peer) {
        const std::int32_t place = places.of(peer.rank);
        if (place < 0) return;
        const std::int32_t theirs = traffic_group_of(place, group.size());
        if (peer.sent.count > 0) add_figures(pairs[{mine, theirs}], {0, 0, peer.sent.count, peer.sent.bytes, 0});
        if (peer.waits == 0) return;
        add_figures(pairs[{theirs, mine}], {0, 0, 0, 0, seconds(peer.ticks)});
        const double with_s = seconds(peer.with_ticks);
        traffic.waited_for.push_back(
            {place, 1, peer.waits, seconds(peer.ticks), with_s, std::max(0.0, with_s - outside_s)});
    });
    for (auto &[between, pair] : pairs) {
        std::tie(pair.from, pair.to) = between;
        traffic.pairs.push_back(pair);
    }
    std::ranges::sort(traffic.waited_for, {}, &WaitedFor::process);
    keep_candidates(traffic.waited_for);
    traffic.messages_to_others = peers.others().sent.count;
    return traffic;
}

// A process that is left out had shorter waits than all that are kept: its sums are too small, never too large.
void unite(InsideTraffic &mine, const InsideTraffic &theirs) {
    unite_in_order(mine.pairs, theirs.pairs);
    unite_in_order(mine.waited_for, theirs.waited_for);
    keep_candidates(mine.waited_for);
    mine.messages_to_others += theirs.messages_to_others;
}

bool fits(const InsideTraffic &traffic, std::size_t processes) {
    if (!traffic.known()) return traffic.pairs.empty() && traffic.waited_for.empty();
    const auto all = static_cast<std::int64_t>(processes);
    const auto is_pair = [&](const GroupPair &p) {
        return p.from >= 0 && p.from < traffic.groups && p.to >= 0 && p.to < traffic.groups;
    };
    const auto is_process = [&](const WaitedFor &w) { return w.process >= 0 && w.process < all; };
    return processes > 0 && traffic.groups == traffic_groups(all) && in_order(traffic.pairs) &&
           std::ranges::all_of(traffic.pairs, is_pair) && std::ranges::all_of(traffic.waited_for, is_process);
}

InsideTraffic unpack_traffic(const Bytes &bytes, std::size_t processes) {
    auto traffic = unpacked<InsideTraffic>(bytes, "messages between processes");
    const bool good =
        fits(traffic, processes) && in_order(traffic.waited_for) && traffic.waited_for.size() <= most_late_candidates;
    if (!good) throw DamagedMessage("messages between processes");
    return traffic;
}

InsideTraffic gather_traffic(Group &group, const ProcessRecord &record, double outside_s) {
    InsideTraffic traffic = own_traffic(group, record, outside_s);
    const auto processes = static_cast<std::size_t>(group.size());
    const auto unpack = [&](const Bytes &bytes) { return unpack_traffic(bytes, processes); };
    unite_up(group, traffic, packed<InsideTraffic>, unpack, unite_theirs);
    std::ranges::sort(traffic.waited_for, waits_more);
    if (traffic.waited_for.size() > most_waited_for) traffic.waited_for.resize(most_waited_for);
    return traffic;
}

} // namespace cpl_lb
