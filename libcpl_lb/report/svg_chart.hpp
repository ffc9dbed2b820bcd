// Lines and points over two axes as an SVG picture: a page of its own, without fonts or scripts from elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cpl_lb {

// The colour of an I/O server's waiting (nobody waits for it), in all pictures; the page's stripes are --away.
inline constexpr const char *idle_colour = "#9299a0";

struct ChartPoint {
    double x = 0, y = 0;
    std::string label = {}; // beside the point; empty: none
};

struct ChartSeries {
    std::string name; // in the legend; empty: not there
    std::vector<ChartPoint> points;
    bool line = true, marks = true, dashed = false;
    const char *colour = nullptr; // null: by its place
};

struct ChartAxis {
    std::string title; // with the unit
    bool logarithmic = false;
    std::vector<double> ticks = {}; // empty: at round numbers
    double at_least = 0;            // how far a linear axis reaches: charts that are compared have one scale
    std::vector<std::string> tick_labels = {}; // one for each of `ticks`; empty: their numbers
};

struct SvgChart {
    std::string title;
    ChartAxis x, y;
    std::vector<ChartSeries> series;
};

// Points that are not finite, or not positive on a logarithmic axis, are left out. A linear axis starts at 0,
// or below it where there are negative values.
[[nodiscard]] std::string svg_of(const SvgChart &chart);

// A line of at most about `most` points: of more, the least and the largest of each stretch are kept.
[[nodiscard]] std::vector<ChartPoint> thinned(const std::vector<ChartPoint> &points, std::size_t most);

// A name from anywhere as text inside SVG.
[[nodiscard]] std::string svg_text(const std::string &text);

} // namespace cpl_lb
