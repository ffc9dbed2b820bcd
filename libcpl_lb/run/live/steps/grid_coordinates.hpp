// Coordinates for the parts of an OASIS grid, from grids.nc in the folder where the model runs.
#pragma once

#include "data/grid_part.hpp"
#include "run/live/process_record.hpp"
#include "support/budget.hpp"

namespace cpl_lb {

// Enters coordinates for blocks and pieces of an OASIS grid without any, unless their file was sought in vain before;
// else why_no_globe says why. Skips folders that do not answer, large grids, and all after the budget.
void enter_coordinates(ProcessFigures &figures, const ProcessRecord &record, const Budget &budget);

} // namespace cpl_lb
