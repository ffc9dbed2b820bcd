// Figures of processes in a timeline: written and read again they are the same, and what a file may hold besides.
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "tests/io/small_header.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <netcdf.h>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;

namespace {

std::string written(const TemporaryFolder &folder, const ProcessFigures &figures, bool compress = false) {
    std::string path = folder / "timeline_ocean.nc";
    TimelineHeader header = test::small_header(2, 1);
    header.ranks = {0, 1};
    header.run_end = 1'000'000'000;
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
    return {{10, 3}, count_i * 3, {{{first_i, 1}, {count_i, 3}}}};
}

// In a grid of 10 x 3 points: the second row, and the first and the last one.
ProcessFigures in_pieces() {
    ProcessFigures figures;
    figures.computing_s = {1, 2};
    figures.parts = {{{10, 3}, 10, {{{1, 2}, {10, 1}}}}, {{10, 3}, 20, {{{1, 1}, {10, 1}}, {{1, 3}, {10, 1}}}}};
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
    const bool nobody = GENERATE(false, true), compress = GENERATE(false, true);
    if (nobody) figures.parts[0] = {{10, 3}, 0, {}}; // a process without points
    const ProcessFigures back = read(written(folder, figures, compress));
    REQUIRE(back.computing_s.size() == 2);
    CHECK(back.computing_s[0] == 1.5);
    CHECK_FALSE(is_known(back.computing_s[1]));
    CHECK(back.mpi_inside_s.empty());
    CHECK(back.memory_B == figures.memory_B);
    REQUIRE(back.parts.size() == 2);
    CHECK(back.parts[0].given());
    CHECK(back.parts[0].pieces.size() == (nobody ? 0 : 1));
    CHECK(back.parts[1].size == std::array<std::int64_t, 2>{10, 3});
    REQUIRE(back.parts[1].pieces.size() == 1);
    CHECK(back.parts[1].pieces[0].first == std::array<std::int64_t, 2>{5, 1});
    CHECK(back.parts[1].pieces[0].count == std::array<std::int64_t, 2>{6, 3});
    CHECK(back.parts[1].points == 18);
}

TEST_CASE("figures in a timeline: points that are left out") {
    const TemporaryFolder folder;
    ProcessFigures figures = in_pieces();
    CHECK(read(written(folder, figures)).left_out == 0);
    figures.left_out = 5;
    CHECK(read(written(folder, figures)).left_out == 5);
}

TEST_CASE("figures in a timeline: pieces") {
    const TemporaryFolder folder;
    const bool compress = GENERATE(false, true);
    const ProcessFigures figures = in_pieces(), back = read(written(folder, figures, compress));
    REQUIRE(back.parts.size() == 2);
    for (std::size_t p = 0; p < 2; ++p) {
        CHECK(back.parts[p].size == std::array<std::int64_t, 2>{10, 3});
        CHECK(back.parts[p].points == figures.parts[p].points);
        REQUIRE(back.parts[p].pieces.size() == figures.parts[p].pieces.size());
        for (std::size_t n = 0; n < back.parts[p].pieces.size(); ++n) {
            CHECK(back.parts[p].pieces[n].first == figures.parts[p].pieces[n].first);
            CHECK(back.parts[p].pieces[n].count == figures.parts[p].pieces[n].count);
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
    CHECK_FALSE(back.parts[0].given());
    CHECK(back.parts[0].pieces.empty());
    CHECK(back.parts[1].given());
    CHECK(back.parts[1].pieces.size() == 2);
    // Nobody knows any more whose the pieces are.
    const std::string counts = written(folder, in_pieces());
    const double told = GENERATE(0.0, 2.0, -1.0, 17.0, 1e9);
    spoil(counts, "domain_pieces", told);
    CHECK_THROWS_WITH(read(counts), Catch::Contains("the variable domain_pieces does not fit the dimension piece"));
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
    CHECK_FALSE(back.parts[0].given());
    CHECK(back.parts[1].given());
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
