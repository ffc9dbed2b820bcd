// Parts of a grid that are several blocks: what a map keeps of them, and whether blocks overlap.
#pragma once

#include "data/grid_part.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cpl_lb {

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
