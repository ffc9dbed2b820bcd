// Pictures from descriptions of data: lines and points over two axes, and bars. Each is an SVG file of its own,
// without external fonts or scripts; its style is scoped, so that it can be part of a page.
#pragma once

#include "data/model_row.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cpl_lb {

// The colour of an I/O server's waiting (nobody waits for it), in all pictures; the page's stripes are --away.
inline constexpr const char *idle_colour = "#9299a0";

struct ChartPoint {
    double x = 0, y = 0;
    std::string label = {}; // beside the point; empty: none
    std::string title = {}; // what a pointer on it shows; empty: nothing
    double size = 0;        // of its mark; 0: the series'
};

enum class ChartShape { by_place, circle, square };

struct ChartSeries {
    std::string name; // in the legend; empty: not in it. A series without points only explains a mark
    std::vector<ChartPoint> points;
    bool line = true, marks = true, dashed = false;
    const char *colour = nullptr; // null: by its place
    ChartShape shape = ChartShape::by_place;
    double size = 9; // of its marks, in SVG units
    bool hollow = false, bold = false;
    bool area = false;      // the points surround a filled area: no line, no marks
    std::string along = {}; // written along the line, from its first to its last point, where nothing else is
    const char *css = "";   // class of lines and marks, for pages
};

struct ChartAxis {
    std::string title; // with the unit
    bool logarithmic = false;
    std::vector<double> ticks = {}; // empty: at round numbers
    double at_least = 0;            // the least reach of the axis, so that charts that are compared have one scale
    std::vector<std::string> tick_labels = {}; // one for each of `ticks`; empty: their numbers
};

struct SvgChart {
    std::string title;
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    double width = 560, height = 380; // of the drawing, in SVG units
};

// Points that are not finite, or not positive on a logarithmic axis, are left out. A linear axis starts at 0, or
// below it if there are negative values. Labels never cover other text; a line says how many found no place.
[[nodiscard]] std::string svg_of(const SvgChart &chart);

// The legend's mark of a series, as a small picture inside the words of a page.
[[nodiscard]] std::string svg_key(const ChartSeries &series);

// A line of about `most` points at most: if there are more, the least and the largest of each stretch are kept.
[[nodiscard]] std::vector<ChartPoint> thinned(const std::vector<ChartPoint> &points, std::size_t most);

// One row: a bar for each series of the chart, or one bar if the series have no names; NaN: none.
struct BarRow {
    std::string name;
    std::vector<double> values;
    std::vector<double> marks = {}; // a line across each bar; NaN or not there: none
    std::string end = {};           // behind a bar of parts, which then has its panel's scale
};

struct BarPanel {
    std::string title;
    std::vector<BarRow> rows;
};

// Horizontal bars: side by side with a mark for what was measured, or the parts of a whole.
struct BarChart {
    std::string title, axis; // the latter with its unit
    std::vector<std::string> series;
    std::string mark; // what the lines across are; empty: there are none
    std::vector<BarPanel> panels;
    bool stacked = false;                   // the values of a row are parts of one bar
    std::vector<const char *> colours = {}; // of the series; null or not there: by their places
};

// Panels are below each other. In each panel, bars side by side have one scale, from 0. Each bar has its value beside
// it, with the mark's value in brackets. Parts without words at their end fill the width, and each part that is wide
// enough shows its per cent.
[[nodiscard]] std::string svg_of_bars(const BarChart &chart);

// What a component does between `from` and `to`, on the axis' scale.
struct DrawnPiece {
    double from = 0, to = 0;
    std::size_t series = 0;
};
struct TimelineRow {
    std::string name;
    std::vector<DrawnPiece> pieces; // ascending; what lies between them is empty
};
struct TimelinePanel {
    std::string title;
    std::vector<TimelineRow> rows;
    std::vector<double> marks; // lines across all rows
};

// Who does what when. All panels have one scale, from 0, so that lengths can be compared.
struct TimelineChart {
    std::string title, axis; // the latter with its unit
    std::vector<std::string> series;
    std::vector<const char *> colours; // of the series; null: by its place
    std::string mark;                  // meaning of the lines; empty: there are none
    std::vector<TimelinePanel> panels;
};
[[nodiscard]] std::string svg_of_timelines(const TimelineChart &chart);

// Any name as text inside SVG.
[[nodiscard]] std::string svg_text(const std::string &text);

// "CM2.6 S", as in table 1 of the paper; without a letter if the mode is not given.
[[nodiscard]] std::string model_name(const ModelRow &row);

// A page of its own, without external fonts or scripts. The run is the last of the rows and is drawn in colour; rows
// in speed mode are hollow. Names never cover other text, and a legend explains the marks. Rows without resolution or
// speed are left out.
[[nodiscard]] std::string model_plot_svg(const std::vector<ModelRow> &rows);
// The rows as a table in the order of their resolutions, with the run (the last row) marked.
[[nodiscard]] std::string model_table(const std::vector<ModelRow> &rows);

} // namespace cpl_lb
