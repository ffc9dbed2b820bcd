// The decomposition of a component's grid: what a map keeps of a process's points, and whether the parts of all
// processes fit together.
#pragma once

#include "data/grid_part.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Makes a part of pieces. first and count: i and j of one piece after the other. Pieces without points are left out,
// and neighbours that form one block are united. If there are more than most_pieces, several become the box around
// them; `points` stays the true number. Returns why these are no part, in words; empty: they are one.
[[nodiscard]] std::string_view make_part(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                                         std::span<const long long> count, GridPart &part);

// Takes the parts out if they make no map, and says why: a process gave none, they have grids of two sizes, overlap,
// or leave other holes than left_out points. Parts with boxes around several pieces are only counted. If all gave
// none, that is no fault.
void check_parts(ProcessFigures &figures);
void leave_out_parts(ProcessFigures &figures, std::string why);

// At most `most` boxes with all points of these pieces, and with few others.
[[nodiscard]] std::vector<GridPiece> grouped(std::vector<GridPiece> pieces, std::size_t most);

} // namespace cpl_lb
