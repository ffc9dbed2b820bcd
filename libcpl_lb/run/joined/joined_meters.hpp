// The meters of several runs as those of one. Pure.
#pragma once

#include "data/coupled_run.hpp"

#include <span>

namespace cpl_lb {

// The energy of a node with processes of several runs is not known: each run counted all of it. Series in time have
// another zero in each run, and are left out. Changes the components' places of nodes, and their energy.
[[nodiscard]] RunMeters join_meters(std::span<CoupledRun *const> runs);

} // namespace cpl_lb
