// Figures of processes in a timeline: written and read again they are the same, and what a file may hold besides.
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <netcdf.h>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;

namespace {

std::string written(const TemporaryFolder &folder, const ProcessFigures &figures, bool compress = false) {
    std::string path = folder / "timeline_ocean.nc";
    TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean"};
    header.processes = 2;
    header.ranks = {0, 1};
    header.run_end = 1'000'000'000;
    header.keys.assign(1, EventKey{Kind::get});
    TimelineWriter writer(path, header, compress);
    const std::vector<Nanoseconds> start = {1, 2}, stop = {3, 4};
    writer.write_rows(0, 2, start, stop);
    const std::vector<signed char> kinds(2048, 0);
    writer.write_raster(0, kinds);
    writer.write_raster(1, kinds);
    writer.write_figures(figures);
    CHECK(writer.close().empty());
    return path;
}

ProcessFigures read(const std::string &path) {
    return TimelineReader(path).header().figures;
}

GridPart block(std::int64_t first_i, std::int64_t count_i) {
    return {.form = GridForm::block,
            .points = count_i * 3,
            .size = {10, 3},
            .first = {first_i, 1},
            .count = {count_i, 3}};
}

GridPart box(double longitude, double west, double east) {
    GridPart d{.form = GridForm::points, .points = 7};
    d.longitude = longitude;
    d.latitude = 50;
    d.west = west;
    d.east = east;
    d.south = 49;
    d.north = 51.5;
    return d;
}

// In a grid of 10 x 3 points: the second row, and the first and the last one.
ProcessFigures in_pieces() {
    ProcessFigures figures;
    figures.computing_s = {1, 2};
    figures.parts = {{.form = GridForm::pieces, .points = 10, .size = {10, 3}},
                     {.form = GridForm::pieces, .points = 20, .size = {10, 3}}};
    figures.pieces = {{{{1, 2}, {10, 1}}}, {{{1, 1}, {10, 1}}, {{1, 3}, {10, 1}}}};
    figures.grid = "ocea";
    return figures;
}

// Changes a variable of a file behind the writer's back.
void spoil(const std::string &path, const char *variable, double value) {
    int file = -1, id = -1;
    REQUIRE(nc_open(path.c_str(), NC_WRITE, &file) == NC_NOERR);
    REQUIRE(nc_inq_varid(file, variable, &id) == NC_NOERR);
    const std::size_t first[2] = {0, 0};
    REQUIRE(nc_put_var1_double(file, id, first, &value) == NC_NOERR);
    REQUIRE(nc_close(file) == NC_NOERR);
}

} // namespace

TEST_CASE("figures in a timeline: blocks") {
    const TemporaryFolder folder;
    ProcessFigures figures;
    figures.computing_s = {1.5, unknown};
    figures.memory_B = {1e9, 2e9};
    figures.parts = {block(1, 4), block(5, 6)};
    const bool compress = GENERATE(false, true);
    const ProcessFigures back = read(written(folder, figures, compress));
    REQUIRE(back.computing_s.size() == 2);
    CHECK(back.computing_s[0] == 1.5);
    CHECK_FALSE(is_known(back.computing_s[1]));
    CHECK(back.mpi_inside_s.empty());
    CHECK(back.memory_B == figures.memory_B);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.parts[1].form == GridForm::block);
    CHECK(back.parts[1].size == std::array<std::int64_t, 2>{10, 3});
    CHECK(back.parts[1].first == std::array<std::int64_t, 2>{5, 1});
    CHECK(back.parts[1].count == std::array<std::int64_t, 2>{6, 3});
    CHECK(back.parts[1].points == 18);
}

namespace {

void place(GridPart &part, double west, double east) {
    part.longitude = (west + east) / 2;
    part.latitude = -5;
    part.west = west;
    part.east = east;
    part.south = -10;
    part.north = 0;
}

// An attribute of text of a variable; "" if it has none.
std::string attribute(const std::string &path, const char *variable, const char *name) {
    int file = -1, id = NC_GLOBAL;
    REQUIRE(nc_open(path.c_str(), NC_NOWRITE, &file) == NC_NOERR);
    if (*variable != '\0') REQUIRE(nc_inq_varid(file, variable, &id) == NC_NOERR);
    std::size_t length = 0;
    std::string text;
    if (nc_inq_attlen(file, id, name, &length) == NC_NOERR) {
        text.resize(length);
        REQUIRE(nc_get_att_text(file, id, name, text.data()) == NC_NOERR);
    }
    REQUIRE(nc_close(file) == NC_NOERR);
    return text;
}

} // namespace

TEST_CASE("figures in a timeline: blocks and pieces of a grid with coordinates have them for CF's readers") {
    const TemporaryFolder folder;
    ProcessFigures figures = in_pieces();
    const bool blocks = GENERATE(true, false), compress = GENERATE(false, true);
    if (blocks) {
        figures.parts = {block(1, 10), block(1, 0)}; // the second process has no points
        figures.pieces.clear();
    } else {
        place(figures.parts[1], 170, 190); // over the date line
    }
    place(figures.parts[0], 10, 40);
    const std::string path = written(folder, figures, compress);
    CHECK(attribute(path, "computing_time", "coordinates") == "process_longitude process_latitude");
    CHECK(attribute(path, "process_longitude", "standard_name") == "longitude");
    CHECK(attribute(path, "process_latitude", "bounds") == "process_latitude_bounds");
    CHECK(attribute(path, "", "why_no_coordinates").empty());
    const ProcessFigures back = read(path);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.grid == "ocea");
    CHECK(back.parts[0].form == figures.parts[0].form);
    CHECK(back.parts[0].points == figures.parts[0].points);
    CHECK(back.parts[0].longitude == 25);
    CHECK(back.parts[0].west == 10);
    CHECK(back.parts[0].east == 40);
    CHECK(back.parts[0].south == -10);
    CHECK(back.parts[0].north == 0);
    if (blocks)
        CHECK_FALSE(is_known(back.parts[1].longitude));
    else
        CHECK(back.parts[1].east == 190);
    // Impossible coordinates are not taken, and the parts stay.
    if (compress) return;
    spoil(path, "process_latitude", 91);
    CHECK(read(path).parts[0].form == figures.parts[0].form);
    CHECK_FALSE(is_known(read(path).parts[0].longitude));
    CHECK_FALSE(is_known(read(path).parts[1].west));
}

TEST_CASE("figures in a timeline: points that are left out") {
    const TemporaryFolder folder;
    ProcessFigures figures = in_pieces();
    CHECK(read(written(folder, figures)).left_out == 0);
    figures.left_out = 5;
    CHECK(read(written(folder, figures)).left_out == 5);
}

TEST_CASE("figures in a timeline: why there are no coordinates") {
    const TemporaryFolder folder;
    ProcessFigures figures = in_pieces();
    figures.why_no_globe = "no grids.nc can be read in the folder of the model";
    const std::string path = written(folder, figures);
    CHECK(attribute(path, "", "why_no_coordinates") == figures.why_no_globe);
    CHECK(attribute(path, "computing_time", "coordinates").empty());
    CHECK_FALSE(is_known(read(path).parts[0].longitude));
}

TEST_CASE("figures in a timeline: pieces") {
    const TemporaryFolder folder;
    const bool compress = GENERATE(false, true);
    const ProcessFigures figures = in_pieces(), back = read(written(folder, figures, compress));
    REQUIRE(back.parts.size() == 2);
    REQUIRE(back.pieces.size() == 2);
    CHECK(back.grid == "ocea");
    for (std::size_t p = 0; p < 2; ++p) {
        CHECK(back.parts[p].form == GridForm::pieces);
        CHECK(back.parts[p].size == std::array<std::int64_t, 2>{10, 3});
        CHECK(back.parts[p].points == figures.parts[p].points);
        REQUIRE(back.pieces[p].size() == figures.pieces[p].size());
        for (std::size_t n = 0; n < back.pieces[p].size(); ++n) {
            CHECK(back.pieces[p][n].first == figures.pieces[p][n].first);
            CHECK(back.pieces[p][n].count == figures.pieces[p][n].count);
        }
    }
}

TEST_CASE("figures in a timeline: pieces that cannot be") {
    const TemporaryFolder folder;
    struct Spoilt {
        const char *variable;
        double value;
    };
    // In the first process: beyond the grid, no whole number, more points than its piece holds, none with a piece.
    const auto one = GENERATE(Spoilt{"piece_count_i", 11}, Spoilt{"piece_first_j", 0}, Spoilt{"piece_first_i", 1e9},
                              Spoilt{"domain_points", 11}, Spoilt{"domain_points", 0}, Spoilt{"domain_points", 1.5});
    const std::string path = written(folder, in_pieces());
    spoil(path, one.variable, one.value);
    const ProcessFigures back = read(path);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.parts[0].form == GridForm::none);
    CHECK(back.pieces[0].empty());
    CHECK(back.parts[1].form == GridForm::pieces);
    CHECK(back.pieces[1].size() == 2);
    // Nobody knows any more whose the pieces are.
    const std::string counts = written(folder, in_pieces());
    const double told = GENERATE(0.0, 2.0, -1.0, 17.0, 1e9);
    spoil(counts, "domain_pieces", told);
    CHECK_THROWS_WITH(read(counts), Catch::Contains("the variable domain_pieces does not fit the dimension piece"));
}

TEST_CASE("figures in a timeline: points") {
    const TemporaryFolder folder;
    ProcessFigures figures;
    figures.computing_s = {1, 2};
    figures.mpi_inside_s = {0.25, 0.5};
    figures.parts = {box(-170, 170, 200), {.form = GridForm::points}};
    const ProcessFigures back = read(written(folder, figures));
    CHECK(back.mpi_inside_s == figures.mpi_inside_s);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.parts[0].form == GridForm::points);
    CHECK(back.parts[0].longitude == -170);
    CHECK(back.parts[0].latitude == 50);
    CHECK(back.parts[0].west == 170);
    CHECK(back.parts[0].east == 200);
    CHECK(back.parts[0].south == 49);
    CHECK(back.parts[0].north == 51.5);
    CHECK(back.parts[0].points == 7);
    CHECK(back.parts[1].form == GridForm::points);
    CHECK(back.parts[1].points == 0);
}

TEST_CASE("figures in a timeline: time in regions, with names of any length and letters") {
    const TemporaryFolder folder;
    ProcessFigures figures;
    figures.regions = {
        {"radiation", {1.5, unknown}}, {"sea ice \xE2\x80\xA8", {0, 2}}, {std::string(300, 'x'), {3, 4}}};
    const bool compress = GENERATE(false, true);
    const std::string path = written(folder, figures, compress);
    const ProcessFigures back = read(path);
    REQUIRE(back.regions.size() == 3);
    CHECK(back.regions[0].region == "radiation");
    CHECK(back.regions[1].region == "sea ice \xE2\x80\xA8");
    CHECK(back.regions[2].region == std::string(256, 'x'));
    CHECK(back.regions[0].seconds[0] == 1.5);
    CHECK_FALSE(is_known(back.regions[0].seconds[1]));
    CHECK(back.regions[1].seconds == std::vector<double>{0, 2});
    CHECK(back.regions[2].seconds == std::vector<double>{3, 4});
    if (compress) return;
    spoil(path, "region_time", -1);
    CHECK_FALSE(is_known(read(path).regions[0].seconds[0]));
}

TEST_CASE("figures in a timeline: none, and a reason") {
    const TemporaryFolder folder;
    CHECK(read(written(folder, {})).empty());
    ProcessFigures figures;
    figures.why_no_parts = "no process has 2 of the 8 points of the grid";
    CHECK(read(written(folder, figures)).why_no_parts == figures.why_no_parts);
}

TEST_CASE("figures in a timeline: what cannot be is not known") {
    const TemporaryFolder folder;
    ProcessFigures figures;
    figures.computing_s = {1, 2};
    figures.parts = {block(1, 4), block(5, 6)};
    const std::string path = written(folder, figures);
    spoil(path, "computing_time", -1);
    spoil(path, "domain_count_i", 11); // beyond the grid of 10
    const ProcessFigures back = read(path);
    CHECK_FALSE(is_known(back.computing_s[0]));
    CHECK(back.computing_s[1] == 2);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.parts[0].form == GridForm::none);
    CHECK(back.parts[1].form == GridForm::block);
    figures.parts = {box(10, 5, 15), box(20, 15, 25)};
    const std::string points = written(folder, figures);
    spoil(points, "process_longitude", 1e30);
    CHECK(read(points).parts[0].form == GridForm::none);
    CHECK(read(points).parts[1].form == GridForm::points);
}

TEST_CASE("figures in a timeline: a variable of another shape") {
    const TemporaryFolder folder;
    const std::string path = written(folder, {});
    int file = -1, dimension = -1, id = -1;
    REQUIRE(nc_open(path.c_str(), NC_WRITE, &file) == NC_NOERR);
    REQUIRE(nc_redef(file) == NC_NOERR);
    REQUIRE(nc_inq_dimid(file, "nx", &dimension) == NC_NOERR);
    REQUIRE(nc_def_var(file, "computing_time", NC_DOUBLE, 1, &dimension, &id) == NC_NOERR);
    REQUIRE(nc_close(file) == NC_NOERR);
    CHECK_THROWS_WITH(read(path), Catch::Contains("the variable computing_time has the wrong shape"));
}
