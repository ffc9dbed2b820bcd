// The dependency graph of a measured run: matched events, the coupling cycle, and the stretch of the run from which
// iteration times are predicted.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/matched_events.hpp"
#include "prediction/processor_pool.hpp"
#include "prediction/rehearsal.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cpl_lb {

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

// How long a component takes for what it repeats: from the first time to the last one.
struct Pace {
    PointPlace from, to; // the same exchange, `to` later
    double times = 1;    // so often does the time between them fit into the component's whole run
};

struct Replay {
    std::vector<double> leave_s; // by flat place of the graph
    double slowest_s = 0;        // of the slowest component: the time of its whole run by its pace
};

struct MeasuredGraph {
    std::vector<MatchedExchange> exchanges;
    std::vector<Transfer> transfers;     // as taken: what was not seen goes with the most of the others
    Interval stretch;                    // all components are in their coupling loops
    std::vector<Interval> parts;         // of it, that the graph holds one after the other; in most runs all of it
    std::vector<std::int64_t> processes; // by component, as `graph`
    std::optional<CouplingGraph> graph;  // of the stretch; always there
    std::vector<double> waiting_s;       // in the stretch, by component
    std::vector<Interval> measured;      // by flat place of `graph`: when it was come to, and when it was left, as if
                                         // no time lay between the parts
    std::vector<Pace> paces;             // of those that decide the end and exchange often enough
    // By component: what the process of it computes in the whole run that waits most. The graph has the computing
    // between the last one's leaving and the last one's arrival only; processes that are not in step compute one
    // beside the other's waiting, and none is faster than its processes. 0: not known.
    std::vector<double> busiest_s;
    std::optional<Rehearsal> rehearsal; // of `graph`, where its cycles are alike and few
    CouplingCycle cycle;
    std::string why_no_cycle; // empty if there is one
    ProcessorPool pool;       // who shares processes with whom
    std::vector<std::string> remarks;

    [[nodiscard]] double measured_s() const { return to_seconds(stretch.length()); }
    // All cycles replayed with computing times multiplied by `factors`, once the components wait for each other as
    // they go on to.
    [[nodiscard]] Replay replay(const std::vector<double> &factors) const;
    [[nodiscard]] double examined_s() const; // length of all parts
    // A time of `measured` as it was in the run.
    [[nodiscard]] Nanoseconds time_in_run(Nanoseconds time, bool is_stop) const;
    [[nodiscard]] const Interval &part_at(Nanoseconds time_in_run) const;
};

// The part of the run in which all components are in their coupling loops. Components that nobody waits for at the
// end do not count.
// Throws PredictionError if there is none.
[[nodiscard]] Interval common_stretch(const CoupledRun &run);

// What runs of the same model tell of an exchange (field, source, target). Where in one run the receiver always came
// first, another with other counts may tell how its PUTs go. Where in one run nobody ever waited for a field, its lag
// does not show, and the smallest that is possible is too small: the largest of all runs holds.
struct SeenExchange {
    Transfer transfer = Transfer::not_seen;
    std::int64_t lag = 0;
};
using SeenExchanges = std::map<std::tuple<std::string, std::string, std::string>, SeenExchange>;
void add_seen(SeenExchanges &seen, const CoupledRun &run, const MeasuredGraph &measured);

// Throws PredictionError if the run cannot answer: a component that never exchanges or has no coupling loop,
// components that share processes in an order that was not recorded, waits for somebody who is not in the run.
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run, const SeenExchanges &seen = {});
// The same of common_stretch() or a part of it, with what match_events() found. A stretch of more than so many
// exchanges is followed in a few parts.
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run, std::vector<MatchedExchange> exchanges,
                                           const Interval &stretch, std::size_t most_points, const Budget &budget);

} // namespace cpl_lb
