// Timelines above each other: pieces where their times say, on one scale.
#include "report/plot.hpp"
#include "tests/svg_boxes.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

struct Drawn {
    double x = 0, y = 0, wide = 0;
    std::string colour;
};

std::vector<Drawn> pieces_of(const std::string &svg) {
    std::vector<Drawn> pieces;
    const std::regex piece("<rect x='([0-9.]+)' y='([0-9.]+)' width='([0-9.]+)' height='22.0' fill='([^']+)'");
    for (std::sregex_iterator p(svg.begin(), svg.end(), piece), end; p != end; ++p)
        pieces.push_back({std::stod((*p)[1]), std::stod((*p)[2]), std::stod((*p)[3]), (*p)[4]});
    return pieces;
}

} // namespace

TEST_CASE("timelines: one scale for all panels") {
    TimelineChart chart{"T", "seconds", {"computing", "waiting"}, {nullptr, "#abcdef"}, "a cycle begins", {}};
    chart.panels.push_back({"before", {{"ocean", {{0, 4, 0}, {4, 10, 1}}}}, {0, 10}});
    chart.panels.push_back({"after", {{"ocean & <ice>", {{0, 4, 0}, {4, 5, 1}}}}, {5}});
    const std::string svg = svg_of_timelines(chart);
    const std::vector<Drawn> pieces = pieces_of(svg);
    REQUIRE(pieces.size() == 4);
    // 10 s take 620.
    CHECK(pieces[0].wide == Approx(248));
    CHECK(pieces[1].wide == Approx(372));
    CHECK(pieces[1].x == Approx(pieces[0].x + 248));
    CHECK(pieces[1].colour == "#abcdef");
    CHECK(pieces[2].x == pieces[0].x);
    CHECK(pieces[2].y > pieces[0].y + 22);
    CHECK(pieces[2].wide == Approx(248));
    CHECK(pieces[3].wide == Approx(62));
    CHECK(svg.find("ocean &amp; &lt;ice&gt;") != std::string::npos);
    CHECK(test::unreadable_texts(svg, 7).empty());
}

// 100,000 pieces of less than a pixel: the file stays small, and no time is drawn twice.
TEST_CASE("timelines: pieces too short to be seen") {
    TimelineChart chart{"T", "seconds", {"a"}, {nullptr}, "", {{"p", {{"r", {}}}, {}}}};
    for (int i = 0; i < 100'000; ++i)
        chart.panels[0].rows[0].pieces.push_back({i + 0.0, i + 0.5, 0});
    const std::string svg = svg_of_timelines(chart);
    CHECK(svg.size() < 300'000);
    const std::vector<Drawn> pieces = pieces_of(svg);
    for (std::size_t i = 1; i < pieces.size(); ++i)
        if (pieces[i].x < pieces[i - 1].x + pieces[i - 1].wide - 0.11) FAIL_CHECK(i);
}
