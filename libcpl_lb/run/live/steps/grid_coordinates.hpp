// Coordinates for the parts of an OASIS grid, from grids.nc in the folder where the model runs.
#pragma once

#include "data/grid_part.hpp"
#include "run/live/process_record.hpp"
#include "support/budget.hpp"

namespace cpl_lb {

// Of blocks and pieces of a grid of OASIS that have none yet, and whose file nobody has looked for in vain; else
// why_no_globe says why. A folder that does not answer, a large grid and a used-up budget are left alone.
void enter_coordinates(ProcessFigures &figures, const ProcessRecord &record, const Budget &budget);

} // namespace cpl_lb
