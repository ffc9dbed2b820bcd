// Blocks on the globe: a grids.nc written by hand, and where each process's points lie in it.
#include "page/globe.hpp"
#include "tests/grids_file.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;
using cpl_lb::test::write_grids;

namespace {

GridPart block(std::array<std::int64_t, 2> size, std::array<std::int64_t, 2> first,
               std::array<std::int64_t, 2> count) {
    return {.form = GridForm::block, .points = count[0] * count[1], .size = size, .first = first, .count = count};
}

CoupledRun run_of(std::vector<GridPart> parts, const std::string &grid = "ocea") {
    CoupledRun run;
    Component &c = run.components.emplace_back();
    c.figures.parts = std::move(parts);
    c.figures.grid = grid;
    return run;
}

} // namespace

TEST_CASE("globe: boxes and means of blocks, and a process without points") {
    const TemporaryFolder folder;
    write_grids(folder / "grids.nc");
    CoupledRun run = run_of({block({6, 4}, {1, 1}, {3, 2}), block({6, 4}, {4, 1}, {3, 4}),
                             block({6, 4}, {1, 3}, {3, 2}), block({6, 4}, {1, 1}, {0, 0})});
    put_on_globe(run, {folder / "none", folder / "."});
    const ProcessFigures &figures = run.components[0].figures;
    CHECK(figures.why_no_globe.empty());
    const GridPart &first = figures.parts[0], &second = figures.parts[1], &none = figures.parts[3];
    CHECK(first.west == Approx(0));
    CHECK(first.east == Approx(20));
    CHECK(first.south == 0);
    CHECK(first.north == 20);
    CHECK(first.longitude == Approx(10));
    CHECK(second.west == Approx(30));
    CHECK(second.east == Approx(50));
    CHECK(second.north == 60);
    CHECK(first.form == GridForm::block);
    CHECK(first.points == 6);
    CHECK_FALSE(is_known(none.longitude));
}

TEST_CASE("globe: pieces of a line lie in the grid row after row") {
    const TemporaryFolder folder;
    write_grids(folder / "grids.nc");
    // Points 3 to 5 (from 0: one row), 5 to 14 (over three rows), 18 to 23 (the last row).
    CoupledRun run =
        run_of({block({24, 1}, {4, 1}, {2, 1}), block({24, 1}, {6, 1}, {10, 1}), block({24, 1}, {19, 1}, {6, 1})});
    put_on_globe(run, {folder / "."});
    const std::vector<GridPart> &parts = run.components[0].figures.parts;
    CHECK(run.components[0].figures.why_no_globe.empty());
    CHECK(parts[0].west == Approx(30));
    CHECK(parts[0].east == Approx(40));
    CHECK(parts[0].north == 0);
    CHECK(parts[1].west == Approx(0)); // (5, 0), all of row 1, (0, 2) to (2, 2)
    CHECK(parts[1].east == Approx(50));
    CHECK(parts[1].south == 0);
    CHECK(parts[1].north == 40);
    CHECK(parts[2].south == 60);
    CHECK(parts[2].north == 60);
}

TEST_CASE("globe: the box and the mean of all pieces") {
    const TemporaryFolder folder;
    write_grids(folder / "grids.nc");
    // The first and the last row; the rows between them, of which one is two pieces.
    CoupledRun run = run_of({{.form = GridForm::pieces, .points = 12, .size = {6, 4}},
                             {.form = GridForm::pieces, .points = 12, .size = {6, 4}}});
    ProcessFigures &figures = run.components[0].figures;
    figures.pieces = {{{{1, 1}, {6, 1}}, {{1, 4}, {6, 1}}}, {{{1, 2}, {2, 1}}, {{3, 2}, {4, 1}}, {{1, 3}, {6, 1}}}};
    put_on_globe(run, {folder / "."});
    CHECK(figures.why_no_globe.empty());
    CHECK(figures.parts[0].south == 0);
    CHECK(figures.parts[0].north == 60);
    CHECK(figures.parts[0].west == Approx(0));
    CHECK(figures.parts[0].east == Approx(50));
    CHECK(figures.parts[0].longitude == Approx(25)); // the middle of 0, 10, ... 50 in each row
    CHECK(figures.parts[1].south == 20);
    CHECK(figures.parts[1].north == 40);
    CHECK(figures.parts[1].form == GridForm::pieces);
    CHECK(figures.parts[1].points == 12);
    // The points of boxes around several pieces are not known.
    figures.parts[0].points = 11;
    for (GridPart &part : figures.parts)
        part.west = part.longitude = unknown;
    put_on_globe(run, {folder / "."});
    CHECK(figures.why_no_globe == "1 of its 2 processes have more than 16 pieces of the grid");
    CHECK_FALSE(is_known(figures.parts[0].west));
}

TEST_CASE("globe: parts that have coordinates already, from their timeline, keep them") {
    const TemporaryFolder folder;
    CoupledRun run = run_of({block({6, 4}, {1, 1}, {6, 4}), block({6, 4}, {1, 1}, {0, 0})});
    CHECK(needs_globe(run.components[0].figures));
    run.components[0].figures.parts[0].longitude = 5;
    CHECK_FALSE(needs_globe(run.components[0].figures));
    put_on_globe(run, {folder / "none"});
    CHECK(run.components[0].figures.why_no_globe.empty());
    CHECK(run.components[0].figures.parts[0].longitude == 5);
}

TEST_CASE("globe: one line why, and nothing is changed") {
    const TemporaryFolder folder;
    const auto why = [&](CoupledRun run, std::int64_t most = 1000) {
        put_on_globe(run, {folder / "."}, most);
        CHECK_FALSE(is_known(run.components[0].figures.parts[0].longitude));
        return run.components[0].figures.why_no_globe;
    };
    const std::vector<GridPart> whole = {block({6, 4}, {1, 1}, {6, 4})};
    CHECK(why(run_of(whole)) == "there is no grids.nc beside the results");
    CHECK(why(run_of(whole, "")).empty()); // no grid of OASIS
    write_grids(folder / "grids.nc", 1e20);
    CHECK(why(run_of(whole)) == "grids.nc has points of grid ocea that are no degrees");
    write_grids(folder / "grids.nc");
    CHECK_THAT(why(run_of({block({5, 4}, {1, 1}, {5, 4})})),
               Catch::Contains("has 6 x 4 points for grid ocea, and the processes have parts of 5 x 4"));
    CHECK_THAT(why(run_of(whole, "atmo")), Catch::Contains("has no variable atmo.lon"));
    CHECK_THAT(why(run_of(whole, "odd")), Catch::Contains("odd.lon and odd.lat are no coordinates of one grid"));
    CHECK_THAT(why(run_of(whole), 23), Catch::Contains("cpl-lb report puts it there"));
}
