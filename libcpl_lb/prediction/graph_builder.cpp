// Makes the points of components, finds who waits for whom at them, calculates the cost of transfers, and moves
// mappings to the other side.
#include "prediction/graph_builder.hpp"

#include "analysis/chosen_exchanges.hpp"
#include "analysis/exchanges.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/scaling_curve.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

// By event; empty if no change asks for it.
std::vector<Nanoseconds> lateness(const Component &component, const Interval &stretch, const Changes *changes) {
    if (changes == nullptr || changes->balanced.empty()) return {};
    return new_lateness(component.table, stretch, !waiting_inside(component).is_spread).of_event;
}

// The length of these parts, and of the times in other components in them.
std::pair<Nanoseconds, Nanoseconds> whole_and_away(const Component &component, const std::vector<Interval> &parts) {
    Nanoseconds whole = 0, away = 0;
    for (const Interval &part : parts) {
        whole += part.length();
        for (const Interval &time : component.away)
            away += Interval{std::max(part.start, time.start), std::min(part.stop, time.stop)}.length();
    }
    return {whole, away};
}

} // namespace

void GraphBuilder::add_component(const Component &component) {
    place_of_id[component.id] = constituents.size();
    first_point.push_back(result.measured.size());
    Nanoseconds end = 0;
    std::vector<Placed> placed = points_of(component, result.parts, end);
    PointOfEvent of_event(placed);
    Constituent c{component.name, {}, 0};
    Nanoseconds left = result.stretch.start;
    Nanoseconds after = 0;
    Nanoseconds computed = 0;
    const std::vector<Nanoseconds> late = lateness(component, result.stretch, changes);
    turns.emplace_back();
    PiecesOfComponent pieces; // of a changed graph only
    const auto add_piece = [&](std::size_t before, const ComputingPiece &piece, std::size_t in = nowhere) {
        if (changes != nullptr) pieces.add(before, piece, in);
    };
    c.points.reserve(placed.size());
    result.measured.reserve(result.measured.size() + placed.size() + 1);
    for (const Placed &p : placed) {
        const Nanoseconds computing = std::max<Nanoseconds>(0, p.arrive - left - p.cut_off);
        const Interval whole{std::max(left, p.arrive), p.leave};
        add_piece(
            c.points.size(),
            {{left, std::max(left, p.arrive)}, to_seconds(computing), p.event < late.size() ? late[p.event] : 0});
        if (p.before > 0) add_piece(c.points.size(), {whole, to_seconds(p.before), 0}, c.points.size());
        c.points.push_back({to_seconds(computing + after + p.before), {}});
        computed += computing + p.before + p.after;
        note_times(p, left);
        if (p.event == gave_way) {
            turns.back().push_back({{p.arrive, p.leave}, c.points.size() - 1, c.points.size()});
            c.points.push_back({0, {}});
        } else {
            of_event.set(p.event, c.points.size() - 1);
        }
        if (p.after > 0) add_piece(c.points.size(), {whole, to_seconds(p.after), 0}, c.points.size() - 1);
        after = p.after;
        left = std::max(left, p.leave);
    }
    const Nanoseconds last = std::max<Nanoseconds>(0, end - left);
    c.last_s = to_seconds(last + after);
    add_piece(c.points.size(), {{left, std::max(left, end)}, to_seconds(last), 0});
    if (changes != nullptr) change_pieces(component, std::move(pieces), c);
    c.whole_end_s = to_seconds(component.last_terminate);
    result.measured.push_back({end, end});
    c.decides_end = decides_end[constituents.size()];
    constituents.push_back(std::move(c));
    point_of_event.push_back(std::move(of_event));
    points.push_back(std::move(placed));
    ends.push_back(end);
    result.processes.push_back(component.cores());
    const bool alike = component.cores() == static_cast<std::int64_t>(component.ranks.size()) * component.threads;
    result.threads.push_back(alike ? component.threads : differing_threads);
    const auto [whole, away] = whole_and_away(component, result.parts);
    result.away_s.push_back(to_seconds(away));
    result.waiting_s.push_back(to_seconds(std::max<Nanoseconds>(0, whole - away - computed - last)));
}

void GraphBuilder::change_pieces(const Component &component, PiecesOfComponent pieces, Constituent &c) {
    const std::vector<ComputingPiece> measured = pieces.pieces;
    change_computing(component, *changes, pieces.pieces);
    if (!core_factors.empty())
        for (ComputingPiece &piece : pieces.pieces)
            piece.computing_s *= core_factors[constituents.size()];
    const auto computing = [&](std::size_t point) -> double & {
        return point < c.points.size() ? c.points[point].computing_s : c.last_s;
    };
    for (std::size_t i = 0; i < measured.size(); ++i)
        computing(pieces.point[i]) += pieces.pieces[i].computing_s - measured[i].computing_s;
    mapping_s.emplace_back(c.points.size());
    if (changes->mapping_at.empty()) return;
    without_output(component.table, pieces.pieces);
    for (std::size_t i = 0; i < measured.size(); ++i)
        if (const std::size_t in = pieces.inside[i]; in != nowhere)
            mapping_s.back()[in] += pieces.pieces[i].computing_s;
}

// A component gives way at one point and continues at the next.
void GraphBuilder::note_times(const Placed &p, Nanoseconds left) const {
    if (p.event == gave_way) {
        result.measured.push_back({p.arrive, p.arrive});
        result.measured.push_back({p.leave, p.leave});
        return;
    }
    const Nanoseconds come = std::max(p.arrive, left) + p.before;
    result.measured.push_back({come, std::max(come, p.leave - p.after)});
}

void GraphBuilder::add_waits() {
    for (std::size_t e = 0; e < result.exchanges.size(); ++e) {
        const MatchedExchange &m = result.exchanges[e];
        const bool as_recorded = !changed.contains(e); // a changed one has no parts (check_field)
        // If it was not seen whether the sender of a changed one waits, it is assumed not to wait.
        add_waits(m, m.pairs, as_recorded ? result.transfers[e] : m.transfer, as_recorded);
        for (const MatchedParts &part : m.parts)
            add_waits(m, part.pairs, part.transfer == Transfer::not_seen ? result.transfers[e] : part.transfer, true);
    }
    if (changes == nullptr)
        add_turns(constituents, turns, shares);
    else
        take_turns();
}

void GraphBuilder::take_turns() {
    add_turns(constituents, turns, kept_sharing(run, shares, *changes));
    for (const std::vector<std::string> &group : changes->in_turn) {
        std::vector<std::vector<RecordedPiece>> pieces;
        for (const std::string &name : group) {
            const auto at = std::ranges::find(constituents, name, &Constituent::name);
            pieces.push_back(recorded_pieces(static_cast<std::size_t>(at - constituents.begin())));
        }
        add_in_turn(constituents, pieces);
    }
}

std::vector<RecordedPiece> GraphBuilder::recorded_pieces(std::size_t c) const {
    const std::vector<SyncPoint> &all = constituents[c].points;
    std::vector<RecordedPiece> pieces;
    pieces.reserve(all.size());
    for (std::size_t p = 0; p < all.size(); ++p)
        pieces.push_back({p == 0 ? result.stretch.start : measured({c, p - 1}).stop, all[p].computing_s, {c, p}});
    return pieces;
}

void GraphBuilder::add_waits(const MatchedExchange &m, const std::vector<EventPair> &pairs, Transfer transfer,
                             bool as_recorded) {
    const std::size_t source = place_of_id.at(m.exchange.source);
    const std::size_t target = place_of_id.at(m.exchange.target);
    const auto add = [&](const PointPlace &who, const PointPlace &for_whom) {
        if (!as_recorded || can_wait(who, for_whom))
            constituents[who.component].points[who.point].waits_for.push_back(for_whom);
    };
    for (const EventPair &pair : pairs) {
        const PointPlace put{source, point_of_event[source][pair.put]};
        const PointPlace get{target, point_of_event[target][pair.get]};
        if (put.point == nowhere || get.point == nowhere) continue; // its other end lies outside the stretch
        // If a side makes several calls for one exchange, the GET that ends after the arrival of the other side's
        // last process is the one that waits for it.
        if (m.parts.empty() || measured(put).start <= measured(get).stop + bound) add(get, put);
        if (transfer == Transfer::synchronous) add(put, get);
    }
}

// Only components that can have been waited for: they had left their previous point by then. So a run that ended has
// no ring: each point needs points that were left earlier, and each component leaves its points in order. Processes
// of a component that are in different exchanges at once can break this rule.
bool GraphBuilder::can_wait(const PointPlace &who, const PointPlace &for_whom) const {
    const Nanoseconds left = for_whom.point == 0 ? std::numeric_limits<Nanoseconds>::min()
                                                 : measured({for_whom.component, for_whom.point - 1}).stop;
    return left < measured(who).stop || (left == measured(who).stop && ties_count);
}

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
