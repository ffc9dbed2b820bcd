// The map's blocks: expected bytes are worked out beside them.
#include "page/page_json.hpp"
#include "tests/page/has.hpp"
#include "tests/temporary_folder.hpp"

#include <string>

using namespace cpl_lb;
using test::check_has, test::has;
using test::contents, test::TemporaryFolder;

namespace {

CoupledRun run_of(ProcessFigures figures, std::int32_t processes) {
    CoupledRun run;
    Component c;
    c.name = "ocean";
    c.id = 3;
    for (std::int32_t p = 0; p < processes; ++p)
        c.ranks.push_back(10 + p);
    c.figures = std::move(figures);
    run.components.push_back(std::move(c));
    return run;
}

struct Written {
    std::string json, page;
};

// Without zlib: the blocks are base64 of the bytes.
Written written(const CoupledRun &run) {
    const TemporaryFolder folder;
    const std::string path = folder / "page.html";
    PageFile file(path, nullptr);
    const std::string json = write_maps(file, run).dump(-1);
    file.commit();
    return {json, contents(path)};
}

GridPart block(std::array<std::int64_t, 2> first, std::array<std::int64_t, 2> count) {
    return {.size = {4, 2}, .points = count[0] * count[1], .pieces = {{first, count}}};
}

} // namespace

TEST_CASE("map: figures are bytes between the least and the most, with both and their processes") {
    ProcessFigures figures;
    figures.computing_s = {2, 4, unknown, 3};
    const Written w = written(run_of(figures, 4));
    // of the three that are known
    check_has(w.json, {R"("component":3)", R"("name":"computing")", R"("mean":3)", R"("known":3)",
                       R"("least":{"process":0,"rank":10,"value":2.0})",
                       R"("most":{"process":1,"rank":11,"value":4.0})", R"("parts":null)"});
    CHECK(has(w.page, ">AP7/fw==<")); // 0, 254, 255, 127
}

TEST_CASE("map: blocks of a grid, number by number") {
    ProcessFigures figures;
    figures.computing_s = {1, 1};
    figures.parts = {block({1, 1}, {4, 1}), block({1, 2}, {4, 1})};
    const Written w = written(run_of(figures, 2));
    check_has(w.json, {R"("form":"pieces")", R"("pieces":2)", R"("size":[4,2])", R"("width":1)"});
    // a piece each; first i 1 1, count 4 4, first j 1 2, count 1 1
    // all alike: the middle, 127
    check_has(w.page, {">AQEBAQQEAQIBAQ==<", ">f38=<"});
}

TEST_CASE("map: pieces, number by number, one process after the other") {
    ProcessFigures figures;
    figures.computing_s = {1, 3, 2};
    figures.parts = {
        {{4, 3}, 4, {{{1, 2}, {4, 1}}}}, {{4, 3}, 8, {{{1, 1}, {4, 1}}, {{1, 3}, {4, 1}}}}, {{4, 3}, 0, {}}};
    Written w = written(run_of(figures, 3));
    check_has(w.json, {R"("form":"pieces")", R"("size":[4,3])", R"("pieces":3)", R"("coarse":0)", R"("width":1)"});
    // Pieces of each process 1 2 0; first i 1 1 1, count 4 4 4, first j 2 1 3, count 1 1 1.
    CHECK(has(w.page, ">AQIAAQEBBAQEAgEDAQEB<"));
    figures.parts[1].points = 7; // one of its pieces is a box
    w = written(run_of(figures, 3));
    CHECK(has(w.json, R"("coarse":1)"));
    figures.parts[2] = {}; // of a damaged file
    CHECK(has(written(run_of(figures, 3)).json, R"("parts":null)"));
}

TEST_CASE("map: lists of another length are left out, and a run without figures has no map") {
    ProcessFigures figures;
    figures.computing_s = {1, 2};
    figures.why_no_parts = "no process has 2 of the 8 points of the grid";
    const Written w = written(run_of(figures, 3));
    check_has(w.json, {R"("figures":[])", "no process has 2 of the 8 points of the grid"});
    CHECK(written(run_of({}, 3)).json == "[]");
}

TEST_CASE("map: regions by their names, the most time first") {
    ProcessFigures figures;
    figures.computing_s = {1, 3};
    figures.regions = {{"radiation <b>", {0, 4}}, {"ice", {2, 2}}, {"another length", {1}}};
    const Written w = written(run_of(figures, 2));
    check_has(w.json, {R"("name":"region")", "radiation <b>", R"("region":"ice")"});
    CHECK_FALSE(has(w.json, "another length"));
    CHECK(w.json.find("radiation") < w.json.find("ice"));
    CHECK(has(w.page, ">AP4=<")); // 0, 254
}

TEST_CASE("map: 20,480 processes take less than 0.5 MB, without zlib") {
    constexpr std::int32_t processes = 20'480;
    ProcessFigures figures;
    for (std::int32_t p = 0; p < processes; ++p) {
        figures.computing_s.push_back(100 + p % 97);
        figures.parts.push_back({{1280, 512}, 32, {{{p % 160 * 8 + 1, p / 160 * 4 + 1}, {8, 4}}}});
    }
    // 1 byte for the figure, and 5 numbers of 2 bytes for the block, in base64: 4/3 of that, 300 kB.
    CHECK(written(run_of(figures, processes)).page.size() < 500'000);
    // 262,144 / 20,481 = 12 regions, 328 kB.
    for (int r = 0; r < 32; ++r)
        figures.regions.push_back({"region " + std::to_string(r), figures.computing_s});
    const Written w = written(run_of(figures, processes));
    CHECK(w.page.size() < 850'000);
    CHECK(has(w.json, "region 11"));
    CHECK_FALSE(has(w.json, "region 12"));
}

// Process p has 16 pieces, each of a place of its own: what packs worst.
TEST_CASE("map: 20,480 processes with 16 pieces each keep four of them on the page") {
    constexpr std::int64_t processes = 20'480;
    ProcessFigures figures;
    figures.parts.resize(processes, {{1280, 512}, 16, {}});
    for (std::int64_t p = 0; p < processes; ++p) {
        figures.computing_s.push_back(static_cast<double>(100 + p % 97));
        for (std::int64_t n = 0; n < 16; ++n) { // every 7919th of 655,360 = 20,480 x 16 points, a prime
            const std::int64_t point = (p * 16 + n) * 7919 % 655'360;
            figures.parts[static_cast<std::size_t>(p)].pieces.push_back(
                {{point % 1280 + 1, point / 1280 + 1}, {1, 1}});
        }
    }
    const Written w = written(run_of(figures, processes));
    // 4 x 20,480; 5 x 20,480 is above 98,304
    check_has(w.json, {R"("pieces":81920)", R"("coarse":20480)"});
    // (20,480 + 4 x 81,920) x 2 bytes, and 20,480 for the figure, in base64 without zlib: 956 kB.
    CHECK(w.page.size() < 970'000);
}
