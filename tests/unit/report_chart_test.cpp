// Pictures: points stand where their values say, and names from outside cannot break the file.
#include "report/svg_chart.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <regex>

using namespace cpl_lb;

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

} // namespace

TEST_CASE("linear axes start at zero; equal steps are equal distances") {
    const auto c = corners_of(svg_of({"t", {"x"}, {"y"}, {{"s", {{0, 0}, {5, 1}, {10, 4}}}}}));
    REQUIRE(c.size() == 3);
    CHECK(c[1].first - c[0].first == Approx(c[2].first - c[1].first).margin(0.11));
    CHECK(c[0].second - c[2].second == Approx(4 * (c[0].second - c[1].second)).margin(0.5)); // y grows upwards
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
