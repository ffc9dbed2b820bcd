// Builds the dependency graph of a run from its matched events, and replays it.
#include "prediction/measured_graph.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/changes.hpp"
#include "prediction/graph_builder.hpp"
#include "support/fmt.hpp"
#include "support/shell_words.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace cpl_lb {
namespace {

void check(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges) {
    if (run.components.size() < 2) throw PredictionError("a single component has nobody to wait for in this run");
    if (on_windows(run).hide_waits) throw PredictionError(windows_hide_waits);
    const std::set<std::int32_t> coupled = those_that_exchange(exchanges);
    for (const Component &component : run.components) {
        if (coupled.count(component.id) == 0) {
            throw PredictionError(
                fmt::format("{} exchanges nothing with any other component of the run ({} leaves it out)",
                            component.name, shell_option("--without", component.name)));
        }
    }
    check_unnamed_senders(run, exchanges);
}

// Builds the graph of result.stretch from result.exchanges.
void build(GraphBuilder &builder, const SeenExchanges &seen, const Budget &budget) {
    MeasuredGraph &result = builder.result;
    for (const Component &component : builder.run.components) {
        budget.check();
        builder.add_component(component);
    }
    builder.add_paces();
    budget.check();
    if (builder.changes == nullptr) {
        builder.check_holes();
        result.transfers = settled_transfers(builder.run, result.exchanges, builder.shares, seen);
    } else {
        if (builder.changes->transfer) builder.add_transfer_costs(*builder.as_measured);
        if (!builder.changes->mapping_at.empty()) builder.move_mappings();
    }
    // What is needed no more goes, because the tables of a long run fill the memory besides.
    if (result.parts.size() > 1) builder.points = std::vector<std::vector<Placed>>();
    builder.add_waits();
    budget.check();
    try {
        result.graph.emplace(builder.constituents);
    } catch (const PredictionError &) { // events at one moment can be put into a ring
        builder.ties_count = false;
        for (Constituent &c : builder.constituents)
            for (SyncPoint &point : c.points)
                point.waits_for.clear();
        builder.add_waits();
        result.graph.emplace(builder.constituents);
    }
}

GraphBuilder builder_for(const CoupledRun &run, MeasuredGraph &result) {
    check(run, result.exchanges);
    Sharing shares = sharing(run);
    check_turns(run, shares);
    result.pool = pool_of(shares);
    GraphBuilder builder{run, result};
    builder.shares = std::move(shares);
    builder.decides_end = who_decides_the_end(run);
    builder.bound = clock_bound(run);
    return builder;
}

// Calculated from the waiting of the processes in the whole loop.
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

void complete(GraphBuilder &builder, const Interval &stretch, const SeenExchanges &seen, std::size_t most_points,
              const Budget &budget) {
    const CoupledRun &run = builder.run;
    MeasuredGraph &result = builder.result;
    result.stretch = stretch;
    result.parts = parts_of_loop(run, stretch, most_points);
    build(builder, seen, budget);
    if (result.parts.size() > 1) {
        result.why_no_cycle = "the loop is too long: a few parts of it were followed";
        builder.constituents = std::vector<Constituent>();
        builder.point_of_event = std::vector<PointOfEvent>();
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

double computing_in(const CouplingGraph &graph, const Pace &pace) {
    double seconds = 0;
    for (std::size_t at = graph.flat(pace.from) + 1; at <= graph.flat(pace.to); ++at)
        seconds += graph.computing_before(at);
    return seconds;
}

MeasuredGraph changed_in_order(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes) {
    check_changes(run, measured.exchanges, changes);
    MeasuredGraph result;
    result.exchanges = measured.exchanges;
    result.transfers = measured.transfers;
    GraphBuilder builder = builder_for(run, result);
    builder.changes = &changes;
    check_core_changes(run, builder.shares, changes);
    if (!changes.in_turn.empty() || !changes.side_by_side.empty()) {
        result.other_cores = changed_cores(run, measured.graph->computing_s(), changes);
        for (std::size_t c = 0; c < result.other_cores.size(); ++c)
            builder.core_factors.push_back(static_cast<double>(run.components[c].cores()) /
                                           static_cast<double>(result.other_cores[c]));
    }
    builder.as_measured = &measured.exchanges;
    builder.changed = change_exchanges(run, changes, result.exchanges);
    try {
        complete(builder, measured.stretch, {}, std::numeric_limits<std::size_t>::max(), {});
    } catch (const PredictionError &) {
        if (changes.lags.empty()) throw;
        throw PredictionError(builder.ring_in_words());
    }
    result.in_turn = changes.in_turn;
    // The computing of the busiest process changes like that of all processes, in whole cycles.
    result.busiest_s = measured.busiest_s;
    for (const Pace &pace : measured.paces)
        if (const double before = computing_in(*measured.graph, pace); before > 0)
            result.busiest_s[pace.to.component] *= computing_in(*result.graph, pace) / before;
    return result;
}

double slowest_s(const MeasuredGraph &graph) {
    return graph.replay(std::vector<double>(graph.graph->components(), 1.0)).slowest_s;
}

// Tries all orders of a group, with the other groups as they are so far. A group of more than four keeps its order.
void try_orders(const CoupledRun &run, const MeasuredGraph &measured, std::size_t group, Changes &changes,
                std::optional<MeasuredGraph> &best) {
    constexpr std::size_t most = 4;
    std::vector<std::string> order = changes.in_turn[group], best_order = order;
    const bool as_written = order.size() > most;
    if (!as_written) std::ranges::sort(order);
    std::optional<PredictionError> why_not;
    do {
        changes.in_turn[group] = order;
        try {
            MeasuredGraph other = changed_in_order(run, measured, changes);
            if (best && !(slowest_s(other) < slowest_s(*best))) continue;
            best = std::move(other);
            best_order = order;
        } catch (const PredictionError &error) { // in this order they may wait for each other for ever
            if (!why_not) why_not = error;
        }
    } while (!as_written && std::next_permutation(order.begin(), order.end()));
    if (!best) throw PredictionError(*why_not);
    changes.in_turn[group] = best_order;
}

} // namespace

MeasuredGraph measured_graph(const CoupledRun &run, const SeenExchanges &seen) {
    if (!run.clock.why_not_comparable.empty()) throw PredictionError(run.clock.why_not_comparable);
    MeasuredGraph result;
    result.exchanges = match_events(run, with_seen_lags(run, find_exchanges(run), seen));
    GraphBuilder builder = builder_for(run, result);
    complete(builder, common_stretch(run), seen, std::numeric_limits<std::size_t>::max(), {});
    return result;
}

MeasuredGraph changed_graph(const CoupledRun &run, const MeasuredGraph &measured, const Changes &changes) {
    if (changes.in_turn.empty()) return changed_in_order(run, measured, changes);
    Changes ordered = changes;
    std::optional<MeasuredGraph> best;
    for (std::size_t group = 0; group < changes.in_turn.size(); ++group)
        try_orders(run, measured, group, ordered, best);
    return std::move(*best);
}

MeasuredGraph measured_graph(const CoupledRun &run, std::vector<MatchedExchange> exchanges, const Interval &stretch,
                             std::size_t most_points, const Budget &budget) {
    MeasuredGraph result;
    result.exchanges = std::move(exchanges);
    GraphBuilder builder = builder_for(run, result);
    complete(builder, stretch, {}, most_points, budget);
    return result;
}

Interval common_stretch(const CoupledRun &run) {
    Interval stretch{std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()};
    const std::vector<bool> decides = who_decides_the_end(run);
    if (std::ranges::find(decides, true) == decides.end())
        throw PredictionError("no component exchanges anything with another, except I/O servers");
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        if (!decides[c]) continue;
        const Component &component = run.components[c];
        const Window window = find_window(component.table, {component.window_first, component.window_last});
        if (!window.known()) throw PredictionError(component.name + " has no coupling loop: " + window.why_not);
        stretch.start = std::max(stretch.start, window.interval().start);
        stretch.stop = std::min(stretch.stop, window.interval().stop);
    }
    if (stretch.length() == 0) throw PredictionError("the coupling loops of the components do not overlap in time");
    return stretch;
}

Replay MeasuredGraph::replay(const std::vector<double> &factors, bool rehearsed) const {
    rehearsed = rehearsed && rehearsal;
    const Schedule schedule = rehearsed ? rehearsal->graph.schedule(factors) : graph->schedule(factors);
    Replay result;
    for (std::size_t c = 0; c < graph->components(); ++c) {
        const std::size_t first = rehearsed ? rehearsal->graph.flat({c, rehearsal->added[c]}) : graph->flat({c, 0});
        const std::size_t count = graph->flat({c + 1, 0}) - graph->flat({c, 0});
        const auto of_loop = std::span(schedule.leave_s).subspan(first, count);
        result.leave_s.insert(result.leave_s.end(), of_loop.begin(), of_loop.end());
    }
    result.slowest_s = paces.empty() ? schedule.length_s : 0;
    for (const Pace &pace : paces) {
        const double between = result.leave_s[graph->flat(pace.to)] - result.leave_s[graph->flat(pace.from)];
        result.slowest_s = std::max(result.slowest_s, between * pace.times);
    }
    for (std::size_t c = 0; c < busiest_s.size(); ++c)
        result.slowest_s = std::max(result.slowest_s, busiest_s[c] * factors[c]);
    return result;
}

double MeasuredGraph::examined_s() const {
    Nanoseconds sum = 0;
    for (const Interval &part : parts)
        sum += part.length();
    return to_seconds(sum);
}

// If two parts meet at this time: the end of the earlier part with is_stop, else the begin of the later one.
Nanoseconds MeasuredGraph::time_in_run(Nanoseconds time, bool is_stop) const {
    Nanoseconds between = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const Nanoseconds meet = parts[i - 1].stop - between;
        if (is_stop ? time <= meet : time < meet) break;
        between += parts[i].start - parts[i - 1].stop;
    }
    return time + between;
}

const Interval &MeasuredGraph::part_at(Nanoseconds time_in_run) const {
    const auto after = std::upper_bound(parts.begin() + 1, parts.end(), time_in_run,
                                        [](Nanoseconds t, const Interval &part) { return t <= part.start; });
    return *(after - 1);
}

} // namespace cpl_lb
