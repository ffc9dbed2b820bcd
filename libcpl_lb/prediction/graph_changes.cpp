// Calculates the cost of transfers, and moves mappings to the other side.
#include "analysis/exchanges.hpp"
#include "prediction/graph_builder.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <limits>

namespace cpl_lb {

double &GraphBuilder::computing(const PointPlace &place) {
    Constituent &c = constituents[place.component];
    return place.point < c.points.size() ? c.points[place.point].computing_s : c.last_s;
}

// what(put, get): takes the places of both; a point is nowhere if it lies outside the stretch.
template <class Do>
void GraphBuilder::for_each_pair(const MatchedExchange &m, Do what) {
    const std::size_t source = place_of_id.at(m.exchange.source), target = place_of_id.at(m.exchange.target);
    const auto all = [&](const std::vector<EventPair> &pairs) {
        for (const EventPair &pair : pairs) {
            const PointPlace put{source, point_of_event[source][pair.put]};
            const PointPlace get{target, point_of_event[target][pair.get]};
            if (put.point != nowhere || get.point != nowhere) what(put, get);
        }
    };
    all(m.pairs);
    for (const MatchedParts &part : m.parts)
        all(part.pairs);
}

// A transfer lasts from the arrival of both sides until the receiver leaves, without mappings. If a point waits for
// several, the last to come counts. A sender that does not wait for its receiver may wait for room in a buffer, so
// the shortest of its sends is its own share of the transfer.
void GraphBuilder::add_transfer_costs(const std::vector<MatchedExchange> &exchanges) {
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> cost_s; // by component and point
    cost_s.reserve(constituents.size());
    for (const Constituent &c : constituents)
        cost_s.emplace_back(c.points.size(), none);
    const auto least = [&](const PointPlace &place, Nanoseconds length) {
        double &cost = cost_s[place.component][place.point];
        cost = std::min(cost, std::max(0.0, to_seconds(length)));
    };
    for (std::size_t e = 0; e < exchanges.size(); ++e) {
        const bool sender_waits = result.transfers[e] == Transfer::synchronous;
        Nanoseconds shortest = std::numeric_limits<Nanoseconds>::max();
        for_each_pair(exchanges[e], [&](const PointPlace &put, const PointPlace & /*get*/) {
            if (put.point == nowhere) return;
            shortest = std::min(shortest, measured(put).stop - measured(put).start);
        });
        for_each_pair(exchanges[e], [&](const PointPlace &put, const PointPlace &get) {
            if (put.point == nowhere || get.point == nowhere) return;
            const Nanoseconds both = std::max(measured(put).start, measured(get).start);
            least(get, measured(get).stop - both);
            least(put, sender_waits ? measured(put).stop - both : shortest);
        });
    }
    for (std::size_t c = 0; c < cost_s.size(); ++c)
        for (std::size_t p = 0; p < cost_s[c].size(); ++p)
            if (cost_s[c][p] < none) computing({c, p + 1}) += *changes->transfer * cost_s[c][p];
}

// Keeps the core time, so the time changes with other cores.
void GraphBuilder::move_mappings() {
    const auto at = std::ranges::find(run.components, changes->mapping_at, &Component::name);
    const auto there = static_cast<std::size_t>(at - run.components.begin());
    bool moved = false, own = false;
    const auto times = [&](const PointPlace &from) {
        return static_cast<double>(run.components[from.component].cores()) / static_cast<double>(at->cores());
    };
    // A sender's mapping is before its point, a receiver's behind it.
    const auto moves = [&](const PointPlace &from, const PointPlace &from_where, const PointPlace &to) {
        if (from.point == nowhere) return;
        double &seconds = mapping_s[from.component][from.point];
        if (!(seconds > 0)) return;
        moved = true;
        computing(from_where) = std::max(0.0, computing(from_where) - seconds);
        if (to.point != nowhere) computing(to) += times(from) * seconds;
        seconds = 0;
    };
    for (const MatchedExchange &m : result.exchanges) {
        for_each_pair(m, [&](const PointPlace &put, const PointPlace &get) {
            const bool sends = put.component == there, receives = get.component == there;
            if (sends == receives) return;
            const PointPlace &mine = sends ? put : get;
            const PointPlace behind_get{get.component, get.point == nowhere ? nowhere : get.point + 1};
            own = own || (mine.point != nowhere && mapping_s[there][mine.point] > 0);
            if (receives)
                moves(put, put, behind_get);
            else
                moves(get, behind_get, put);
        });
    }
    if (moved) return;
    throw PredictionError(
        own ? fmt::format("all mappings that were recorded in exchanges with {} are done by it already", at->name)
            : fmt::format("no mapping was recorded inside an exchange with {}: what it takes is not known",
                          at->name));
}

} // namespace cpl_lb
