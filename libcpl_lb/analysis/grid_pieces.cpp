// Finds overlaps with a line that sweeps over the grid. Groups pieces by dividing them repeatedly where the boxes
// around the two halves save most.

#include "analysis/decomposition.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

// A process may have millions of scattered points. If it has more pieces than this, neighbours in a row are united
// first, so that grouping takes less than a second.
constexpr std::size_t most_divided = 65'536;

using Pieces = std::vector<GridPiece>;

std::int64_t points_of(const GridPiece &p) {
    return p.count[0] * p.count[1];
}

std::int64_t points_of(std::span<const GridPiece> pieces) {
    std::int64_t points = 0;
    for (const GridPiece &p : pieces)
        points += points_of(p);
    return points;
}

GridPiece around(const GridPiece &a, const GridPiece &b) {
    GridPiece box;
    for (std::size_t d = 0; d < 2; ++d) {
        box.first[d] = std::min(a.first[d], b.first[d]);
        box.count[d] = std::max(a.first[d] + a.count[d], b.first[d] + b.count[d]) - box.first[d];
    }
    return box;
}

GridPiece around(std::span<const GridPiece> pieces) {
    GridPiece box = pieces.front();
    for (const GridPiece &p : pieces)
        box = around(box, p);
    return box;
}

// Direction 1: row after row.
void sort_along(std::span<GridPiece> pieces, std::size_t direction) {
    std::ranges::sort(pieces, {},
                      [&](const GridPiece &p) { return std::tie(p.first[direction], p.first[1 - direction]); });
}

// Unites pieces that follow each other in one direction and have the same extent in the other.
void join(Pieces &pieces, std::size_t direction) {
    const std::size_t other = 1 - direction;
    std::ranges::sort(
        pieces, {}, [&](const GridPiece &p) { return std::tie(p.first[other], p.count[other], p.first[direction]); });
    std::size_t last = 0;
    for (std::size_t n = 1; n < pieces.size(); ++n) {
        GridPiece &before = pieces[last];
        const GridPiece &p = pieces[n];
        if (p.first[other] == before.first[other] && p.count[other] == before.count[other] &&
            p.first[direction] == before.first[direction] + before.count[direction]) {
            before.count[direction] += p.count[direction];
        } else {
            pieces[++last] = p;
        }
    }
    if (!pieces.empty()) pieces.resize(last + 1);
}

// Replaces every so many pieces, row after row, by the box around them.
void thin_out(Pieces &pieces, std::size_t most) {
    sort_along(pieces, 1);
    const std::size_t together = (pieces.size() + most - 1) / most;
    std::size_t boxes = 0;
    for (std::size_t n = 0; n < pieces.size(); n += together) {
        const std::size_t end = std::min(n + together, pieces.size());
        pieces[boxes++] = around(std::span(pieces).subspan(n, end - n));
    }
    pieces.resize(boxes);
}

struct Cut {
    std::size_t direction = 0, place = 1; // pieces before it, in the order of their first points in this direction
    std::int64_t points = std::numeric_limits<std::int64_t>::max(); // of both boxes
    std::size_t from_middle = 0; // in halves of a piece: of equally good cuts the nearest to the middle wins
};

Cut best_cut(std::span<GridPiece> pieces) {
    Cut best;
    std::vector<std::int64_t> behind(pieces.size());
    for (const std::size_t direction : {std::size_t{1}, std::size_t{0}}) { // rows are the usual case
        sort_along(pieces, direction);
        GridPiece box = pieces.back();
        for (std::size_t n = pieces.size(); n-- > 1;)
            behind[n] = points_of(box = around(box, pieces[n]));
        box = pieces.front();
        for (std::size_t n = 1; n < pieces.size(); ++n) {
            box = around(box, pieces[n - 1]);
            const std::int64_t points = points_of(box) + behind[n];
            const std::size_t from_middle = std::max(2 * n, pieces.size()) - std::min(2 * n, pieces.size());
            if (std::tie(points, from_middle) < std::tie(best.points, best.from_middle))
                best = {direction, n, points, from_middle};
        }
    }
    return best;
}

struct PieceGroup {
    std::span<GridPiece> pieces;
    std::int64_t foreign = 0; // points of its box that are not in its pieces
};

PieceGroup group_of(std::span<GridPiece> pieces) {
    return {pieces, points_of(around(pieces)) - points_of(pieces)};
}

// Blocks that begin or end at a place of direction i.
struct Edge {
    std::int64_t at;
    bool begins;
    std::size_t piece;
    friend auto operator<=>(const Edge &, const Edge &) = default; // at one place, ends come before begins
};

std::vector<Edge> edges_of(std::span<const PieceOfProcess> pieces) {
    std::vector<Edge> edges;
    edges.reserve(2 * pieces.size());
    for (std::size_t n = 0; n < pieces.size(); ++n) {
        const GridPiece &p = pieces[n].piece;
        edges.push_back({p.first[0], true, n});
        edges.push_back({p.first[0] + p.count[0], false, n});
    }
    std::ranges::sort(edges);
    return edges;
}

bool meet_in_j(const GridPiece &a, const GridPiece &b) {
    return a.first[1] < b.first[1] + b.count[1] && b.first[1] < a.first[1] + a.count[1];
}

} // namespace

std::optional<CommonPoint> common_point_of(std::span<const PieceOfProcess> pieces) {
    std::map<std::int64_t, std::size_t> under_line; // by the first j
    for (const Edge &edge : edges_of(pieces)) {
        const PieceOfProcess &d = pieces[edge.piece];
        const auto after = under_line.lower_bound(d.piece.first[1]);
        if (!edge.begins) {
            under_line.erase(after);
            continue;
        }
        const auto meets = [&](std::size_t other) { return meet_in_j(pieces[other].piece, d.piece); };
        std::size_t other = pieces.size();
        if (after != under_line.end() && meets(after->second)) other = after->second;
        if (after != under_line.begin() && meets(std::prev(after)->second)) other = std::prev(after)->second;
        if (other < pieces.size()) {
            const PieceOfProcess &o = pieces[other];
            return CommonPoint{std::min(d.process, o.process), std::max(d.process, o.process),
                               std::max(d.piece.first[0], o.piece.first[0]),
                               std::max(d.piece.first[1], o.piece.first[1])};
        }
        under_line.emplace(d.piece.first[1], edge.piece);
    }
    return {};
}

std::vector<GridPiece> grouped(std::vector<GridPiece> pieces, std::size_t most) {
    if (pieces.size() <= most) return pieces;
    if (pieces.size() > most_divided) thin_out(pieces, most_divided);
    std::vector<PieceGroup> groups = {group_of(pieces)};
    while (groups.size() < most) {
        const auto worst = std::ranges::max_element(groups, {}, &PieceGroup::foreign);
        if (worst->foreign <= 0 || worst->pieces.size() < 2) break;
        const std::span<GridPiece> of_it = worst->pieces;
        const Cut cut = best_cut(of_it);
        sort_along(of_it, cut.direction);
        *worst = group_of(of_it.first(cut.place));
        groups.push_back(group_of(of_it.subspan(cut.place)));
    }
    Pieces boxes;
    boxes.reserve(groups.size());
    for (const PieceGroup &g : groups)
        boxes.push_back(around(g.pieces));
    sort_along(boxes, 1);
    return boxes;
}

PartOfPieces part_of_pieces(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                            std::span<const long long> count) {
    constexpr std::string_view out_of_range = "value out of range";
    const GridPart none = block_of(size, {1, 1}, {0, 0});
    if (none.form == GridForm::none || first.size() != count.size()) return {{}, out_of_range};
    Pieces pieces;
    for (std::size_t n = 0; n + 1 < first.size(); n += 2) {
        const GridPart block = block_of(size, {first[n], first[n + 1]}, {count[n], count[n + 1]});
        if (block.form == GridForm::none) return {{}, out_of_range};
        if (block.points > 0) pieces.push_back({block.first, block.count});
    }
    if (pieces.empty()) return {{none, {}}, {}};
    join(pieces, 0);
    join(pieces, 1);
    std::vector<PieceOfProcess> placed;
    placed.reserve(pieces.size());
    for (const GridPiece &p : pieces)
        placed.push_back({p, 0});
    if (common_point_of(placed)) return {{}, "two of its pieces have a point in common"};
    if (pieces.size() == 1) return {{block_of(size, pieces.front().first, pieces.front().count), {}}, {}};
    GridPart part;
    part.form = GridForm::pieces;
    part.size = size;
    part.points = points_of(pieces);
    sort_along(pieces, 1);
    return {{part, grouped(std::move(pieces), most_pieces)}, {}};
}

bool is_coarse(const GridPart &part, std::span<const GridPiece> pieces) {
    return points_of(pieces) > part.points;
}

std::size_t coarse_parts(const ProcessFigures &figures) {
    std::size_t coarse = 0;
    for (std::size_t p = 0; p < std::min(figures.pieces.size(), figures.parts.size()); ++p)
        if (is_coarse(figures.parts[p], figures.pieces[p])) ++coarse;
    return coarse;
}

} // namespace cpl_lb
