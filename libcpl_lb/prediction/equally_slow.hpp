// Finds components that are as slow as the slow side.
#pragma once

#include "data/coupled_run.hpp"
#include "prediction/measured_graph.hpp"

namespace cpl_lb {

// Fills equally_slow, and empties slow_side if the critical path changes between these components. `part`: the
// coupled components in the order of the graph. Their shares of the critical path and `balance.slow_side` are known
// (docs/definitions.md, section 2, "Who is slow, and what could be gained").
void enter_equally_slow(const CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop);

} // namespace cpl_lb
