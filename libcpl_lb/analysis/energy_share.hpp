// Whose energy it was: the joules of each node, for the components that ran on it.
#pragma once

#include "data/coupled_run.hpp"

#include <span>

namespace cpl_lb {

// Energy is measured for whole nodes. A component that has its nodes for itself gets all of it, also of cores that
// are idle, because they are allocated for it; a shared node's energy goes to its components by their cores there,
// and is called an estimate. A process that runs several components in turn counts for the one with the lowest id. A
// component with a node that could not be measured has no figure, and neither has the run. node_of_rank: index in
// run.meters.nodes of each rank of comm. Fills in the nodes' processes and cores, too.
void share_energy(CoupledRun &run, std::span<const std::int32_t> node_of_rank);

} // namespace cpl_lb
