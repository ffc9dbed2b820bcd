// Puts blocks of a grid on the globe, with the coordinates that OASIS has in grids.nc.
#pragma once

#include "data/coupled_run.hpp"
#include "data/grid_part.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cpl_lb {

// Whether these are blocks or pieces of a grid of OASIS that are not on the globe yet.
[[nodiscard]] bool needs_globe(const ProcessFigures &figures);

// For figures that need it. folders: where grids.nc may be, the first one counts. A grid of more points than
// most_points is left out. If there are no coordinates, ProcessFigures::why_no_globe says why.
void put_on_globe(ProcessFigures &figures, const std::vector<std::string> &folders,
                  std::int64_t most_points = std::numeric_limits<std::int64_t>::max());
void put_on_globe(CoupledRun &run, const std::vector<std::string> &folders,
                  std::int64_t most_points = std::numeric_limits<std::int64_t>::max());

// As many points as one process reads in less than a second at the end of a run.
inline constexpr std::int64_t most_points_at_terminate = 4'194'304;

} // namespace cpl_lb
