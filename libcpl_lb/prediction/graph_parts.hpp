// The parts from which measured_graph.cpp makes the graph of a run: parts of a long loop, components that run in turn
// on the same processes (cpl_lb_component_begin and _end), fields with several senders, the coupling cycle.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/matched_events.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace cpl_lb {

// By component: the others that have a process in common with it.
[[nodiscard]] Sharing sharing(const CoupledRun &run);

// Throws PredictionError (one line) if components share processes but have no times away (timelines of OASIS, or of
// an old cpl_lb), or if their processes went to others a different number of times.
void check_turns(const CoupledRun &run, const Sharing &shares);

// One time away as two points of the component's graph: where it leaves, and where it returns.
struct Turn {
    Interval away;
    std::size_t leaves = 0, back = 0;
};

// Makes a component return only when those that had its processes have left. `turns`: by component, by time.
void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares);

// Parts evenly spread over the loop; the whole loop if it holds at most so many PUTs and GETs.
[[nodiscard]] std::vector<Interval> parts_of_loop(const CoupledRun &run, const Interval &loop,
                                                  std::size_t most_points);

// Fields that several components send and one receives from any sender, so that no record tells whose send a receive
// took. If all send in turn, or all each time, the order does not matter; with different rates it does. Throws
// PredictionError if such senders did not send equally often. A difference of one or two sends, at the ends of a run,
// is allowed. Fields that an I/O server receives hold up nobody and are left out.
void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges);

// The lags that other runs of the model show, if they are larger.
[[nodiscard]] std::vector<Exchange> with_seen_lags(const CoupledRun &run, std::vector<Exchange> exchanges,
                                                   const SeenExchanges &seen);

// By exchange. A transfer that was not seen is assumed to be like most others; if none was seen, synchronous, as in
// the paper. Between components in turn on the same processes a sender cannot wait, because its receiver runs only
// after it.
[[nodiscard]] std::vector<Transfer> settled_transfers(const CoupledRun &run,
                                                      const std::vector<MatchedExchange> &exchanges,
                                                      const Sharing &shares, const SeenExchanges &seen);

// The place of an event of a component (by id) in the graph; empty if it lies outside of the interval.
using FindPoint = std::function<std::optional<PointPlace>(std::int32_t component, std::uint32_t event)>;

// Fills in `result.cycle`, or `result.why_no_cycle`.
void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point);

} // namespace cpl_lb
