// What each process did, and which part of the grid it has, as variables of a timeline (docs/timelines.md): with
// these xarray and Ferret draw the map. Everything throws FileError.
#pragma once

#include "data/grid_part.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <cstdint>

namespace cpl_lb {

// To a file out of define mode, with room behind its header as for append_steps. Lists are empty or hold a value for
// each process. Nothing if all are empty.
void append_figures(const NetcdfFile &file, const ProcessFigures &figures);

// Figures that the file lacks are empty lists. What is no number or impossible is not known; of a part of the grid
// with such a number the form is `none`.
[[nodiscard]] ProcessFigures read_figures(const NetcdfFile &file, std::int64_t processes);

} // namespace cpl_lb
