// Places rows of bars below each other, and their labels where nothing else is.
#include "report/svg_bars.hpp"

#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "report/svg_labels.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

// In SVG units.
constexpr double text_size = 13, title_size = 16, value_size = 11;
constexpr double bar = 13, between_rows = 9, bars_width = 520, row_of_legend = 22;
constexpr double part_bar = 22, narrowest_labelled_part = 36;
constexpr std::size_t longest_name = 34;

struct Colour {
    const char *fill, *text; // and what is readable on it
};
// Okabe and Ito: told apart by colour-blind readers, too.
constexpr std::array<Colour, 8> colours_of_bars = {{{"#0072b2", "#fff"},
                                                    {"#e69f00", "#000"},
                                                    {"#009e73", "#000"},
                                                    {"#cc79a7", "#000"},
                                                    {"#56b4e9", "#000"},
                                                    {"#d55e00", "#000"},
                                                    {"#f0e442", "#000"},
                                                    {"#777777", "#000"}}};

const Colour &colour_of(std::size_t series) {
    return colours_of_bars[series % colours_of_bars.size()];
}

// As wide as the widest of the usual fonts makes it.
double width_of(const std::string &text, double size = text_size) {
    return text_box(text, 0, 0, size).right;
}

double left_of(const BarChart &chart) {
    double longest = 30;
    for (const BarPanel &panel : chart.panels)
        for (const BarRow &row : panel.rows)
            longest = std::max(longest, width_of(short_name(row.name, longest_name)));
    return 20 + longest;
}

double largest_of(const BarPanel &panel) {
    double most = 0;
    for (const BarRow &row : panel.rows) {
        for (const double value : row.values)
            if (value > most) most = value;
        for (const double value : row.marks)
            if (value > most) most = value;
    }
    return most > 0 ? most : 1;
}

std::string name_at(const BarRow &row, double left, double middle) {
    return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>\n", left - 8, middle + 4.5,
                       svg_text(short_name(row.name, longest_name)));
}

std::string rectangle(double x, double y, double wide, double high, const char *fill) {
    return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'/>", x, y, wide, high,
                       fill);
}

double mark_of(const BarRow &row, std::size_t series) {
    return series < row.marks.size() ? row.marks[series] : std::nan("");
}
std::string value_text(double value, double mark) {
    return fmt::format("{:.3g}", value) + (mark >= 0 ? fmt::format(" ({:.3g})", mark) : "");
}

// How far bars and what stands behind them reach.
double right_of(const BarChart &chart, double left) {
    double right = left + bars_width;
    for (const BarPanel &panel : chart.panels) {
        right = std::max(right, left + 1.1 * width_of(panel.title)); // bold
        const double scale = bars_width / largest_of(panel);
        for (const BarRow &row : panel.rows) {
            for (std::size_t s = 0; !chart.stacked && s < row.values.size(); ++s) {
                const double mark = mark_of(row, s), end = mark > row.values[s] ? mark : row.values[s];
                if (!(row.values[s] >= 0)) continue;
                right =
                    std::max(right, left + scale * end + 6 + width_of(value_text(row.values[s], mark), value_size));
            }
        }
    }
    return std::max({right, left + width_of(chart.axis), 20 + width_of(chart.title, title_size)}) + 8;
}

std::string side_by_side(const BarRow &row, double left, double y, double scale) {
    std::string svg;
    for (std::size_t s = 0; s < row.values.size(); ++s, y += bar) {
        const double value = row.values[s], mark = mark_of(row, s);
        if (!(value >= 0)) continue;
        svg += rectangle(left, y, scale * value, bar - 1.5, colour_of(s).fill);
        const double end = mark > value ? mark : value;
        if (mark >= 0) {
            svg += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' class='mark'/>",
                               left + scale * mark, y - 1, y + bar - 0.5);
        }
        svg += fmt::format("<text x='{:.1f}' y='{:.1f}' class='value'>{}</text>\n", left + scale * end + 6,
                           y + bar - 3.5, value_text(value, mark));
    }
    return svg;
}

std::string parts(const BarRow &row, double left, double y) {
    const double sum = std::accumulate(row.values.begin(), row.values.end(), 0.0,
                                       [](double all, double v) { return v > 0 ? all + v : all; });
    std::string svg;
    double x = left;
    for (std::size_t s = 0; s < row.values.size(); ++s) {
        if (!(row.values[s] > 0)) continue;
        const double wide = bars_width * row.values[s] / sum;
        svg += rectangle(x, y, wide, part_bar - 2, colour_of(s).fill);
        if (wide >= narrowest_labelled_part) {
            svg +=
                fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' class='value' style='fill:{}'>{:.0f} "
                            "%</text>",
                            x + wide / 2, y + part_bar - 7, colour_of(s).text, 100 * row.values[s] / sum);
        }
        x += wide;
    }
    return svg + "\n";
}

double height_of_row(const BarChart &chart) {
    return chart.stacked ? part_bar + 4 : bar * static_cast<double>(chart.series.size()) + between_rows;
}

std::string panel_at(const BarChart &chart, const BarPanel &panel, double left, double &y) {
    std::string svg =
        fmt::format("<text x='{}' y='{:.1f}' class='panel'>{}</text>\n", left, y + 14, svg_text(panel.title));
    y += 24;
    const double scale = bars_width / largest_of(panel), high = height_of_row(chart);
    const double bottom = y + high * static_cast<double>(panel.rows.size());
    svg += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' stroke='#888'/>\n", left, y - 3,
                       bottom);
    for (const BarRow &row : panel.rows) {
        svg += name_at(row, left,
                       y + (chart.stacked ? part_bar - 2 : bar * static_cast<double>(chart.series.size())) / 2);
        svg += chart.stacked ? parts(row, left, y) : side_by_side(row, left, y, scale);
        y += high;
    }
    y += 14;
    return svg;
}

// Names beside each other, as many as fit into a line.
std::string legend_at(const BarChart &chart, double &y) {
    std::string svg;
    double x = 20;
    const auto place = [&](const std::string &name, const std::string &picture) {
        const double wide = 34 + width_of(name);
        if (x > 20 && x + wide > bars_width + 200) {
            x = 20;
            y += row_of_legend;
        }
        svg += fmt::format("<g transform='translate({:.1f},{:.1f})'>{}</g><text x='{:.1f}' y='{:.1f}'>{}</text>\n", x,
                           y, picture, x + 20, y + 11, svg_text(name));
        x += wide;
    };
    for (std::size_t s = 0; s < chart.series.size(); ++s)
        place(short_name(chart.series[s], 40), rectangle(0, 0, 14, 12, colour_of(s).fill));
    if (!chart.mark.empty()) place(chart.mark, "<line x1='7' y1='-1' x2='7' y2='13' class='mark'/>");
    y += row_of_legend + 8;
    return svg;
}

} // namespace

std::string svg_of_bars(const BarChart &chart) {
    const double left = left_of(chart);
    double y = 44;
    std::string drawing = legend_at(chart, y);
    for (const BarPanel &panel : chart.panels)
        drawing += panel_at(chart, panel, left, y);
    drawing += fmt::format("<text x='{}' y='{:.1f}'>{}</text>\n", left, y + 6, svg_text(chart.axis));
    const double all = std::max(right_of(chart, left), 760.0);
    return fmt::format("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' "
                       "height='{1:.0f}' font-family='sans-serif' font-size='13'>\n"
                       "<style>.title{{font-size:16px}}.panel{{font-weight:bold}}.value{{font-size:11px}}"
                       ".mark{{stroke:#000;stroke-width:2.5}}</style><rect width='100%' height='100%' fill='#fff'/>\n"
                       "<text x='20' y='26' class='title'>{2}</text>\n",
                       all, y + 24, svg_text(chart.title)) +
           drawing + "</svg>\n";
}

} // namespace cpl_lb
