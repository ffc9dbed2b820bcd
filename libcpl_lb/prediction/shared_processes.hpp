// Components that run in turn on the same processes (cpl_lb_component_begin and _end), and their order.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/coupling_graph.hpp"
#include "prediction/processor_pool.hpp"

#include <vector>

namespace cpl_lb {

// By component: the others that have a process in common with it.
[[nodiscard]] Sharing sharing(const CoupledRun &run);

// Throws PredictionError (one line) if components share processes but have no times away (timelines of OASIS, or of
// an old cpl_lb), or if their processes went to others a different number of times.
void check_turns(const CoupledRun &run, const Sharing &shares);

// One time away as two points of the component's graph: where it leaves, and where it is back.
struct Turn {
    Interval away;
    std::size_t leaves = 0, back = 0;
};

// Adds that a component is back only when those that had its processes have left. `turns`: by component, by time.
void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares);

} // namespace cpl_lb
