// The decomposition of a component's grid: what a map keeps of a process's points, and whether the parts of all
// processes fit together.
#pragma once

#include "data/grid_part.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// Parts of a grid that are several blocks: what a map keeps of them, and whether blocks overlap.
struct PartOfPieces {
    OwnPart own;
    std::string_view why_not; // in words: why this is no part; empty: it is one
};
// first and count: i and j of one piece after the other. Pieces without points are left out, and neighbours that form
// one block are united. If at most one piece is left, the part is a block. If there are more than most_pieces,
// several become the box around them; `points` stays the true number.
[[nodiscard]] PartOfPieces part_of_pieces(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                                          std::span<const long long> count);

// At most `most` boxes with all points of these pieces, and with few others.
[[nodiscard]] std::vector<GridPiece> grouped(std::vector<GridPiece> pieces, std::size_t most);

// Whether several pieces of a process became one box: its pieces then hold more points than it has.
[[nodiscard]] bool is_coarse(const GridPart &part, std::span<const GridPiece> pieces);
// How many processes have such parts.
[[nodiscard]] std::size_t coarse_parts(const ProcessFigures &figures);

struct PieceOfProcess {
    GridPiece piece;
    std::size_t process;
};
struct CommonPoint {
    std::size_t one, other; // processes, the lower first
    std::int64_t i, j;      // a point of both
};
// Empty if no two of these pieces, which all have points, have a point in common.
[[nodiscard]] std::optional<CommonPoint> common_point_of(std::span<const PieceOfProcess> pieces);

} // namespace cpl_lb
