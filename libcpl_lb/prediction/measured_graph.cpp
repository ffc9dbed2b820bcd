// Builds the dependency graph of a run from its matched events.
#include "prediction/measured_graph.hpp"

#include "analysis/exchanges.hpp"
#include "prediction/changes.hpp"
#include "prediction/graph_parts.hpp"
#include "prediction/stretch_points.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// Waits for somebody unknown may take this share of the stretch before an answer would be a guess.
constexpr double largest_hole = 0.01;

void check(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges) {
    if (run.components.size() < 2) throw PredictionError("a single component has nobody to wait for");
    const std::set<std::int32_t> coupled = those_that_exchange(exchanges);
    for (const Component &component : run.components) {
        if (coupled.count(component.id) == 0) {
            throw PredictionError(
                fmt::format("{0} exchanges nothing with any other component of the run (--without {0} leaves it out)",
                            component.name));
        }
    }
    check_unnamed_senders(run, exchanges);
}

struct Builder {
    const CoupledRun &run;
    MeasuredGraph &result;
    std::vector<Constituent> constituents;
    std::vector<PointOfEvent> point_of_event; // by component
    std::vector<std::vector<Placed>> points;
    std::vector<Nanoseconds> ends;        // by component: when it stops to compute
    Sharing shares;                       // of processes
    std::vector<bool> decides_end;        // by component
    std::vector<std::vector<Turn>> turns; // by component
    std::map<std::int32_t, std::size_t> place_of_id;
    std::vector<std::size_t> first_point; // by component, in result.measured
    Nanoseconds bound = 0;                // of the clocks
    const Changes *changes = nullptr;     // null: as it was measured
    std::set<std::size_t> changed;        // exchanges whose pairs were moved: what the run shows of them is past
    bool ties_count = true;               // who left the point before at the very moment can have been waited for

    void add_component(const Component &component) {
        place_of_id[component.id] = constituents.size();
        first_point.push_back(result.measured.size());
        Nanoseconds end = 0;
        std::vector<Placed> placed = points_of(component, result.parts, end);
        PointOfEvent of_event = room_for(placed);
        Constituent c{component.name, {}, 0};
        Nanoseconds left = result.stretch.start;
        Nanoseconds after = 0;
        Nanoseconds waiting = 0;
        Nanoseconds skew = 0; // of its processes when they left the exchange before
        turns.emplace_back();
        std::vector<ComputingPiece> pieces; // before each point, and the last
        std::vector<std::size_t> before;    // the points of these
        for (const Placed &p : placed) {
            const Nanoseconds computing = std::max<Nanoseconds>(0, p.arrive - left - p.cut_off);
            pieces.push_back(
                {{left, std::max(left, p.arrive)}, to_seconds(computing), skew_since(component, p.event, skew)});
            before.push_back(c.points.size());
            c.points.push_back({to_seconds(computing + after + p.before), {}});
            note_times(p, left);
            if (p.event == gave_way) {
                turns.back().push_back({{p.arrive, p.leave}, c.points.size() - 1, c.points.size()});
                c.points.push_back({0, {}});
            } else {
                of_event.set(p.event, c.points.size() - 1);
                waiting += std::max<Nanoseconds>(0, p.leave - std::max(p.arrive, left) - p.before - p.after);
            }
            after = p.after;
            left = std::max(left, p.leave);
        }
        c.last_s = to_seconds(std::max<Nanoseconds>(0, end - left) + after);
        pieces.push_back({{left, std::max(left, end)}, to_seconds(std::max<Nanoseconds>(0, end - left)), 0});
        if (changes != nullptr) change_pieces(component, before, std::move(pieces), c);
        c.whole_end_s = to_seconds(component.last_terminate);
        result.measured.push_back({end, end});
        c.decides_end = decides_end[constituents.size()];
        constituents.push_back(std::move(c));
        point_of_event.push_back(std::move(of_event));
        points.push_back(std::move(placed));
        ends.push_back(end);
        result.processes.push_back(component.cores());
        result.waiting_s.push_back(to_seconds(waiting));
    }

    // By how much the processes come further apart than they were. Where the last one does not wait, it leaves as far
    // behind the first as it came; where it does, and in collective operations, they leave together.
    static Nanoseconds skew_since(const Component &component, std::uint32_t event, Nanoseconds &skew) {
        if (event == gave_way) return 0;
        const EventSpan &span = component.table.spans[event];
        const Nanoseconds apart = span.last_start - span.first_start;
        const Nanoseconds grown = std::max<Nanoseconds>(0, apart - skew);
        const bool together =
            component.table.keys.what(event).kind == Kind::sync || 2 * (span.last_stop - span.last_start) > apart;
        skew = together ? 0 : apart;
        return grown;
    }
    // before: the points that the pieces come before; after the last of these comes one piece more.
    void change_pieces(const Component &component, const std::vector<std::size_t> &before,
                       std::vector<ComputingPiece> pieces, Constituent &c) const {
        const std::vector<ComputingPiece> measured = pieces;
        change_computing(component, *changes, pieces);
        for (std::size_t i = 0; i < before.size(); ++i)
            c.points[before[i]].computing_s += pieces[i].computing_s - measured[i].computing_s;
        c.last_s += pieces.back().computing_s - measured.back().computing_s;
    }

    // A component gives way at one point and goes on at the next.
    void note_times(const Placed &p, Nanoseconds left) const {
        if (p.event == gave_way) {
            result.measured.push_back({p.arrive, p.arrive});
            result.measured.push_back({p.leave, p.leave});
            return;
        }
        const Nanoseconds come = std::max(p.arrive, left) + p.before;
        result.measured.push_back({come, std::max(come, p.leave - p.after)});
    }

    [[nodiscard]] std::size_t point(std::int32_t id, std::uint32_t event) const {
        return point_of_event[place_of_id.at(id)][event];
    }

    void add_waits() {
        for (std::size_t e = 0; e < result.exchanges.size(); ++e) {
            const MatchedExchange &m = result.exchanges[e];
            if (changed.contains(e)) {
                add_changed(m);
                continue;
            }
            add_waits(m, m.pairs, result.transfers[e]);
            for (const MatchedParts &part : m.parts)
                add_waits(m, part.pairs, part.transfer == Transfer::not_seen ? result.transfers[e] : part.transfer);
        }
        add_turns(constituents, turns, shares);
    }
    void add_waits(const MatchedExchange &m, const std::vector<EventPair> &pairs, Transfer transfer) {
        const std::size_t source = place_of_id.at(m.exchange.source);
        const std::size_t target = place_of_id.at(m.exchange.target);
        for (const EventPair &pair : pairs) {
            const PointPlace put{source, point_of_event[source][pair.put]};
            const PointPlace get{target, point_of_event[target][pair.get]};
            if (put.point == nowhere || get.point == nowhere) continue; // its other end lies outside of the stretch
            // If a side makes several calls for one exchange, the GET that ends after the last process of the other
            // side has come is the one that waits for it.
            if (m.parts.empty() || measured(put).start <= measured(get).stop + bound) add_wait(get, put);
            if (transfer == Transfer::synchronous) add_wait(put, get);
        }
    }
    // Where nobody saw whether the sender waits, it is taken not to.
    void add_changed(const MatchedExchange &m) {
        const std::size_t source = place_of_id.at(m.exchange.source);
        const std::size_t target = place_of_id.at(m.exchange.target);
        for (const EventPair &pair : m.pairs) {
            const PointPlace put{source, point_of_event[source][pair.put]};
            const PointPlace get{target, point_of_event[target][pair.get]};
            if (put.point == nowhere || get.point == nowhere) continue;
            constituents[target].points[get.point].waits_for.push_back(put);
            if (m.transfer == Transfer::synchronous) constituents[source].points[put.point].waits_for.push_back(get);
        }
    }
    // Only for who can have been waited for: one that had left the point before its own by then. So a run that ended
    // has no ring: what a point needs was left before it, and each component leaves its points in order. Processes of
    // a component that are in different exchanges at once can make it look otherwise.
    void add_wait(const PointPlace &who, const PointPlace &for_whom) {
        const Nanoseconds left = for_whom.point == 0 ? std::numeric_limits<Nanoseconds>::min()
                                                     : measured({for_whom.component, for_whom.point - 1}).stop;
        if (left < measured(who).stop || (left == measured(who).stop && ties_count))
            constituents[who.component].points[who.point].waits_for.push_back(for_whom);
    }
    [[nodiscard]] const Interval &measured(const PointPlace &p) const {
        return result.measured[first_point[p.component] + p.point];
    }

    void add_paces() {
        constexpr std::size_t fewest = 2; // one who exchanges rarely may be the slowest
        for (std::size_t c = 0; c < constituents.size(); ++c) {
            const EventTable &table = run.components[c].table;
            const std::vector<std::size_t> often = most_frequent(table, points[c], point_of_event[c]);
            if (!decides_end[c] || often.size() < fewest) continue;
            const std::vector<std::uint32_t> like = first_alike(table.keys.classes());
            const std::uint32_t what = like[class_of_point(c, often.front())];
            const auto in_run = std::count_if(table.keys.of_events().begin(), table.keys.of_events().end(),
                                              [&](std::uint32_t of_event) { return like[of_event] == what; });
            result.paces.push_back({{c, often.front()},
                                    {c, often.back()},
                                    static_cast<double>(in_run) / static_cast<double>(often.size() - 1)});
        }
    }
    [[nodiscard]] std::uint32_t class_of_point(std::size_t c, std::size_t point) const {
        return run.components[c].table.keys.class_of(point_of_event[c].event_of(point));
    }

    // Computing in whole cycles only: at the ends of the stretch there is more of it, or less, than waiting.
    void add_cycle_computing() {
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

    // The exchange at each point of a component, also at points where it gives way and comes back.
    [[nodiscard]] std::vector<std::uint32_t> classes_of(std::size_t c) const {
        const std::vector<std::uint32_t> like = first_alike(run.components[c].table.keys.classes());
        std::vector<std::uint32_t> classes;
        for (const Placed &p : points[c]) {
            if (p.event == gave_way)
                classes.insert(classes.end(), {gave_way, gave_way - 1});
            else
                classes.push_back(like[run.components[c].table.keys.class_of(p.event)]);
        }
        return classes;
    }
    // A sender that waits for nobody may exchange more often in the stretch than its receiver: they have no cycle in
    // common.
    [[nodiscard]] bool any_runs_ahead() const {
        return std::any_of(result.exchanges.begin(), result.exchanges.end(), [&](const MatchedExchange &m) {
            const PointOfEvent &of_source = point_of_event[place_of_id.at(m.exchange.source)];
            const PointOfEvent &of_target = point_of_event[place_of_id.at(m.exchange.target)];
            std::size_t puts = 0, gets = 0;
            for (const EventPair &pair : m.pairs) {
                puts += of_source[pair.put] == nowhere ? 0 : 1;
                gets += of_target[pair.get] == nowhere ? 0 : 1;
            }
            return std::max(puts, gets) > std::min(puts, gets) * 11 / 10 + 2;
        });
    }
    // The last step: it uses up the constituents.
    void rehearse_loop() {
        constexpr std::size_t most_cycles = 10'000; // beyond, one cycle more or less does not show
        const std::size_t cycles = result.cycle.measured_s.size();
        if (cycles == 0 || cycles > most_cycles || result.paces.empty() || any_runs_ahead()) return;
        std::vector<std::vector<std::uint32_t>> classes;
        std::vector<std::size_t> of_cycle;
        for (std::size_t c = 0; c < constituents.size(); ++c) {
            classes.push_back(classes_of(c));
            std::size_t in_cycles = 0; // the ends of the first and of the last may not be of the same cycle
            for (std::size_t k = 0; k < classes[c].size(); ++k) {
                const Nanoseconds left = measured({c, k}).stop;
                if (left > result.cycle.extent.start && left <= result.cycle.extent.stop) ++in_cycles;
            }
            // A field that is exchanged more rarely makes the cycle longer.
            of_cycle.push_back((in_cycles + cycles / 2) / cycles *
                               (changes == nullptr ? 1 : changes->longer_cycle()));
        }
        result.rehearsal = rehearse(std::move(constituents), classes, of_cycle);
    }

    // All that an operation of components that are recorded waits for is recorded. Where they waited for nobody, its
    // time is its own: a root that hands out much data, or a processor that was lost in it.
    [[nodiscard]] bool only_takes_long(const EventClass &what) const {
        return what.kind == Kind::sync && place_of_id.contains(what.counterpart);
    }

    static constexpr const char *one_sided = "one-sided"; // the field's name in profiling/windows.cpp
    // GETs of the stretch that nothing in the run answers: what they waited for is not known.
    void check_holes() const {
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
            if (!decides_end[c]) continue; // what an I/O server waits for holds up nobody
            const EventTable &table = run.components[c].table;
            std::map<std::int32_t, double> unanswered_s; // by field
            for (const Placed &p : points[c]) {
                if (p.event != gave_way && table.keys.what(p.event).kind != Kind::put &&
                    !only_takes_long(table.keys.what(p.event)) && !answered[c][point_of_event[c][p.event]])
                    unanswered_s[table.keys.what(p.event).field] += to_seconds(p.leave - p.arrive - p.after);
            }
            for (const auto &[field, seconds] : unanswered_s) {
                if (seconds <= largest_hole * result.measured_s()) continue;
                if (field_name(run, field) == one_sided) {
                    throw PredictionError(fmt::format("{} waits {:.3g} s in one-sided calls, in which the other side "
                                                      "takes no part: who kept it waiting is not known",
                                                      constituents[c].name, seconds));
                }
                throw PredictionError(fmt::format("{} waits {:.3g} s for {}, which nobody that was recorded sends",
                                                  constituents[c].name, seconds, field_name(run, field)));
            }
        }
    }
};

// The graph of result.stretch, from result.exchanges.
void build(Builder &builder, const SeenExchanges &seen, const Budget &budget) {
    MeasuredGraph &result = builder.result;
    for (const Component &component : builder.run.components) {
        budget.check();
        builder.add_component(component);
    }
    builder.add_paces();
    budget.check();
    if (builder.changes == nullptr) builder.check_holes();
    result.transfers = settled_transfers(builder.run, result.exchanges, builder.shares, seen);
    builder.add_waits();
    budget.check();
    try {
        result.graph.emplace(builder.constituents);
    } catch (const PredictionError &) { // what happened at one moment can be put in a ring
        builder.ties_count = false;
        for (Constituent &c : builder.constituents)
            for (SyncPoint &point : c.points)
                point.waits_for.clear();
        builder.add_waits();
        result.graph.emplace(builder.constituents);
    }
}

Builder builder_for(const CoupledRun &run, MeasuredGraph &result) {
    check(run, result.exchanges);
    Sharing shares = sharing(run);
    check_turns(run, shares);
    result.pool = pool_of(shares);
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    return {run, result, {},    {},      {}, {},  std::move(shares), who_decides_the_end(run), {},
            {},  {},     bound, nullptr, {}, true};
}

// From the waiting of its processes in its whole loop.
void add_busiest(const CoupledRun &run, MeasuredGraph &result) {
    const Replay now = result.replay(std::vector<double>(result.graph->components(), 1.0));
    std::vector<double> busiest_s(result.graph->components());
    for (const Pace &pace : result.paces) {
        const ComponentBalance &b = run.components[pace.to.component].balance;
        if (!is_known(b.process_waiting_s.max)) continue;
        const double between = now.leave_s[result.graph->flat(pace.to)] - now.leave_s[result.graph->flat(pace.from)];
        const double computing = 1 - (b.process_waiting_s.max + b.away_s) / b.loop_s;
        busiest_s[pace.to.component] = std::max(0.0, computing) * between * pace.times;
    }
    result.busiest_s = std::move(busiest_s);
}

void complete(Builder &builder, const Interval &stretch, const SeenExchanges &seen, std::size_t most_points,
              const Budget &budget) {
    const CoupledRun &run = builder.run;
    MeasuredGraph &result = builder.result;
    result.stretch = stretch;
    result.parts = parts_of_loop(run, stretch, most_points);
    build(builder, seen, budget);
    if (result.parts.size() > 1) {
        result.why_no_cycle = "the loop is too long: a few parts of it were followed";
        add_busiest(run, result);
        return;
    }
    find_cycle(run, result, [&builder](std::int32_t id, std::uint32_t event) {
        const std::size_t at = builder.point(id, event);
        return at == nowhere ? std::optional<PointPlace>{}
                             : std::optional<PointPlace>({builder.place_of_id.at(id), at});
    });
    builder.add_cycle_computing();
    builder.rehearse_loop();
    add_busiest(run, result);
}

} // namespace

MeasuredGraph measured_graph(const CoupledRun &run, const SeenExchanges &seen) {
    MeasuredGraph result;
    result.exchanges = match_events(run, with_seen_lags(run, find_exchanges(run), seen));
    Builder builder = builder_for(run, result);
    complete(builder, common_stretch(run), seen, std::numeric_limits<std::size_t>::max(), {});
    return result;
}

MeasuredGraph changed_graph(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes,
                            const SeenExchanges &seen) {
    MeasuredGraph result;
    result.exchanges = match_events(run, with_seen_lags(run, find_exchanges(run), seen));
    const std::set<std::size_t> changed = change_exchanges(run, changes, result.exchanges);
    Builder builder = builder_for(run, result);
    builder.changes = &changes;
    builder.changed = changed;
    try {
        complete(builder, measured.stretch, seen, std::numeric_limits<std::size_t>::max(), {});
    } catch (const PredictionError &) {
        if (changes.lags.empty()) throw;
        throw PredictionError("with this lag components would wait for each other for ever");
    }
    // What its busiest process computes changes as all of it does.
    result.busiest_s = measured.busiest_s;
    for (std::size_t c = 0; c < result.busiest_s.size(); ++c)
        if (const double before = measured.graph->computing_s()[c]; before > 0)
            result.busiest_s[c] *= result.graph->computing_s()[c] / before;
    return result;
}

MeasuredGraph measured_graph(const CoupledRun &run, std::vector<MatchedExchange> exchanges, const Interval &stretch,
                             std::size_t most_points, const Budget &budget) {
    MeasuredGraph result;
    result.exchanges = std::move(exchanges);
    Builder builder = builder_for(run, result);
    complete(builder, stretch, {}, most_points, budget);
    return result;
}

} // namespace cpl_lb
