// What the points of a run tell in addition to who waits for whom: paces, computing in a cycle, unexplained waits.
#include "analysis/exchanges.hpp"
#include "prediction/graph_builder.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// If waits for unknown components take more than this share of the stretch, an answer would be a guess.
constexpr double largest_hole = 0.01;
constexpr const char *one_sided = "one-sided"; // the field's name in profiling/windows.cpp

// The component that has not come to a point for which component c waits. `next`: by component, the first point that
// was not left.
std::optional<std::size_t> holder(const std::vector<Constituent> &all, const std::vector<std::size_t> &next,
                                  std::size_t c) {
    for (const PointPlace &other : all[c].points[next[c]].waits_for)
        if (other.point > next[other.component]) return other.component;
    return {};
}

// A ring of points of different components: each is left only when the component of the next one has come to a later
// point. Empty if there is no ring. All points that can be left are left, then it follows who is held up by whom.
std::vector<PointPlace> waiting_ring(const std::vector<Constituent> &all) {
    std::vector<std::size_t> next(all.size());
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t c = 0; c < all.size(); ++c)
            for (; next[c] < all[c].points.size() && !holder(all, next, c); ++next[c])
                moved = true;
    }
    std::optional<std::size_t> at;
    for (std::size_t c = 0; c < all.size() && !at; ++c)
        if (next[c] < all[c].points.size()) at = c;
    std::vector<PointPlace> way;
    while (at && std::ranges::find(way, *at, &PointPlace::component) == way.end()) {
        way.push_back({*at, next[*at]});
        at = holder(all, next, *at);
    }
    if (!at) return {};
    return {std::ranges::find(way, *at, &PointPlace::component), way.end()};
}

// "SST with lag 0"; empty if it is no exchange.
std::string with_lag(const GraphBuilder &builder, const PointPlace &place) {
    const std::int32_t id = builder.run.components[place.component].id;
    const PointOfEvent &of_event = builder.point_of_event[place.component];
    for (const MatchedExchange &m : builder.result.exchanges) {
        const bool is_source = m.exchange.source == id;
        const auto there = std::ranges::find_if(
            m.pairs, [&](const EventPair &pair) { return of_event[is_source ? pair.put : pair.get] == place.point; });
        if (!is_source && m.exchange.target != id) continue;
        if (there != m.pairs.end())
            return fmt::format("{} with lag {}", field_name(builder.run, m.exchange.field), m.exchange.lag);
    }
    return "";
}

} // namespace

void GraphBuilder::add_paces() {
    constexpr std::size_t fewest = 2; // a component that exchanges rarely may be the slowest
    for (std::size_t c = 0; c < constituents.size(); ++c) {
        const EventTable &table = run.components[c].table;
        const std::vector<std::size_t> often = most_frequent(table, points[c], point_of_event[c]);
        if (!decides_end[c] || often.size() < fewest) continue;
        const std::vector<std::uint32_t> like = first_alike(table.keys.classes());
        const std::uint32_t what = like[table.keys.class_of(point_of_event[c].event_of(often.front()))];
        const auto in_run = std::count_if(table.keys.of_events().begin(), table.keys.of_events().end(),
                                          [&](std::uint32_t of_event) { return like[of_event] == what; });
        result.paces.push_back({{c, often.front()},
                                {c, often.back()},
                                static_cast<double>(in_run) / static_cast<double>(often.size() - 1)});
    }
}

void GraphBuilder::add_cycle_computing() {
    CouplingCycle &cycle = result.cycle;
    if (cycle.measured_s.empty()) return;
    for (std::size_t c = 0; c < constituents.size(); ++c) {
        Nanoseconds idle = 0;
        const auto add = [&](Nanoseconds start, Nanoseconds stop) {
            idle += Interval{std::max(start, cycle.extent.start), std::min(stop, cycle.extent.stop)}.length();
        };
        Nanoseconds left = result.stretch.start;
        for (const Placed &p : points[c]) {
            add(std::max(p.arrive, left) + p.before, p.leave - p.after);
            left = std::max(left, p.leave);
        }
        add(ends[c], result.stretch.stop);
        cycle.computing_s.push_back(to_seconds(cycle.extent.length() - idle) /
                                    static_cast<double>(cycle.measured_s.size()));
    }
}

std::string GraphBuilder::ring_in_words() const {
    std::vector<std::string> fields;
    for (const PointPlace &place : waiting_ring(constituents)) {
        const std::string field = with_lag(*this, place);
        if (!field.empty() && std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
    }
    if (fields.size() < 2)
        return fmt::format("{}: components would wait for each other for ever",
                           fields.empty() ? "these lags" : fields[0]);
    std::string names;
    for (std::size_t i = 0; i < fields.size(); ++i)
        names += (i == 0 ? "" : i + 1 < fields.size() ? ", " : " and ") + fields[i];
    return names + " would wait for each other for ever";
}

// GETs of the stretch without a matching PUT in the run: it is not known what they waited for.
void GraphBuilder::check_holes() const {
    std::vector<std::vector<bool>> answered; // by component and point
    answered.reserve(constituents.size());
    for (const Constituent &c : constituents)
        answered.emplace_back(c.points.size());
    for (const MatchedExchange &m : result.exchanges) {
        const std::size_t target = place_of_id.at(m.exchange.target);
        const auto note = [&](const std::vector<EventPair> &pairs) {
            for (const EventPair &pair : pairs)
                if (const std::size_t at = point_of_event[target][pair.get]; at != nowhere)
                    answered[target][at] = true;
        };
        note(m.pairs);
        for (const MatchedParts &part : m.parts)
            note(part.pairs);
    }
    for (std::size_t c = 0; c < constituents.size(); ++c) {
        if (!decides_end[c]) continue; // the wait of an I/O server holds up nobody
        const EventTable &table = run.components[c].table;
        // Everything that an operation of recorded components waits for is recorded. If they waited for nobody, the
        // time is its own: a root sends much data, or a process lost its processor.
        const auto only_takes_long = [&](const EventClass &what) {
            return what.kind == Kind::sync && place_of_id.contains(what.counterpart);
        };
        std::map<std::int32_t, double> unanswered_s; // by field
        for (const Placed &p : points[c]) {
            if (p.event != gave_way && table.keys.what(p.event).kind != Kind::put &&
                !only_takes_long(table.keys.what(p.event)) && !answered[c][point_of_event[c][p.event]])
                unanswered_s[table.keys.what(p.event).field] += to_seconds(p.leave - p.arrive - p.after);
        }
        for (const auto &[field, seconds] : unanswered_s) {
            if (seconds <= largest_hole * result.measured_s()) continue;
            if (field_name(run, field) == one_sided) {
                throw PredictionError(
                    fmt::format("{} waits {:.3g} s in one-sided calls: with which event of the other "
                                "side such a wait ends is not known",
                                constituents[c].name, seconds));
            }
            throw PredictionError(fmt::format("{} waits {:.3g} s for {}, which nobody that was recorded sends",
                                              constituents[c].name, seconds, field_name(run, field)));
        }
    }
}

} // namespace cpl_lb
