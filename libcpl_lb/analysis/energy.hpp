// The energy of a run: its division among the components of each node.
#pragma once

#include "data/coupled_run.hpp"
#include "data/time.hpp"

#include <span>
#include <string>

namespace cpl_lb {

// Energy is measured for whole nodes. A component that has its nodes for itself gets all of it, idle cores included,
// because they are allocated for it. A shared node's energy goes to its components by their cores there, and is
// called an estimate. A process that runs several components in turn counts for the one with the lowest id. If one
// node of a component could not be measured, the component has no figure, and neither has the run. node_of_rank:
// index in run.meters.nodes of each rank of comm. Also fills in the processes and cores of the nodes.
void share_energy(CoupledRun &run, std::span<const std::int32_t> node_of_rank);

} // namespace cpl_lb
