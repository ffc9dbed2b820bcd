// From blocks and coordinates to boxes and means, one process after the other.
#include "page/globe.hpp"

#include "analysis/decomposition.hpp"
#include "io/timeline/grids_file.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>

namespace cpl_lb {
namespace {

constexpr const char *file_name = "grids.nc";

std::string grids_in(const std::vector<std::string> &folders) {
    for (const std::string &folder : folders) {
        std::string path = (std::filesystem::path(folder) / file_name).string();
        if (std::error_code error; std::filesystem::is_regular_file(path, error)) return path;
    }
    return {};
}

Coordinates coordinates_of(const GridOfFile &grid, const ProcessFigures &figures, std::size_t process) {
    GridPart block = figures.parts[process];
    if (block.form != GridForm::pieces) return grid.of(block);
    Coordinates all;
    for (const GridPiece &piece : figures.pieces[process]) {
        block.first = piece.first;
        block.count = piece.count;
        const Coordinates of_it = grid.of(block);
        all.longitudes.insert(all.longitudes.end(), of_it.longitudes.begin(), of_it.longitudes.end());
        all.latitudes.insert(all.latitudes.end(), of_it.latitudes.begin(), of_it.latitudes.end());
    }
    return all;
}

std::string place(ProcessFigures &figures, const std::string &path, std::int64_t most_points) {
    const GridOfFile grid(path, figures.grid);
    if (grid.points() > most_points) return "its grid has many points; cpl-lb report puts it there";
    // Coarse boxes hold points of other processes, and all of them perhaps many times the points of the grid.
    if (const std::size_t coarse = coarse_parts(figures); coarse > 0) {
        return fmt::format("{} of its {} processes have more than {} pieces of the grid", coarse,
                           figures.parts.size(), most_pieces);
    }
    std::vector<GridPart> placed = figures.parts;
    for (std::size_t p = 0; p < placed.size(); ++p) {
        GridPart &part = placed[p];
        const Coordinates points = coordinates_of(grid, figures, p);
        const GridPart box = part_of_points(points.longitudes, points.latitudes);
        if (box.form == GridForm::none)
            return fmt::format("{} has points of grid {} that are no degrees", file_name, figures.grid);
        part.longitude = box.longitude;
        part.latitude = box.latitude;
        part.west = box.west;
        part.east = box.east;
        part.south = box.south;
        part.north = box.north;
    }
    figures.parts = std::move(placed);
    return {};
}

} // namespace

bool needs_globe(const ProcessFigures &figures) {
    const auto is_placed = [](const GridPart &d) { return is_known(d.longitude); };
    return !figures.grid.empty() && !figures.parts.empty() && figures.parts.front().form != GridForm::points &&
           std::none_of(figures.parts.begin(), figures.parts.end(), is_placed);
}

void put_on_globe(ProcessFigures &figures, const std::vector<std::string> &folders, std::int64_t most_points) {
    if (!needs_globe(figures)) return;
    const std::string path = grids_in(folders);
    if (path.empty()) {
        figures.why_no_globe = fmt::format("there is no {} beside the results", file_name);
        return;
    }
    try {
        figures.why_no_globe = place(figures, path, most_points);
    } catch (const std::exception &e) { // the parts stay without coordinates
        figures.why_no_globe = in_words(e);
    }
}

void put_on_globe(CoupledRun &run, const std::vector<std::string> &folders, std::int64_t most_points) {
    for (Component &c : run.components)
        put_on_globe(c.figures, folders, most_points);
}

} // namespace cpl_lb
