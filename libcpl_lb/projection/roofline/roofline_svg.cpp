// Draws the roofline as an SVG picture.
#include "projection/roofline/roofline_text.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

constexpr const char *roof_colour = "#335566", *dot_colour = "#cc3333";
constexpr double giga = 1e-9;

bool is_drawn(const RooflineRow &row) {
    return row.intensity > 0 && (row.attained_flop_per_s > 0 || row.ceiling_flop_per_s > 0);
}

// A region without a measured time stands at its ceiling, hollow.
double height_of(const RooflineRow &row) {
    return row.attained_flop_per_s > 0 ? row.attained_flop_per_s : row.ceiling_flop_per_s;
}

struct Range {
    double least = std::numeric_limits<double>::infinity(), most = 0;

    void include(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

struct Ranges {
    Range x, y;
    double peak = 0, widest = 0; // flop/s; B/s of the nearest level
};

// Ceilings meet inside of the drawing, with room on all sides.
Ranges ranges_of(const Roofline &roofline) {
    Ranges r;
    r.peak = roofline.ceilings.front().per_s;
    for (const RooflineCeiling &c : roofline.ceilings) {
        if (c.is_bandwidth) {
            r.x.include(r.peak / c.per_s);
            r.widest = std::max(r.widest, c.per_s);
        } else {
            r.y.include(c.per_s);
        }
    }
    for (const RooflineRow &row : roofline.rows) {
        if (!is_drawn(row)) continue;
        r.x.include(row.intensity);
        r.y.include(height_of(row));
        r.y.include(std::max(row.ceiling_flop_per_s, height_of(row)));
    }
    r.x.include(r.x.least / 3);
    r.x.include(r.x.most * 4);
    r.y.include(r.y.least / 3);
    return r;
}

ChartSeries roof(const RooflineCeiling &c, const Ranges &r) {
    ChartSeries line{"", {}, true, false};
    line.colour = roof_colour;
    line.css = "roof";
    line.along = fmt::format("{} {:.3g} {}", c.name, giga * c.per_s, c.is_bandwidth ? "GB/s" : "GFLOP/s");
    if (c.is_bandwidth) {
        for (const double x : {std::max(r.x.least, r.y.least / c.per_s), r.peak / c.per_s})
            line.points.push_back({x, giga * c.per_s * x});
    } else { // begins where the nearest level's roof reaches it
        for (const double x : {std::max(r.x.least, c.per_s / r.widest), r.x.most})
            line.points.push_back({x, giga * c.per_s});
    }
    return line;
}

// What a region could gain, up to its ceiling.
ChartSeries gap(const RooflineRow &row) {
    ChartSeries line{"", {}, true, false, true, "#dd9999"};
    line.css = "gap";
    for (const double flop_per_s : {row.attained_flop_per_s, row.ceiling_flop_per_s})
        line.points.push_back({row.intensity, giga * flop_per_s});
    return line;
}

ChartPoint dot(const RooflineRow &row) {
    const std::string name = short_name(row.work.name, 28);
    return {row.intensity, giga * height_of(row), name,
            fmt::format("{}: {:.3g} GFLOP/s, ceiling {:.3g}, {}", name, giga * row.attained_flop_per_s,
                        giga * row.ceiling_flop_per_s, row.limit)};
}

} // namespace

std::string roofline_svg(const Roofline &roofline) {
    const Ranges ranges = ranges_of(roofline);
    SvgChart chart{"Roofline on " + roofline.machine,
                   {"operations for each byte moved, W/Q [flop/B]", true},
                   {"GFLOP/s", true, {}, 1.5 * giga * ranges.y.most},
                   {},
                   700,
                   420};
    for (const RooflineCeiling &c : roofline.ceilings)
        chart.series.push_back(roof(c, ranges));
    ChartSeries dots[] = {{"", {}, false, true, false, dot_colour, ChartShape::circle, 10, false},
                          {"", {}, false, true, false, dot_colour, ChartShape::circle, 10, true}};
    dots[0].css = "dot";
    dots[1].css = "hollow";
    for (const RooflineRow &row : roofline.rows) {
        if (!is_drawn(row)) continue;
        if (row.ceiling_flop_per_s > row.attained_flop_per_s) chart.series.push_back(gap(row));
        dots[row.attained_flop_per_s > 0 ? 0 : 1].points.push_back(dot(row));
    }
    chart.series.insert(chart.series.end(), std::begin(dots), std::end(dots));
    return svg_of(chart);
}

} // namespace cpl_lb
