// Components that run in turn on the same processes (cpl_lb_component_begin and _end), and their order.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <vector>

namespace cpl_lb {

// Those that have a process in common.
[[nodiscard]] Sharing sharing(const CoupledRun &run);

// Throws PredictionError, one line, for components that share processes without times away (timelines of OASIS, or of
// an old cpl_lb), or whose processes left for others a different number of times.
void check_turns(const CoupledRun &run, const Sharing &shares);

// One time away as two points of the component's graph: where it leaves, and where it is back.
struct Turn {
    Interval away;
    std::size_t leaves = 0, back = 0;
};

// A component is back when those that had its processes have left them. `turns`: by component, by time.
void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares);

} // namespace cpl_lb
