// The dependency graph of a measured run: matched events, the coupling cycle, and the stretch of the run from which
// iteration times are predicted.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/matched_events.hpp"
#include "prediction/processor_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cpl_lb {

// The loop, preceded by replays of its beginning. At the begin of a stretch of a run each component still has the
// work that the measured counts left to it. With other counts it takes some cycles until the waiting of the
// components settles.
struct Rehearsal {
    CouplingGraph graph;
    std::vector<std::size_t> added; // by component: points before those of the loop
};

// The shortest interval in which every exchange happens a whole number of times.
struct CouplingCycle {
    std::vector<std::int64_t>
        exchanges;                   // pairs in one cycle, by place in MeasuredGraph::exchanges; 0: none in the loop
    std::size_t rarest = 0;          // that exchange's PUTs cut the loop into cycles
    std::vector<std::size_t> cuts;   // flat places of those that begin a cycle
    std::vector<double> measured_s;  // length of each cycle
    Interval extent;                 // from the first cut to the last: whole cycles
    std::vector<double> computing_s; // by component, in one cycle of `extent`, on average; empty without a cycle
    double period_s = unknown;       // model time of a cycle, where the model gave dates
};

// The pace of a component at an exchange that it repeats: the time from the first to the last one.
struct Pace {
    PointPlace from, to; // the same exchange, `to` later
    double times = 1;    // how often this time fits into the component's whole run
};

struct Replay {
    std::vector<double> leave_s; // by flat place of the graph
    double slowest_s = 0;        // the slowest component's time for its whole run, by its pace
};

struct MeasuredGraph {
    std::vector<MatchedExchange> exchanges;
    std::vector<Transfer> transfers;     // as assumed: an unseen one is like most of the others
    Interval stretch;                    // all components are in their coupling loops
    std::vector<Interval> parts;         // of the stretch, one after the other in the graph; in most runs all of it
    std::vector<std::int64_t> processes; // cores, by component, as `graph`
    std::vector<std::int64_t> threads;   // of each of their processes, or differing_threads
    std::optional<CouplingGraph> graph;  // of the stretch; always there
    std::vector<double> away_s;          // in the stretch, by component: in others on the same processes
    std::vector<double> waiting_s;       // what of the stretch is left beside computing and away
    std::vector<Interval> measured;      // by flat place of `graph`: when it was reached, and when it was left, as if
                                         // no time lay between the parts
    std::vector<Pace> paces;             // of those that decide the end and exchange often enough
    // By component: the computing, in the whole run, of the process that waits most. The graph only has the computing
    // between the leaving of the last process and the arrival of the last one. Processes that are not in step compute
    // while others wait, and no component is faster than its processes. 0: not known.
    std::vector<double> busiest_s;
    std::optional<Rehearsal> rehearsal; // of `graph`, if its cycles are alike and few
    CouplingCycle cycle;
    std::string why_no_cycle; // empty if there is one
    ProcessorPool pool;       // which components share processes
    std::vector<std::string> remarks;
    // For a changed run with other components in turn: groups in turn, in their best order, and the number of cores
    // on which each component computes. Else empty.
    std::vector<std::vector<std::string>> in_turn;
    std::vector<std::int64_t> other_cores;

    [[nodiscard]] double measured_s() const { return to_seconds(stretch.length()); }
    // Replays all cycles with computing times multiplied by `factors`, after the waiting of the components has
    // settled, or if `rehearsed` is false from the begin of the loop as it was measured.
    [[nodiscard]] Replay replay(const std::vector<double> &factors, bool rehearsed = true) const;
    [[nodiscard]] double examined_s() const; // length of all parts
    // Converts a time of `measured` to the run's time.
    [[nodiscard]] Nanoseconds time_in_run(Nanoseconds time, bool is_stop) const;
    [[nodiscard]] const Interval &part_at(Nanoseconds time_in_run) const;
};

// The part of the run in which all components are in their coupling loops. Components that nobody waits for at the
// end do not count. Throws PredictionError if there is none.
[[nodiscard]] Interval common_stretch(const CoupledRun &run);

// What runs of the same model show about an exchange (field, source, target). If the receiver always came first in
// one run, another run with other counts may show how its PUTs go. If nobody ever waited for a field in one run, its
// lag does not show, and the smallest possible lag is too small: the largest of all runs counts.
struct SeenExchange {
    Transfer transfer = Transfer::not_seen;
    std::int64_t lag = 0;
};
using SeenExchanges = std::map<std::tuple<std::string, std::string, std::string>, SeenExchange>;
void add_seen(SeenExchanges &seen, const CoupledRun &run, const MeasuredGraph &measured);

// Throws PredictionError if the run cannot answer: a component never exchanges or has no coupling loop, components
// share processes in an order that was not recorded, or some wait for a component that is not in the run.
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run, const SeenExchanges &seen = {});
struct Changes;
// The graph of the same stretch as if the model had been changed (changes.hpp), for a replay that is compared with
// that of `measured`. Throws PredictionError like measured_graph and check_changes, and if components would wait for
// each other for ever with a changed lag. Each group of components in turn gets the order that makes the loop
// shortest, because the model may choose it.
[[nodiscard]] MeasuredGraph changed_graph(const CoupledRun &run, const MeasuredGraph &measured,
                                          const Changes &changes);
// The same for common_stretch() or a part of it, with the result of match_events(). A stretch with more than
// most_points exchanges is replaced by a few of its parts.
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run, std::vector<MatchedExchange> exchanges,
                                           const Interval &stretch, std::size_t most_points, const Budget &budget);

} // namespace cpl_lb
