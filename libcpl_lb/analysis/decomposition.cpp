// Walks over the points twice: once for the largest gap between their longitudes, once for the box beside it.
#include "analysis/decomposition.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_points = std::int64_t{1} << 52U; // their number stays exact in a double
constexpr std::size_t bins_of_circle = 3600;

// From 0 to below 360.
double on_circle(double longitude) {
    const double turned = std::fmod(longitude, 360.0);
    const double positive = turned < 0 ? turned + 360.0 : turned;
    return positive < 360.0 ? positive : 0.0;
}

std::size_t bin_of(double on_the_circle) {
    const auto bin = static_cast<std::size_t>(on_the_circle * (bins_of_circle / 360.0));
    return std::min(bin, bins_of_circle - 1);
}

// Where the box begins: the end of the widest gap between the bins that hold points.
double begin_of_box(const std::bitset<bins_of_circle> &taken) {
    std::size_t longest = 0, begin = 0, gap = 0;
    for (std::size_t step = 0; step < 2 * bins_of_circle; ++step) { // a gap may lie around 0
        const std::size_t bin = step % bins_of_circle;
        if (!taken[bin]) {
            ++gap;
            continue;
        }
        if (gap > longest && gap < bins_of_circle) {
            longest = gap;
            begin = bin;
        }
        gap = 0;
    }
    return static_cast<double>(begin) * (360.0 / bins_of_circle);
}

struct Vector {
    double x = 0, y = 0, z = 0;
};

// Sets the mean direction of the points. The mean of a band around the globe lies near the pole, outside of the band,
// and points all around the sphere have none: then the middle of the box stands for it.
void set_mean(GridPart &part, const Vector &sum) {
    constexpr double degrees = 180.0 / std::numbers::pi;
    constexpr double rounding = 1e-9; // of a row of points, all at one latitude
    const double flat = std::hypot(sum.x, sum.y), least = rounding * static_cast<double>(part.points);
    part.latitude = std::hypot(flat, sum.z) < least ? unknown : std::atan2(sum.z, flat) * degrees;
    if (!(part.latitude >= part.south - rounding && part.latitude <= part.north + rounding))
        part.latitude = (part.south + part.north) / 2;
    part.longitude = flat < least ? unknown : std::atan2(sum.y, sum.x) * degrees;
    if (part.longitude < part.west - rounding) part.longitude += 360.0;
    if (!(part.longitude >= part.west - rounding && part.longitude <= part.east + rounding))
        part.longitude = (part.west + part.east) / 2;
    if (part.longitude > 180.0) part.longitude -= 360.0;
}

bool is_coordinate(double longitude, double latitude) {
    return longitude >= -360.0 && longitude <= 720.0 && latitude >= -90.0 && latitude <= 90.0;
}

using PiecesOfAll = std::span<const std::vector<GridPiece>>;

// The blocks, and the parts that are known piece by piece. Other parts are left out, because a box around several
// pieces of one process may hold points of others.
std::vector<PieceOfProcess> known_exactly(std::span<const GridPart> parts, PiecesOfAll pieces) {
    std::vector<PieceOfProcess> known;
    known.reserve(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (parts[p].points == 0) continue;
        if (parts[p].form == GridForm::block) known.push_back({{parts[p].first, parts[p].count}, p});
        if (parts[p].form != GridForm::pieces || p >= pieces.size() || is_coarse(parts[p], pieces[p])) continue;
        for (const GridPiece &piece : pieces[p])
            known.push_back({piece, p});
    }
    return known;
}

std::string why_not_blocks(std::span<const GridPart> parts, PiecesOfAll pieces, std::int64_t left_out) {
    const GridPart &one = parts.front();
    for (std::size_t p = 1; p < parts.size(); ++p) {
        const GridPart &d = parts[p];
        if (d.size == one.size) continue;
        return fmt::format("its process 0 has a part of a grid of {} x {} points, process {} of one of {} x {}",
                           one.size[0], one.size[1], p, d.size[0], d.size[1]);
    }
    if (const auto both = common_point_of(known_exactly(parts, pieces))) {
        return fmt::format("its processes {} and {} both have point ({}, {}) of the grid", both->one, both->other,
                           both->i, both->j);
    }
    // The parts do not overlap and lie inside the grid, so that their sum is at most its size.
    const std::int64_t all = one.size[0] * one.size[1];
    std::int64_t left = all;
    for (const GridPart &d : parts) {
        left -= d.points;
        if (left < 0) return fmt::format("its processes have more than the {} points of the grid together", all);
    }
    if (left == left_out) return {};
    if (left_out == 0) return fmt::format("no process has {} of the {} points of the grid", left, all);
    return fmt::format("no process has {} of the {} points of the grid, but the model says that it leaves out {}",
                       left, all, left_out);
}

} // namespace

GridPart block_of(const std::array<std::int64_t, 2> &size, const std::array<std::int64_t, 2> &first,
                  const std::array<std::int64_t, 2> &count) {
    GridPart block;
    if (size[0] < 1 || size[1] < 1 || size[0] > most_points / size[1]) return block;
    for (std::size_t d = 0; d < 2; ++d)
        if (first[d] < 1 || count[d] < 0 || first[d] > size[d] || count[d] > size[d] - first[d] + 1) return block;
    block.form = GridForm::block;
    block.points = count[0] * count[1];
    block.size = size;
    block.first = first;
    block.count = count;
    return block;
}

GridPart part_of_points(std::span<const double> longitudes, std::span<const double> latitudes) {
    constexpr double radians = std::numbers::pi / 180.0;
    GridPart part;
    std::bitset<bins_of_circle> taken;
    Vector sum;
    double south = 90.0, north = -90.0;
    for (std::size_t i = 0; i < longitudes.size(); ++i) {
        if (!is_coordinate(longitudes[i], latitudes[i])) return part;
        taken.set(bin_of(on_circle(longitudes[i])));
        const double flat = std::cos(latitudes[i] * radians);
        sum.x += flat * std::cos(longitudes[i] * radians);
        sum.y += flat * std::sin(longitudes[i] * radians);
        sum.z += std::sin(latitudes[i] * radians);
        south = std::min(south, latitudes[i]);
        north = std::max(north, latitudes[i]);
    }
    part.form = GridForm::points;
    part.points = static_cast<std::int64_t>(longitudes.size());
    if (part.points == 0) return part;
    const double begin = begin_of_box(taken);
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const double longitude : longitudes) {
        const double circle = on_circle(longitude);
        // Compares bins: the border of a bin and a longitude in it may be rounded differently.
        const double from_begin =
            (bin_of(circle) < bin_of(begin + 180.0 / bins_of_circle) ? 360.0 : 0.0) + circle - begin;
        least = std::min(least, from_begin);
        most = std::max(most, from_begin);
    }
    part.west = begin + least;
    part.east = begin + most;
    if (part.west >= 180.0) {
        part.west -= 360.0;
        part.east -= 360.0;
    }
    part.south = south;
    part.north = north;
    set_mean(part, sum);
    return part;
}

std::string why_no_decomposition(std::span<const GridPart> parts, std::span<const std::vector<GridPiece>> pieces,
                                 std::int64_t left_out) {
    const auto none = std::ranges::count(parts, GridForm::none, &GridPart::form);
    if (none > 0) return fmt::format("{} of its {} processes gave no part of the grid", none, parts.size());
    if (parts.empty()) return {};
    const auto are_points = std::ranges::count(parts, GridForm::points, &GridPart::form);
    if (are_points == static_cast<std::ptrdiff_t>(parts.size())) return {};
    if (are_points > 0) return "some of its processes gave blocks of the grid, others points";
    return why_not_blocks(parts, pieces, left_out);
}

void leave_out_parts(ProcessFigures &figures, std::string why) {
    figures.why_no_parts = std::move(why);
    figures.parts = {};
    figures.pieces = {};
}

void check_parts(ProcessFigures &figures) {
    std::vector<GridPart> &parts = figures.parts;
    const bool given = std::ranges::any_of(parts, [](const GridPart &d) { return d.form != GridForm::none; });
    if (given) figures.why_no_parts = why_no_decomposition(parts, figures.pieces, figures.left_out);
    if (!given || !figures.why_no_parts.empty()) leave_out_parts(figures, figures.why_no_parts);
    if (figures.pieces.empty()) return;
    // A block is one piece.
    for (std::size_t p = 0; p < parts.size(); ++p) {
        GridPart &d = parts[p];
        if (d.form != GridForm::block) continue;
        if (d.points > 0) figures.pieces[p] = {{d.first, d.count}};
        d.form = GridForm::pieces;
        d.first = d.count = {0, 0};
    }
}

} // namespace cpl_lb
