// One table of names serves writing and reading. Pieces are a contiguous ragged array of CF (9.3.3): their number of
// each process, and then all of them, process after process.
#include "io/timeline/part_variables.hpp"

#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/netcdf_variables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double most_whole = 4503599627370496.0; // 2^52: whole numbers are exact

struct BlockVariable {
    const char *name, *long_name;
    std::array<std::int64_t, 2> GridPart::*numbers;
    std::size_t direction;
};
constexpr std::array<BlockVariable, 4> block_variables = {
    {{"domain_first_i", "first point of the process in direction i of the grid, from 1", &GridPart::first, 0},
     {"domain_count_i", "points of the process in direction i", &GridPart::count, 0},
     {"domain_first_j", "first point of the process in direction j of the grid, from 1", &GridPart::first, 1},
     {"domain_count_j", "points of the process in direction j", &GridPart::count, 1}}};

struct PointVariable {
    const char *name, *standard_name, *units, *bounds;
    double GridPart::*mean, GridPart::*least, GridPart::*most;
};
constexpr std::array<PointVariable, 2> point_variables = {
    {{"process_longitude", "longitude", "degrees_east", "process_longitude_bounds", &GridPart::longitude,
      &GridPart::west, &GridPart::east},
     {"process_latitude", "latitude", "degrees_north", "process_latitude_bounds", &GridPart::latitude,
      &GridPart::south, &GridPart::north}}};
constexpr const char *points_name = "domain_points";

struct PieceVariable {
    const char *name, *long_name;
    std::array<std::int64_t, 2> GridPiece::*numbers;
    std::size_t direction;
};
constexpr std::array<PieceVariable, 4> piece_variables = {
    {{"piece_first_i", "first point of the piece in direction i of the grid, from 1", &GridPiece::first, 0},
     {"piece_count_i", "points of the piece in direction i", &GridPiece::count, 0},
     {"piece_first_j", "first point of the piece in direction j of the grid, from 1", &GridPiece::first, 1},
     {"piece_count_j", "points of the piece in direction j", &GridPiece::count, 1}}};
constexpr const char *piece_name = "piece", *pieces_name = "domain_pieces";

// first and count, one after the other along a dimension.
template <class Variables>
void define_numbers(const NetcdfFile &file, const Variables &variables, const GridPart &one, int dimension) {
    const bool small = std::max(one.size[0], one.size[1]) <= std::numeric_limits<int>::max();
    for (const auto &v : variables)
        define(file, v.name, small ? NC_INT : NC_DOUBLE, {&dimension, 1}, v.long_name);
    Attributes(file, NC_GLOBAL).integer("grid_size_i", one.size[0]);
    Attributes(file, NC_GLOBAL).integer("grid_size_j", one.size[1]);
}

constexpr const char *left_out_name = "grid_points_left_out";

std::vector<GridPiece> one_after_the_other(const ProcessFigures &figures) {
    std::vector<GridPiece> all;
    for (const std::vector<GridPiece> &of_one : figures.pieces)
        all.insert(all.end(), of_one.begin(), of_one.end());
    return all;
}

// Boxes around several pieces hold points of other processes, too.
std::size_t processes_with_boxes(const ProcessFigures &figures) {
    std::size_t processes = 0;
    for (std::size_t p = 0; p < figures.pieces.size(); ++p) {
        std::int64_t points = 0;
        for (const GridPiece &piece : figures.pieces[p])
            points += piece.count[0] * piece.count[1];
        if (points > figures.parts[p].points) ++processes;
    }
    return processes;
}

void define_pieces(const NetcdfFile &file, const ProcessFigures &figures, int process) {
    const int piece = define_dimension(file, piece_name, one_after_the_other(figures).size());
    const Attributes of_counts(
        file, define(file, pieces_name, NC_INT, {&process, 1}, "pieces of the grid that the process has"));
    of_counts.text("sample_dimension", piece_name);
    if (const std::size_t boxes = processes_with_boxes(figures); boxes > 0) {
        of_counts.text("comment", "of processes with more than " + std::to_string(most_pieces) +
                                      " pieces some are boxes around several: these hold points of other processes");
        of_counts.integer("processes_with_boxes", static_cast<std::int64_t>(boxes));
    }
    define_numbers(file, piece_variables, figures.parts.front(), piece);
}

void define_coordinates(const NetcdfFile &file, int process) {
    const std::array<int, 2> both = {process, define_dimension(file, "bounds", 2)};
    for (const PointVariable &v : point_variables) {
        const Attributes attributes(file, define(file, v.name, NC_DOUBLE, {&process, 1}));
        attributes.text("standard_name", v.standard_name);
        attributes.text("long_name", "mean of the points of the process");
        attributes.text("units", v.units);
        attributes.text("bounds", v.bounds);
        attributes.real("_FillValue", no_figure);
        define(file, v.bounds, NC_DOUBLE, both);
    }
}

void write_blocks(const NetcdfFile &file, const std::vector<GridPart> &parts) {
    for (const BlockVariable &v : block_variables) {
        write(file, v.name, parts.size(),
              [&](std::size_t p) { return static_cast<double>((parts[p].*v.numbers)[v.direction]); });
    }
}

void write_coordinates(const NetcdfFile &file, const std::vector<GridPart> &parts) {
    for (const PointVariable &v : point_variables) {
        write(file, v.name, parts.size(), [&](std::size_t p) { return parts[p].*v.mean; });
        write(file, v.bounds, 2 * parts.size(),
              [&](std::size_t i) { return parts[i / 2].*(i % 2 == 0 ? v.least : v.most); });
    }
}

void write_pieces(const NetcdfFile &file, const ProcessFigures &figures) {
    write(file, pieces_name, figures.pieces.size(),
          [&](std::size_t p) { return static_cast<double>(figures.pieces[p].size()); });
    const std::vector<GridPiece> all = one_after_the_other(figures);
    for (const PieceVariable &v : piece_variables) {
        write(file, v.name, all.size(),
              [&](std::size_t n) { return static_cast<double>((all[n].*v.numbers)[v.direction]); });
    }
}

std::int64_t whole(double value) {
    return value >= 0 && value <= most_whole && value == std::floor(value) ? static_cast<std::int64_t>(value) : -1;
}

// {0, 0}: no size.
std::array<std::int64_t, 2> read_size(const NetcdfFile &file) {
    const AttributeReader global(file, NC_GLOBAL);
    const std::int64_t i = whole(global.number("grid_size_i")), j = whole(global.number("grid_size_j"));
    if (i < 1 || j < 1 || i > static_cast<std::int64_t>(most_whole) / j) return {0, 0};
    return {i, j};
}

// Inside a grid of this size; with points or without.
template <class Block>
bool is_inside(const Block &d, const std::array<std::int64_t, 2> &size) {
    bool good = true;
    for (std::size_t n = 0; n < 2; ++n)
        good = good && d.first[n] >= 1 && d.count[n] >= 0 && d.first[n] <= size[n] &&
               d.count[n] <= size[n] - d.first[n] + 1;
    return good;
}

// first and count of each; empty if the file has none.
template <class Block, class Variables>
std::vector<Block> read_numbers(const NetcdfFile &file, const Variables &variables, std::size_t count) {
    std::vector<Block> all;
    for (const auto &v : variables) {
        const std::vector<double> values = numbers(file, v.name, count);
        if (values.empty()) return {};
        all.resize(count);
        for (std::size_t n = 0; n < count; ++n)
            (all[n].*v.numbers)[v.direction] = whole(values[n]);
    }
    return all;
}

std::vector<GridPart> read_blocks(const NetcdfFile &file, std::size_t processes) {
    std::vector<GridPart> parts = read_numbers<GridPart>(file, block_variables, processes);
    const std::array<std::int64_t, 2> size = read_size(file);
    for (GridPart &d : parts) {
        d.size = size;
        if (!is_inside(d, size)) continue;
        d.form = GridForm::block;
        d.points = d.count[0] * d.count[1];
    }
    return parts;
}

// The pieces of one process, if its numbers are possible: they hold its points, and lie in the grid.
bool are_pieces(std::span<const GridPiece> pieces, const GridPart &part) {
    std::int64_t in_pieces = 0;
    for (const GridPiece &piece : pieces) {
        if (!is_inside(piece, part.size)) return false;
        in_pieces += piece.count[0] * piece.count[1];
    }
    return part.points >= 0 && part.points <= in_pieces && (part.points > 0 || pieces.empty());
}

void read_pieces(const NetcdfFile &file, std::size_t processes, ProcessFigures &figures) {
    const std::vector<double> counts = numbers(file, pieces_name, processes);
    const std::vector<double> points = numbers(file, points_name, processes);
    int dimension = -1;
    std::size_t all = 0;
    if (counts.empty() || points.empty() || nc_inq_dimid(file.id(), piece_name, &dimension) != NC_NOERR) return;
    file.check(nc_inq_dimlen(file.id(), dimension, &all), piece_name);
    const auto too_many = [](double n) { return whole(n) < 0 || whole(n) > static_cast<std::int64_t>(most_pieces); };
    double told = 0;
    for (const double count : counts)
        told += count;
    if (std::any_of(counts.begin(), counts.end(), too_many) || told != static_cast<double>(all))
        throw FileError(file.path(),
                        std::string("the variable ") + pieces_name + " does not fit the dimension " + piece_name);
    const std::vector<GridPiece> pieces = read_numbers<GridPiece>(file, piece_variables, all);
    if (pieces.empty()) return;
    const std::array<std::int64_t, 2> size = read_size(file);
    figures.parts.resize(processes);
    figures.pieces.resize(processes);
    std::size_t first = 0;
    for (std::size_t p = 0; p < processes; ++p) {
        GridPart &part = figures.parts[p];
        part.size = size;
        part.points = whole(points[p]);
        const std::span<const GridPiece> of_it(pieces.data() + first, static_cast<std::size_t>(counts[p]));
        first += of_it.size();
        if (!are_pieces(of_it, part)) continue;
        part.form = GridForm::pieces;
        figures.pieces[p].assign(of_it.begin(), of_it.end());
    }
}

bool is_box(const GridPart &d) {
    return d.longitude >= -180 && d.longitude <= 180 && d.latitude >= -90 && d.latitude <= 90 && d.west >= -180 &&
           d.west <= d.east && d.east <= 540 && d.south >= -90 && d.south <= d.north && d.north <= 90;
}

// Whether the file has them.
bool read_coordinates(const NetcdfFile &file, std::vector<GridPart> &parts) {
    const std::size_t processes = parts.size();
    for (const PointVariable &v : point_variables) {
        const std::vector<double> means = numbers(file, v.name, processes);
        const std::vector<double> bounds = numbers(file, v.bounds, processes, 2);
        if (means.empty() || bounds.empty()) return false;
        for (std::size_t p = 0; p < processes; ++p) {
            parts[p].*v.mean = means[p];
            parts[p].*v.least = bounds[2 * p];
            parts[p].*v.most = bounds[2 * p + 1];
        }
    }
    return true;
}

// Reads the coordinates of blocks and pieces: all that have points get them, or none.
void read_places(const NetcdfFile &file, std::vector<GridPart> &parts) {
    std::vector<GridPart> placed = parts;
    if (parts.empty() || !read_coordinates(file, placed)) return;
    const auto good = [](const GridPart &d) { return d.form == GridForm::none || d.points == 0 || is_box(d); };
    if (!std::all_of(placed.begin(), placed.end(), good)) return;
    for (std::size_t p = 0; p < parts.size(); ++p)
        if (parts[p].form != GridForm::none && parts[p].points > 0) parts[p] = placed[p];
}

std::vector<GridPart> read_points(const NetcdfFile &file, std::size_t processes) {
    const std::vector<double> points = numbers(file, points_name, processes);
    std::vector<GridPart> parts(processes);
    if (points.empty() || !read_coordinates(file, parts)) return {};
    for (std::size_t p = 0; p < processes; ++p) {
        GridPart &d = parts[p];
        d.points = whole(points[p]);
        if (d.points == 0 || (d.points > 0 && is_box(d))) d.form = GridForm::points;
    }
    return parts;
}

} // namespace

bool have_coordinates(const ProcessFigures &figures) {
    return std::any_of(figures.parts.begin(), figures.parts.end(),
                       [](const GridPart &d) { return d.form == GridForm::points || is_known(d.longitude); });
}

void define_parts(const NetcdfFile &file, const ProcessFigures &figures, int process) {
    const Attributes global(file, NC_GLOBAL);
    if (!figures.why_no_parts.empty()) global.text("why_no_map", figures.why_no_parts);
    if (figures.parts.empty()) return;
    const GridPart &one = figures.parts.front();
    if (one.form == GridForm::block) define_numbers(file, block_variables, one, process);
    if (one.form == GridForm::pieces) define_pieces(file, figures, process);
    if (one.form != GridForm::points && figures.left_out > 0) global.integer(left_out_name, figures.left_out);
    const bool coordinates = have_coordinates(figures);
    if (coordinates) define_coordinates(file, process);
    if (one.form != GridForm::block) define(file, points_name, NC_DOUBLE, {&process, 1}, "points of the process");
    if (one.form == GridForm::points || figures.grid.empty()) return;
    global.text("grid_name", figures.grid);
    if (!coordinates && !figures.why_no_globe.empty()) global.text("why_no_coordinates", figures.why_no_globe);
}

void write_parts(const NetcdfFile &file, const ProcessFigures &figures) {
    if (figures.parts.empty()) return;
    const GridForm form = figures.parts.front().form;
    if (form == GridForm::block) write_blocks(file, figures.parts);
    if (form == GridForm::pieces) write_pieces(file, figures);
    if (have_coordinates(figures)) write_coordinates(file, figures.parts);
    if (form == GridForm::block) return;
    write(file, points_name, figures.parts.size(),
          [&](std::size_t p) { return static_cast<double>(figures.parts[p].points); });
}

void read_parts(const NetcdfFile &file, std::size_t processes, ProcessFigures &figures) {
    figures.parts = read_blocks(file, processes);
    if (figures.parts.empty()) read_pieces(file, processes, figures);
    read_places(file, figures.parts);
    if (figures.parts.empty()) figures.parts = read_points(file, processes);
    figures.why_no_parts = AttributeReader(file, NC_GLOBAL).text("why_no_map");
    figures.grid = AttributeReader(file, NC_GLOBAL).text("grid_name");
    figures.left_out = std::max<std::int64_t>(whole(AttributeReader(file, NC_GLOBAL).number(left_out_name)), 0);
}

} // namespace cpl_lb
