// Who only takes data: output servers, said so or seen (definitions, section 2).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// It said so (cpl_lb_set_io_server), or it has GETs, no PUT, and is idle for data most of its time. One that only
// receives but computes most of its time is a component like the others: an ocean driven by an atmosphere that learns
// nothing from it may well be the slow one. Needs the component's table and balance.
[[nodiscard]] bool is_io_server(const Component &component);

// By component: whether the others' loop ends when it ends. An I/O server writes on by itself.
[[nodiscard]] std::vector<bool> who_decides_the_end(const CoupledRun &run);

} // namespace cpl_lb
