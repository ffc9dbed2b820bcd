// Which components are bound to the sockets of a node (docs/definitions.md, section 3).
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// Components that are bound to the same sockets: their places in the run, ascending. A process is bound to a socket
// if it may run on no other one. Nodes with only one socket are not counted.
struct SharedSockets {
    std::vector<std::size_t> components;
    std::int64_t sockets = 0;
};
// The groups that share the most sockets come first.
[[nodiscard]] std::vector<SharedSockets> shared_sockets(const CoupledRun &run);

// Where the processes of a component may run on a node that has several sockets: groups of processes with the same
// sockets. Empty: the node has one, or it is not known.
[[nodiscard]] std::vector<SocketUse> sockets_on(const CoupledRun &run, const Component &component, std::size_t node);

} // namespace cpl_lb
