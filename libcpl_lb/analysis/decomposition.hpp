// The decomposition of a component's grid: what a map keeps of a process's points, and whether the parts of all
// processes fit together.
#pragma once

#include "data/grid_part.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// A block. The result has the form `none` if the numbers are no block of a grid of this size: a size is below 1, the
// first point below 1, a count below 0, or the last point beyond the size.
[[nodiscard]] GridPart block_of(const std::array<std::int64_t, 2> &size, const std::array<std::int64_t, 2> &first,
                                const std::array<std::int64_t, 2> &count);

// Points in degrees: longitudes from -360 to 720, latitudes from -90 to 90. The result has the form `none` if one is
// out of this range. The time grows with the number of points, and no memory is taken.
[[nodiscard]] GridPart part_of_points(std::span<const double> longitudes, std::span<const double> latitudes);

// Why the parts make no map, in words: a process gave none, some are points and others blocks, they have grids of two
// sizes, blocks or pieces overlap, or leave other holes than left_out points. Empty if they make one. Points are not
// compared with each other. Parts with boxes around several pieces are only counted. pieces: those of each process,
// or nothing.
[[nodiscard]] std::string why_no_decomposition(std::span<const GridPart> parts,
                                               std::span<const std::vector<GridPiece>> pieces = {},
                                               std::int64_t left_out = 0);

// Takes the parts out if they do not fit together, and says why; if all are `none`, the model gave none. If some have
// pieces, the blocks of the others become pieces.
void check_parts(ProcessFigures &figures);
void leave_out_parts(ProcessFigures &figures, std::string why);

} // namespace cpl_lb
