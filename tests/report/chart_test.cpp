// Pictures: points stand where their values say, and names from outside cannot break the file.
#include "report/plot.hpp"
#include "tests/svg_boxes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <regex>

using namespace cpl_lb;
using test::count_of;

namespace {

// The corners of all lines of series, in SVG units.
std::vector<std::pair<double, double>> corners_of(const std::string &svg) {
    std::vector<std::pair<double, double>> corners;
    std::smatch line;
    if (!std::regex_search(svg, line, std::regex("polyline points='([^']*)'"))) return corners;
    const std::string points = line[1];
    const std::regex pair("([0-9.]+),([0-9.]+)");
    for (std::sregex_iterator p(points.begin(), points.end(), pair), end; p != end; ++p)
        corners.emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
    return corners;
}

// The places of the ticks below the x axis, by their labels.
std::map<std::string, double> x_ticks_of(const std::string &svg) {
    std::map<std::string, double> ticks;
    const std::regex tick("y2='[0-9.]+' class='grid'/><text x='([0-9.]+)' y='[0-9.]+' text-anchor='middle'>([^<]+)<");
    for (std::sregex_iterator t(svg.begin(), svg.end(), tick), end; t != end; ++t)
        ticks[(*t)[2]] = std::stod((*t)[1]);
    return ticks;
}

} // namespace

TEST_CASE("ticks stand at round numbers, beyond the last point, and where the values do") {
    const std::string ten = svg_of({"t", {"x"}, {"y"}, {{"s", {{0, 0}, {4, 1}, {9, 1}}}}});
    const auto ticks = x_ticks_of(ten);
    REQUIRE(ticks.size() == 6); // 0, 2, ... 10: 5 steps; by 1 it would be 9, more than seven
    CHECK(ticks.at("4") == Approx(corners_of(ten)[1].first).margin(0.11));
    CHECK(ticks.at("10") > corners_of(ten)[2].first);
    // Few decades: 1, 2 and 5 of each; many: the decades alone.
    const auto few = x_ticks_of(svg_of({"t", {"x", true}, {"y"}, {{"s", {{1, 1}, {10, 1}}}}}));
    CHECK(few.size() == 4);
    CHECK(few.count("5") == 1);
    // Where these are one or two only, there are others: 1.5, 3 and 7 as well, or equal steps.
    const auto seven = x_ticks_of(svg_of({"t", {"x", true}, {"y"}, {{"s", {{1.5, 1}, {3, 1}}}}}));
    CHECK((seven.size() == 3 && seven.contains("1.5") && seven.contains("2") && seven.contains("3")));
    const auto fewer = x_ticks_of(svg_of({"t", {"x", true}, {"y"}, {{"s", {{3, 1}, {6, 1}}}}}));
    CHECK((fewer.size() == 4 && fewer.contains("3") && fewer.contains("4") && fewer.contains("6")));
    for (const double most : {3.3, 3.0})
        CHECK(x_ticks_of(svg_of({"t", {"x", true}, {"y"}, {{"s", {{3, 1}, {most, 1}}}}})).size() >= 3);
    const auto many = x_ticks_of(svg_of({"t", {"x", true}, {"y"}, {{"s", {{1, 1}, {1e5, 1}}}}}));
    CHECK(many.size() == 6);
    CHECK(many.count("5") == 0);
}

TEST_CASE("lines, dashes and marks are those of their series; the legend names those with a name") {
    ChartSeries named{"measured", {{1, 1}, {2, 2}}};
    const auto picture = [](const ChartSeries &s) { return svg_of({"t", {"x"}, {"y"}, {s}}); };
    // Two points, and one mark in the legend.
    CHECK(count_of(picture(named), "<circle") == 3);
    CHECK(count_of(picture(named), "stroke-dasharray") == 0);
    CHECK(count_of(picture(named), ">measured</text>") == 1);
    named.marks = false;
    named.dashed = true;
    CHECK(count_of(picture(named), "<circle") == 0);
    CHECK(count_of(picture(named), "stroke-dasharray") == 2); // of the line and in the legend
    ChartSeries nameless{"", {{1, 1}, {2, 2}}};
    CHECK(count_of(picture(nameless), "<circle") == 2);
    nameless.line = false;
    CHECK(count_of(picture(nameless), "<polyline") == 0);
}

TEST_CASE("linear axes start at zero; equal steps are equal distances") {
    const auto c = corners_of(svg_of({"t", {"x"}, {"y"}, {{"s", {{0, 0}, {5, 1}, {10, 4}}}}}));
    REQUIRE(c.size() == 3);
    CHECK(c[1].first - c[0].first == Approx(c[2].first - c[1].first).margin(0.11));
    CHECK(c[0].second - c[2].second == Approx(4 * (c[0].second - c[1].second)).margin(0.5));
    CHECK(c[2].second < c[0].second); // y grows upwards
    const auto high = corners_of(svg_of({"t", {"x"}, {"y"}, {{"s", {{90, 90}, {100, 100}}}}}));
    CHECK(high[1].first - high[0].first < 80); // not stretched over the picture: 10 of 100
}

TEST_CASE("logarithmic axes: equal ratios are equal distances, what has no logarithm is left out") {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    const auto c = corners_of(svg_of(
        {"t", {"x", true}, {"y", true}, {{"s", {{1, 1}, {0, 5}, {nan, 1}, {1, inf}, {10, 100}, {100, 10000}}}}}));
    REQUIRE(c.size() == 3);
    CHECK(c[1].first - c[0].first == Approx(c[2].first - c[1].first).margin(0.11));
    CHECK(c[0].second - c[1].second == Approx(c[1].second - c[2].second).margin(0.11));
}

TEST_CASE("names are text, not markup; no points, equal points and given ticks make a picture") {
    const std::string svg = svg_of({"<b>&", {"x"}, {"y"}, {{"</svg>", {{1, 1, "<i>"}}}}});
    CHECK(svg.find("<b>") == std::string::npos);
    CHECK(svg.find("&lt;b&gt;&amp;") != std::string::npos);
    CHECK(svg.find("</svg>") == svg.size() - 7);
    CHECK(svg_of({"t", {"x", true}, {"y"}, {}}).find("nan") == std::string::npos);
    CHECK(svg_of({"t", {"x", true}, {"y", true}, {{"s", {{3, 3}, {3, 3}}}}}).find("inf") == std::string::npos);
    CHECK(svg_of({"t", {"x", true, {3, 7}}, {"y"}, {{"s", {{3, 3}, {7, 3}}}}}).find(">7</text>") !=
          std::string::npos);
}

TEST_CASE("ticks with words of their own") {
    SvgChart chart{"t", {"x"}, {"y"}, {{"s", {{0, 0}, {10, 1}}}}};
    chart.x.ticks = {0, 4, 10};
    chart.x.tick_labels = {"<May>", "June"}; // the third has its number
    const auto ticks = x_ticks_of(svg_of(chart));
    REQUIRE(ticks.size() == 3);
    CHECK(ticks.at("June") - ticks.at("&lt;May&gt;") ==
          Approx(0.4 * (ticks.at("10") - ticks.at("&lt;May&gt;"))).margin(0.11));
}

TEST_CASE("negative values lie below a line at 0") {
    SvgChart chart{"T", {"x", false}, {"y", false}, {{"s", {{0, -60}, {1, 20}}}}};
    const std::string svg = svg_of(chart);
    // -60 to 20 in steps of 20: 380 units for 80.
    CHECK(corners_of(svg).at(0).second == Approx(46 + 380));
    CHECK(corners_of(svg).at(1).second == Approx(46));
    CHECK(svg.find("y1='141.0' x2='640.0' y2='141.0' stroke='#444'") != std::string::npos); // 46 + 380 x 20 / 80
    chart.series[0].points[0].y = 60;
    CHECK(svg_of(chart).find("#444") == std::string::npos);
}
