// Horizontal bars as an SVG picture: side by side with a mark for what was measured, or the parts of a whole.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// One row: a bar for each series of the chart; NaN: none.
struct BarRow {
    std::string name;
    std::vector<double> values;
    std::vector<double> marks = {}; // a line across each bar; NaN or not there: none
};

struct BarPanel {
    std::string title;
    std::vector<BarRow> rows;
};

struct BarChart {
    std::string title, axis; // the latter with its unit
    std::vector<std::string> series;
    std::string mark; // what the lines across are; empty: there are none
    std::vector<BarPanel> panels;
    bool stacked = false; // the values of a row are parts of one bar, in per cent of their sum
};

// Panels stand below each other; bars side by side have one scale in each panel, from 0. Each bar has its value
// beside it, with the mark's in brackets, and each part that is wide enough its per cent inside.
[[nodiscard]] std::string svg_of_bars(const BarChart &chart);

} // namespace cpl_lb
