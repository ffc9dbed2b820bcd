// Which part of the grid each process has, as variables of a timeline (docs/timelines.md). Everything throws
// FileError.
#pragma once

#include "data/grid_part.hpp"
#include "io/timeline/netcdf_file.hpp"

#include <cstddef>

namespace cpl_lb {

// In define mode, along the dimension `process`; then their values.
void define_parts(const NetcdfFile &file, const ProcessFigures &figures, int process);
void write_parts(const NetcdfFile &file, const ProcessFigures &figures);

// parts, why_no_parts and left_out of the figures. A part with an impossible number is none.
void read_parts(const NetcdfFile &file, std::size_t processes, ProcessFigures &figures);

} // namespace cpl_lb
