// The sockets on which the processes may run, which go up the tree with the meters, and the results for components.
// The size grows with components on nodes and their different bindings, not with processes.
#pragma once

#include "data/coupled_run.hpp"
#include "mpi/wire.hpp"

#include <vector>

namespace cpl_lb {

// Processes of a component on a node with the same sockets.
struct ToldSockets {
    std::int32_t component = 0, node = 0; // id, and node of the process map
    std::vector<std::int32_t> sockets;    // ascending; empty: the system does not tell
    std::int32_t processes = 1;
};

// Entries of one component on one node with the same sockets become one.
void unite(std::vector<ToldSockets> &mine, const std::vector<ToldSockets> &theirs);

// Fills in the sockets of components. told: their nodes are places in run.meters.nodes.
void enter_sockets(std::vector<ToldSockets> told, CoupledRun &run);

template <class Way, Either<ToldSockets> T>
void wire_members(Way &way, T &t) {
    way.pass(t.component, t.node, t.sockets, t.processes);
}

} // namespace cpl_lb
