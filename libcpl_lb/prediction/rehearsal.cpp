// Puts copies of an early cycle before the loop. Their waits are copied from a cycle far enough from the begin, where
// what was sent some cycles earlier is in the loop, too.
#include "prediction/graph_builder.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t times = 16; // number of replays of the beginning: lags are a few cycles
constexpr std::size_t longest_lag = 4;

// Points of each component: in a cycle, and of the loop with what is before it.
struct PointCounts {
    std::vector<std::size_t> of_cycle, all;
};

// The waits at point k of a longer loop: the same as at this point of the cycle that serves as the example.
std::vector<PointPlace> waits_like(const SyncPoint &example, std::size_t cycle, const PointCounts &counts) {
    std::vector<PointPlace> waits;
    for (const PointPlace &peer : example.waits_for) {
        const std::size_t later = peer.point + cycle * counts.of_cycle[peer.component];
        const std::size_t of_example = longest_lag * counts.of_cycle[peer.component];
        if (later >= of_example && later - of_example < counts.all[peer.component])
            waits.push_back({peer.component, later - of_example});
    }
    return waits;
}

// The points of component c with those before them.
std::vector<SyncPoint> with_beginning(std::vector<SyncPoint> loop, std::size_t c, const PointCounts &counts) {
    const std::size_t period = counts.of_cycle[c];
    const std::size_t all = counts.all[c];
    const std::size_t as_example = std::min((times + longest_lag) * period, all);
    std::vector<SyncPoint> longer;
    longer.reserve(all);
    for (std::size_t k = 0; k < as_example; ++k) {
        // The loop's first interval is only the rest of one, so it is replayed whole.
        const std::size_t in_loop = k < times * period    ? period + k % period
                                    : k == times * period ? period
                                                          : k - times * period;
        const SyncPoint &example = loop[longest_lag * period + k % period];
        longer.push_back({loop[in_loop].computing_s, waits_like(example, k / period, counts)});
    }
    for (std::size_t k = as_example; k < all; ++k) {
        longer.push_back(std::move(loop[k - times * period]));
        for (PointPlace &peer : longer.back().waits_for)
            peer.point += times * counts.of_cycle[peer.component];
    }
    return longer;
}

// Whether the loop is long enough, and its cycles are equal at the begin. `classes`: the exchange at each point.
bool begins_alike(std::span<const std::uint32_t> classes, std::size_t period) {
    if (classes.size() < (longest_lag + 1) * period) return false;
    return std::ranges::equal(classes.subspan(period, longest_lag * period), classes.first(longest_lag * period));
}

// The exchange at each point of a component, also at points where it gives way and comes back.
std::vector<std::uint32_t> classes_of(const EventKeys &keys, const std::vector<Placed> &points) {
    const std::vector<std::uint32_t> like = first_alike(keys.classes());
    std::vector<std::uint32_t> classes;
    for (const Placed &p : points) {
        if (p.event == gave_way)
            classes.insert(classes.end(), {gave_way, gave_way - 1});
        else
            classes.push_back(like[keys.class_of(p.event)]);
    }
    return classes;
}

// A sender that waits for nobody may exchange more often in the stretch than its receiver: they have no common cycle.
bool any_runs_ahead(const GraphBuilder &builder) {
    return std::ranges::any_of(builder.result.exchanges, [&](const MatchedExchange &m) {
        const PointOfEvent &of_source = builder.point_of_event[builder.place_of_id.at(m.exchange.source)];
        const PointOfEvent &of_target = builder.point_of_event[builder.place_of_id.at(m.exchange.target)];
        std::size_t puts = 0, gets = 0;
        for (const EventPair &pair : m.pairs) {
            puts += of_source[pair.put] == nowhere ? 0 : 1;
            gets += of_target[pair.get] == nowhere ? 0 : 1;
        }
        return std::max(puts, gets) > std::min(puts, gets) * 11 / 10 + 2;
    });
}

} // namespace

void GraphBuilder::rehearse_loop() {
    constexpr std::size_t most_cycles = 10'000; // with more, one cycle more or less does not matter
    const std::size_t cycles = result.cycle.measured_s.size();
    if (cycles == 0 || cycles > most_cycles || result.paces.empty() || any_runs_ahead(*this)) return;
    PointCounts counts;
    std::vector<std::size_t> added;
    for (std::size_t c = 0; c < constituents.size(); ++c) {
        const std::vector<std::uint32_t> classes = classes_of(run.components[c].table.keys, points[c]);
        std::size_t in_cycles = 0; // the first and the last one may end in different cycles
        for (std::size_t k = 0; k < classes.size(); ++k) {
            const Nanoseconds left = measured({c, k}).stop;
            if (left > result.cycle.extent.start && left <= result.cycle.extent.stop) ++in_cycles;
        }
        // A field that is exchanged more rarely makes the cycle longer.
        const std::size_t of_cycle =
            (in_cycles + cycles / 2) / cycles * (changes == nullptr ? 1 : changes->longer_cycle());
        if (!begins_alike(classes, of_cycle)) return;
        added.push_back(times * of_cycle);
        counts.of_cycle.push_back(of_cycle);
        counts.all.push_back(added.back() + constituents[c].points.size());
    }
    std::vector<Constituent> loop = std::move(constituents); // once in memory, and only until the graph is made
    for (std::size_t c = 0; c < loop.size(); ++c)
        loop[c].points = with_beginning(std::move(loop[c].points), c, counts);
    try {
        result.rehearsal = Rehearsal{CouplingGraph(loop), std::move(added)};
    } catch (const PredictionError &) { // the waits of that cycle, repeated, make a ring: no rehearsal
    }
}

} // namespace cpl_lb
