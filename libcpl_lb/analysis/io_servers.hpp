// Who only takes data: output servers, and components that receive and send nothing (definitions, section 2).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// It said so (cpl_lb_set_io_server), or it has GETs and no PUT.
[[nodiscard]] bool is_io_server(const Component &component);

// By component: whether the others' loop ends when it ends. Not for one that said to be an I/O server, nor for one
// that only receives and is idle for data most of its time. One that only receives and computes most of its time (an
// ocean driven by an atmosphere that learns nothing from it) may well be the slow one. Needs `balance` of each.
[[nodiscard]] std::vector<bool> who_decides_the_end(const CoupledRun &run);

} // namespace cpl_lb
