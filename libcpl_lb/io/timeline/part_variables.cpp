// Blocks have a piece for each process: variables domain_... along the processes. Else pieces are a contiguous ragged
// array of CF (9.3.3): their number of each process, and then all of them, process after process.
#include "io/timeline/part_variables.hpp"

#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double most_whole = 4503599627370496.0; // 2^52: whole numbers are exact
constexpr const char *points_name = "domain_points", *pieces_name = "domain_pieces", *piece_name = "piece";
constexpr const char *left_out_name = "grid_points_left_out";
constexpr std::array<const char *, 2> size_names = {"grid_size_i", "grid_size_j"};

// prefix: "domain" or "piece".
std::string number_name(const std::string &prefix, bool counts, std::size_t direction) {
    return prefix + (counts ? "_count_" : "_first_") + (direction == 0 ? "i" : "j");
}

// entry(name, member, direction), for first and count in each direction.
template <class Entry>
void for_each_number(const std::string &prefix, Entry entry) {
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
        entry(number_name(prefix, false, direction), &GridPiece::first, direction);
        entry(number_name(prefix, true, direction), &GridPiece::count, direction);
    }
}

bool are_blocks(const std::vector<GridPart> &parts) {
    return std::ranges::all_of(parts, [](const GridPart &d) { return d.pieces.size() <= 1; });
}

// One for each process if they are blocks: without points those have a count of 0.
std::vector<GridPiece> one_after_the_other(const std::vector<GridPart> &parts) {
    const bool blocks = are_blocks(parts);
    std::vector<GridPiece> all;
    for (const GridPart &d : parts) {
        all.insert(all.end(), d.pieces.begin(), d.pieces.end());
        if (blocks && d.pieces.empty()) all.push_back({{1, 1}, {0, 0}});
    }
    return all;
}

std::int64_t whole(double value) {
    return value >= 0 && value <= most_whole && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
}

// {0, 0}: no size.
std::array<std::int64_t, 2> read_size(const NetcdfFile &file) {
    const AttributeReader global(file, NC_GLOBAL);
    const std::int64_t i = whole(global.number(size_names[0])), j = whole(global.number(size_names[1]));
    if (i < 1 || j < 1 || i > static_cast<std::int64_t>(most_whole) / j) return {0, 0};
    return {i, j};
}

// first and count of each; empty if the file has none.
std::vector<GridPiece> read_pieces(const NetcdfFile &file, const char *prefix, std::size_t count) {
    std::vector<GridPiece> all(count);
    for_each_number(prefix, [&](const std::string &name, auto member, std::size_t direction) {
        const std::vector<double> values = numbers(file, name.c_str(), count);
        if (values.empty()) all.clear();
        for (std::size_t n = 0; n < all.size(); ++n)
            (all[n].*member)[direction] = whole(values[n]);
    });
    return all;
}

// A part of these pieces, if its numbers are possible: they hold its points, and lie in the grid.
GridPart part_of(const std::array<std::int64_t, 2> &size, std::int64_t points, std::vector<GridPiece> pieces) {
    std::int64_t in_pieces = 0;
    for (const GridPiece &p : pieces) {
        for (std::size_t n = 0; n < 2; ++n)
            if (p.first[n] < 1 || p.count[n] < 0 || p.first[n] > size[n] || p.count[n] > size[n] - p.first[n] + 1)
                return {};
        in_pieces += p.count[0] * p.count[1];
    }
    if (points < 0 || points > in_pieces || (points == 0 && !pieces.empty())) return {};
    return {size, points, std::move(pieces)};
}

std::vector<GridPart> read_ragged(const NetcdfFile &file, std::size_t processes) {
    const std::vector<double> counts = numbers(file, pieces_name, processes);
    const std::vector<double> points = numbers(file, points_name, processes);
    int dimension = -1;
    std::size_t all = 0;
    if (counts.empty() || points.empty() || nc_inq_dimid(file.id(), piece_name, &dimension) != NC_NOERR) return {};
    file.check(nc_inq_dimlen(file.id(), dimension, &all), piece_name);
    double told = 0;
    bool good = true;
    for (const double count : counts) {
        good = good && whole(count) >= 0 && whole(count) <= static_cast<std::int64_t>(most_pieces);
        told += count;
    }
    if (!good || told != static_cast<double>(all))
        throw FileError(file.path(),
                        std::string("the variable ") + pieces_name + " does not fit the dimension " + piece_name);
    const std::vector<GridPiece> pieces = read_pieces(file, piece_name, all);
    std::vector<GridPart> parts(pieces.empty() ? 0 : processes);
    auto at = pieces.begin();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto first = std::exchange(at, at + static_cast<std::ptrdiff_t>(counts[p]));
        parts[p] = part_of(read_size(file), whole(points[p]), {first, at});
    }
    return parts;
}

} // namespace

void define_parts(const NetcdfFile &file, const ProcessFigures &figures, int process) {
    const Attributes global(file, NC_GLOBAL);
    if (!figures.why_no_parts.empty()) global.text("why_no_map", figures.why_no_parts);
    const std::vector<GridPart> &parts = figures.parts;
    if (parts.empty()) return;
    const bool blocks = are_blocks(parts);
    const int piece = blocks ? process : define_dimension(file, piece_name, one_after_the_other(parts).size());
    if (!blocks) {
        const Attributes of_counts(
            file, define(file, pieces_name, NC_INT, {&process, 1}, "pieces of the grid that the process has"));
        of_counts.text("sample_dimension", piece_name);
        const auto boxes = std::ranges::count(parts, true, &GridPart::is_coarse);
        if (boxes > 0) {
            of_counts.text("comment",
                           "of processes with more than " + std::to_string(most_pieces) +
                               " pieces some are boxes around several: these hold points of other processes");
            of_counts.integer("processes_with_boxes", boxes);
        }
        define(file, points_name, NC_DOUBLE, {&process, 1}, "points of the process");
    }
    const auto &size = parts.front().size;
    const nc_type type = std::max(size[0], size[1]) <= std::numeric_limits<int>::max() ? NC_INT : NC_DOUBLE;
    const std::string of = blocks ? "process" : "piece";
    for_each_number(blocks ? "domain" : piece_name, [&](const std::string &name, auto member, std::size_t direction) {
        const std::string in = std::string(" in direction ") + (direction == 0 ? "i" : "j");
        const std::string words = member == &GridPiece::count
                                      ? "points of the " + of + in
                                      : "first point of the " + of + in + " of the grid, from 1";
        define(file, name.c_str(), type, {&piece, 1}, words.c_str());
    });
    for (std::size_t n = 0; n < 2; ++n)
        global.integer(size_names[n], size[n]);
    if (figures.left_out > 0) global.integer(left_out_name, figures.left_out);
}

void write_parts(const NetcdfFile &file, const ProcessFigures &figures) {
    const std::vector<GridPart> &parts = figures.parts;
    if (parts.empty()) return;
    const std::vector<GridPiece> all = one_after_the_other(parts);
    const auto number = [](auto n) { return static_cast<double>(n); };
    for_each_number(
        are_blocks(parts) ? "domain" : piece_name, [&](const std::string &name, auto member, std::size_t d) {
            write(file, name.c_str(), all.size(), [&](std::size_t n) { return number((all[n].*member)[d]); });
        });
    if (are_blocks(parts)) return;
    write(file, pieces_name, parts.size(), [&](std::size_t p) { return number(parts[p].pieces.size()); });
    write(file, points_name, parts.size(), [&](std::size_t p) { return number(parts[p].points); });
}

void read_parts(const NetcdfFile &file, std::size_t processes, ProcessFigures &figures) {
    for (const GridPiece &d : read_pieces(file, "domain", processes)) {
        const std::int64_t points = d.count[0] * d.count[1];
        GridPart part = part_of(read_size(file), points, {d});
        if (points == 0) part = {read_size(file), 0, {}};
        figures.parts.push_back(std::move(part));
    }
    if (figures.parts.empty()) figures.parts = read_ragged(file, processes);
    figures.why_no_parts = AttributeReader(file, NC_GLOBAL).text("why_no_map");
    figures.left_out = std::max<std::int64_t>(whole(AttributeReader(file, NC_GLOBAL).number(left_out_name)), 0);
}

} // namespace cpl_lb
