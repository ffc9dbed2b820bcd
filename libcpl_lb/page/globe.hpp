// Puts blocks of a grid on the globe, with the coordinates that OASIS has in grids.nc.
#pragma once

#include "data/coupled_run.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cpl_lb {

// For components whose blocks belong to a grid of OASIS. folders: where grids.nc may be, the first one counts. A grid
// of more points than most_points is left out. Where there are no coordinates, ProcessFigures::why_no_globe says why.
void put_on_globe(CoupledRun &run, const std::vector<std::string> &folders,
                  std::int64_t most_points = std::numeric_limits<std::int64_t>::max());

// What the root reads at the end of a run, in less than a second.
inline constexpr std::int64_t most_points_at_terminate = 4'194'304;

} // namespace cpl_lb
