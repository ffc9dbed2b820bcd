// The dependency graph of a measured run: matched events, the coupling cycle, and the stretch of the run from which
// iteration times are predicted.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/matched_events.hpp"
#include "prediction/processor_pool.hpp"

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

// How long a component takes for what it repeats, without the begin of the interval.
struct Pace {
    PointPlace from, to; // the same exchange, `to` later
    double times = 1;    // so often does the time between them fit into the component's whole run
};

struct MeasuredGraph {
    std::vector<MatchedExchange> exchanges;
    std::vector<Transfer> transfers;     // as taken: what was not seen goes with the most of the others
    Interval stretch;                    // all components are in their coupling loops
    std::vector<std::int64_t> processes; // by component, as `graph`
    std::optional<CouplingGraph> graph;  // of the stretch; always there
    std::vector<double> waiting_s;       // in the stretch, by component
    std::vector<Interval> measured;      // by flat place of `graph`: when it was come to, and when it was left
    std::vector<Pace> paces;             // of those that decide the end and exchange often enough
    CouplingCycle cycle;
    std::string why_no_cycle; // empty where there is one
    ProcessorPool pool;       // who shares processes with whom
    std::vector<std::string> remarks;

    [[nodiscard]] double measured_s() const { return to_seconds(stretch.length()); }
};

// Throws PredictionError where the run cannot answer: a component that never exchanges or has no coupling loop,
// components that share processes in an order that was not recorded, waits for somebody who is not in the run.
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run);

// The part of the run in which all components are in their coupling loops. Components that nobody waits for at the
// end do not count.
// Throws PredictionError where there is none.
[[nodiscard]] Interval common_stretch(const CoupledRun &run);

// The same graph of a part of the run, without looking for a cycle: to work through a long run in pieces.
[[nodiscard]] MeasuredGraph graph_within(const CoupledRun &run, std::vector<MatchedExchange> exchanges,
                                         const Interval &stretch, const Budget &budget = {});

// What runs of the same model tell of an exchange (field, source, target). Where in one run the receiver always came
// first, another with other counts may tell how its PUTs go. Where in one run nobody ever waited for a field, its lag
// does not show, and the smallest that is possible is too small: the largest of all runs holds.
struct SeenExchange {
    Transfer transfer = Transfer::not_seen;
    std::int64_t lag = 0;
};
using SeenExchanges = std::map<std::tuple<std::string, std::string, std::string>, SeenExchange>;
void add_seen(SeenExchanges &seen, const CoupledRun &run, const MeasuredGraph &measured);
[[nodiscard]] MeasuredGraph measured_graph(const CoupledRun &run, const SeenExchanges &seen);

} // namespace cpl_lb
