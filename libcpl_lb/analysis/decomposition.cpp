// Finds overlaps with a line that sweeps over the grid. Groups pieces by dividing them repeatedly where the boxes
// around the two halves save most.
#include "analysis/decomposition.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_points = std::int64_t{1} << 52U; // their number stays exact in a double
// A process may have millions of scattered points. If it has more pieces than this, neighbours in a row are united
// first, so that grouping takes less than a second.
constexpr std::size_t most_divided = 65'536;

using Pieces = std::vector<GridPiece>;

std::int64_t points_of(std::span<const GridPiece> pieces) {
    std::int64_t points = 0;
    for (const GridPiece &p : pieces)
        points += p.count[0] * p.count[1];
    return points;
}

std::int64_t points_of(const GridPiece &p) {
    return points_of(std::span(&p, 1));
}

GridPiece around(std::span<const GridPiece> pieces) {
    GridPiece box = pieces.front();
    for (const GridPiece &p : pieces) {
        for (std::size_t d = 0; d < 2; ++d) {
            const std::int64_t end = std::max(box.first[d] + box.count[d], p.first[d] + p.count[d]);
            box.first[d] = std::min(box.first[d], p.first[d]);
            box.count[d] = end - box.first[d];
        }
    }
    return box;
}

GridPiece around(const GridPiece &a, const GridPiece &b) {
    return around(std::array{a, b});
}

// Direction 1: row after row.
void sort_along(std::span<GridPiece> pieces, std::size_t direction) {
    std::ranges::sort(pieces, {},
                      [=](const GridPiece &p) { return std::tie(p.first[direction], p.first[1 - direction]); });
}

// Unites pieces that follow each other in one direction and have the same extent in the other.
void join(Pieces &pieces, std::size_t direction) {
    const std::size_t other = 1 - direction;
    std::ranges::sort(
        pieces, {}, [=](const GridPiece &p) { return std::tie(p.first[other], p.count[other], p.first[direction]); });
    Pieces joined;
    for (const GridPiece &p : pieces) {
        if (!joined.empty() && p.first[other] == joined.back().first[other] &&
            p.count[other] == joined.back().count[other] &&
            p.first[direction] == joined.back().first[direction] + joined.back().count[direction])
            joined.back().count[direction] += p.count[direction];
        else
            joined.push_back(p);
    }
    pieces = std::move(joined);
}

// Replaces every so many pieces, row after row, by the box around them.
void thin_out(Pieces &pieces, std::size_t most) {
    sort_along(pieces, 1);
    const std::size_t together = (pieces.size() + most - 1) / most;
    Pieces boxes;
    for (std::size_t n = 0; n < pieces.size(); n += together)
        boxes.push_back(around(std::span(pieces).subspan(n, std::min(together, pieces.size() - n))));
    pieces = std::move(boxes);
}

// Sorts the pieces so that the best cut is before the place that it returns.
std::size_t best_cut(std::span<GridPiece> pieces) {
    // Points of both boxes; of equally good cuts the nearest to the middle wins (in halves of a piece); rows are
    // usual.
    std::tuple<std::int64_t, std::size_t, bool, std::size_t> best = {std::numeric_limits<std::int64_t>::max(), 0,
                                                                     false, 1};
    std::vector<std::int64_t> behind(pieces.size());
    for (const std::size_t direction : {std::size_t{1}, std::size_t{0}}) {
        sort_along(pieces, direction);
        GridPiece box = pieces.back();
        for (std::size_t n = pieces.size(); n-- > 1;)
            behind[n] = points_of(box = around(box, pieces[n]));
        box = pieces.front();
        for (std::size_t n = 1; n < pieces.size(); ++n) {
            box = around(box, pieces[n - 1]);
            const std::size_t from_middle = std::max(2 * n, pieces.size()) - std::min(2 * n, pieces.size());
            best = std::min(best, {points_of(box) + behind[n], from_middle, direction == 0, n});
        }
    }
    sort_along(pieces, std::get<2>(best) ? 0 : 1);
    return std::get<3>(best);
}

struct PieceGroup {
    std::span<GridPiece> pieces;
    std::int64_t foreign = 0; // points of its box that are not in its pieces
    explicit PieceGroup(std::span<GridPiece> all) : pieces(all), foreign(points_of(around(all)) - points_of(all)) {}
};

struct PlacedPiece {
    GridPiece piece;
    std::size_t process;
};

// Why two of these pieces cannot be, in words: they have a point in common. Empty: no two of them have.
std::string why_overlapping(std::span<const PlacedPiece> all) {
    std::vector<std::tuple<std::int64_t, bool, std::size_t>>
        edges; // where a piece begins (true) or ends, in direction i
    for (std::size_t n = 0; n < all.size(); ++n) {
        edges.emplace_back(all[n].piece.first[0], true, n);
        edges.emplace_back(all[n].piece.first[0] + all[n].piece.count[0], false, n);
    }
    std::ranges::sort(edges);                       // at one place, ends come before begins
    std::map<std::int64_t, std::size_t> under_line; // by the first j
    for (const auto &[at, begins, n] : edges) {
        const auto &[piece, process] = all[n];
        const auto after = under_line.lower_bound(piece.first[1]);
        if (!begins) {
            under_line.erase(after);
            continue;
        }
        for (const auto other : {after, after == under_line.begin() ? after : std::prev(after)}) {
            if (other == under_line.end()) continue;
            const auto &[theirs, their_process] = all[other->second];
            if (theirs.first[1] >= piece.first[1] + piece.count[1] ||
                piece.first[1] >= theirs.first[1] + theirs.count[1])
                continue;
            return fmt::format("its processes {} and {} both have point ({}, {}) of the grid",
                               std::min(process, their_process), std::max(process, their_process), at,
                               std::max(piece.first[1], theirs.first[1]));
        }
        under_line.emplace(piece.first[1], n);
    }
    return {};
}

std::string why_no_decomposition(const std::vector<GridPart> &parts, std::int64_t left_out) {
    if (const auto none = std::ranges::count(parts, false, &GridPart::given); none > 0)
        return fmt::format("{} of its {} processes gave no part of the grid", none, parts.size());
    const std::array<std::int64_t, 2> size = parts.front().size;
    std::vector<PlacedPiece> exact; // a box around several pieces of one process may hold points of others
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (parts[p].size != size)
            return fmt::format("its process 0 has a part of a grid of {} x {} points, process {} of one of {} x {}",
                               size[0], size[1], p, parts[p].size[0], parts[p].size[1]);
        if (parts[p].is_coarse()) continue;
        for (const GridPiece &piece : parts[p].pieces)
            exact.push_back({piece, p});
    }
    if (std::string why = why_overlapping(exact); !why.empty()) return why;
    const std::int64_t all = size[0] * size[1];
    std::int64_t left = all;
    for (const GridPart &d : parts)
        left = std::max<std::int64_t>(left - d.points, -1);
    if (left < 0) return fmt::format("its processes have more than the {} points of the grid together", all);
    if (left == left_out) return {};
    if (left_out == 0) return fmt::format("no process has {} of the {} points of the grid", left, all);
    return fmt::format("no process has {} of the {} points of the grid, but the model says that it leaves out {}",
                       left, all, left_out);
}

} // namespace

std::string_view make_part(const std::array<std::int64_t, 2> &size, std::span<const long long> first,
                           std::span<const long long> count, GridPart &part) {
    constexpr std::string_view out_of_range = "value out of range";
    if (size[0] < 1 || size[1] < 1 || size[0] > most_points / size[1] || first.size() != count.size())
        return out_of_range;
    Pieces pieces;
    for (std::size_t n = 0; n + 1 < first.size(); n += 2) {
        for (std::size_t d = 0; d < 2; ++d) {
            const long long at = first[n + d], points = count[n + d];
            if (at < 1 || points < 0 || at > size[d] || points > size[d] - at + 1) return out_of_range;
        }
        if (count[n] > 0 && count[n + 1] > 0) pieces.push_back({{first[n], first[n + 1]}, {count[n], count[n + 1]}});
    }
    join(pieces, 0);
    join(pieces, 1);
    std::vector<PlacedPiece> placed;
    for (const GridPiece &p : pieces)
        placed.push_back({p, 0});
    if (!why_overlapping(placed).empty()) return "two of its pieces have a point in common";
    sort_along(pieces, 1);
    part.size = size;
    part.points = points_of(pieces);
    part.pieces = grouped(std::move(pieces), most_pieces);
    return {};
}

std::vector<GridPiece> grouped(std::vector<GridPiece> pieces, std::size_t most) {
    if (pieces.size() <= most) return pieces;
    if (pieces.size() > most_divided) thin_out(pieces, most_divided);
    std::vector<PieceGroup> groups = {PieceGroup(pieces)};
    while (groups.size() < most) {
        const auto worst = std::ranges::max_element(groups, {}, &PieceGroup::foreign);
        const std::span<GridPiece> all = worst->pieces;
        if (worst->foreign <= 0 || all.size() < 2) break;
        const std::size_t cut = best_cut(all);
        *worst = PieceGroup(all.first(cut));
        groups.emplace_back(all.subspan(cut));
    }
    Pieces boxes;
    for (const PieceGroup &g : groups)
        boxes.push_back(around(g.pieces));
    sort_along(boxes, 1);
    return boxes;
}

void leave_out_parts(ProcessFigures &figures, std::string why) {
    figures.why_no_parts = std::move(why);
    figures.parts = {};
}

void check_parts(ProcessFigures &figures) {
    const bool given = std::ranges::any_of(figures.parts, &GridPart::given);
    std::string why = given ? why_no_decomposition(figures.parts, figures.left_out) : "";
    if (!given || !why.empty()) leave_out_parts(figures, std::move(why));
}

} // namespace cpl_lb
