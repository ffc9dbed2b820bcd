// Finds the components that are I/O servers: they said so, or their events show it (docs/definitions.md, section 2).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// True if the component said so (cpl_lb_set_io_server), or if it has GETs, no PUT or SYNC in its coupling loop, and
// waits for data most of its time. A component that only receives but computes most of its time is no I/O server: an
// ocean that an atmosphere drives without feedback may be the slow one. Needs the component's table and balance.
[[nodiscard]] bool is_io_server(const Component &component);

// By component: whether its end counts for the end of the common loop. An I/O server goes on writing by itself.
[[nodiscard]] std::vector<bool> who_decides_the_end(const CoupledRun &run);

} // namespace cpl_lb
