// Chooses the scales of two axes and draws lines, points and labels.
#include "report/svg_chart.hpp"

#include "report/format.hpp"
#include "report/svg_labels.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

// In SVG units: the drawing inside its margins; the legend stands to its right.
constexpr double left = 80, top = 46, width = 560, height = 380, legend_width = 330, font_size = 13;
constexpr double between_names = 22; // of the legend
// As many letters as there is room for.
constexpr std::size_t longest_title = 80, longest_axis = 60, longest_upright = 44;
// Okabe and Ito: told apart by colour-blind readers, too; each with its own mark.
constexpr std::array<const char *, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#000000"};

struct Scale {
    bool logarithmic = false;
    double first = 0, last = 1;      // of the value or of its log10
    std::vector<double> ticks;       // values
    std::vector<std::string> labels; // of the ticks

    [[nodiscard]] double share(double value) const {
        return ((logarithmic ? std::log10(value) : value) - first) / (last - first);
    }
};

bool can_be_drawn(double value, bool logarithmic) {
    return std::isfinite(value) && (!logarithmic || value > 0);
}

bool is_drawn(const SvgChart &chart, const ChartPoint &p) {
    return can_be_drawn(p.x, chart.x.logarithmic) && can_be_drawn(p.y, chart.y.logarithmic);
}

// 1, 2 or 5 times a power of ten: at most seven steps to `most`.
double step_to(double most) {
    const double decade = std::pow(10, std::floor(std::log10(most)) - 1);
    for (const double times : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
        if (most / (times * decade) <= 7) return times * decade;
    return most;
}

// From 0, or from below where there are negative values.
Scale linear_scale(double least, double most) {
    Scale s;
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
    if (least == most) most = 1;
    const double step = step_to(most - least);
    const auto first = static_cast<int>(std::floor(least / step + 1e-9)),
               last = static_cast<int>(std::ceil(most / step - 1e-9));
    s.first = step * first;
    s.last = step * last;
    for (int i = first; i <= last; ++i)
        s.ticks.push_back(i * step);
    return s;
}

// Whole decades where there are several; 1, 2 and 5 within few.
Scale log_scale(double least, double most) {
    Scale s;
    s.logarithmic = true;
    s.first = std::log10(least) - 0.06;
    s.last = std::log10(most) + 0.06;
    const bool few = s.last - s.first < 3;
    for (int decade = static_cast<int>(std::floor(s.first)); decade <= s.last; ++decade) {
        for (const double times : {1.0, 2.0, 5.0}) {
            const double value = times * std::pow(10, decade);
            const double at = std::log10(value);
            if ((few || times == 1) && at >= s.first && at <= s.last) s.ticks.push_back(value);
        }
    }
    if (s.ticks.empty()) s.ticks = {least}; // values close to each other, between 1, 2 and 5
    return s;
}

Scale scale_of(const SvgChart &chart, const ChartAxis &axis, double ChartPoint::*value) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const ChartSeries &series : chart.series) {
        for (const ChartPoint &p : series.points) {
            if (!is_drawn(chart, p)) continue;
            least = std::min(least, p.*value);
            most = std::max(most, p.*value);
        }
    }
    if (least > most) least = most = 1;
    Scale scale = axis.logarithmic ? log_scale(least, most) : linear_scale(least, std::max(most, axis.at_least));
    if (!axis.ticks.empty()) scale.ticks = axis.ticks;
    scale.labels = axis.tick_labels;
    for (std::size_t i = scale.labels.size(); i < scale.ticks.size(); ++i)
        scale.labels.push_back(fmt::format("{:g}", scale.ticks[i]));
    return scale;
}

struct Drawing {
    Scale x, y;
    [[nodiscard]] double at_x(double value) const { return left + width * x.share(value); }
    [[nodiscard]] double at_y(double value) const { return top + height * (1 - y.share(value)); }
};

std::string axes_of(const SvgChart &chart, const Drawing &d) {
    std::string svg;
    double free_x = -1, free_y = 2 * height; // where the next number may stand
    for (std::size_t i = 0; i < d.x.ticks.size(); ++i) {
        const std::string label = svg_text(d.x.labels[i]);
        const double x = d.at_x(d.x.ticks[i]), half = text_box(label, 0, 0, font_size).right / 2;
        svg += fmt::format("<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' class='grid'/>", x, top, top + height);
        if (x - half > free_x) {
            svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>", x, top + height + 20, label);
            free_x = x + half;
        }
        svg += "\n";
    }
    for (std::size_t i = 0; i < d.y.ticks.size(); ++i) {
        const double y = d.at_y(d.y.ticks[i]);
        svg += fmt::format("<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' class='grid'/>", y, left, left + width);
        if (y < free_y) {
            svg += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>", left - 8, y + 4,
                               svg_text(d.y.labels[i]));
            free_y = y - 1.1 * font_size;
        }
        svg += "\n";
    }
    if (!d.y.logarithmic && d.y.first < 0)
        svg += fmt::format("<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' stroke='#444'/>\n", d.at_y(0), left,
                           left + width);
    svg += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#888'/>\n", left, top, width,
                       height);
    svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", left + width / 2, top + height + 42,
                       svg_text(short_name(chart.x.title, longest_axis)));
    svg += fmt::format("<text transform='translate(22,{}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       top + height / 2, svg_text(short_name(chart.y.title, longest_upright)));
    return svg + fmt::format("<text x='{}' y='26' class='title'>{}</text>\n", left,
                             svg_text(short_name(chart.title, longest_title)));
}

const char *colour_of(const SvgChart &chart, std::size_t series) {
    const char *own = chart.series[series].colour;
    return own != nullptr ? own : colours[series % colours.size()];
}

std::string mark_of(std::size_t series, const char *colour, double x, double y) {
    switch (series % 3) {
    case 0:
        return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4.5' fill='{}'/>", x, y, colour);
    case 1:
        return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='8' height='8' fill='{}'/>", x - 4, y - 4, colour);
    default:
        return fmt::format("<path d='M{:.1f} {:.1f}l5 9h-10z' fill='{}'/>", x, y - 5.5, colour);
    }
}

std::string series_of(const SvgChart &chart, const Drawing &d, std::size_t number) {
    const ChartSeries &series = chart.series[number];
    std::string line, marks;
    for (const ChartPoint &p : series.points) {
        if (!is_drawn(chart, p)) continue;
        const double x = d.at_x(p.x), y = d.at_y(p.y);
        line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x, y);
        if (series.marks) marks += mark_of(number, colour_of(chart, number), x, y);
    }
    std::string svg;
    if (series.line)
        svg = fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='2'{}/>\n", line,
                          colour_of(chart, number), series.dashed ? " stroke-dasharray='6 4'" : "");
    return svg + marks + "\n";
}

// The names of points, where no other lies; one for which there is no room is left out.
std::string labels_of(const SvgChart &chart, const Drawing &d) {
    constexpr double mark = 5, font_size = 11;
    SvgLabels labels({left, top, left + width, top + height});
    const auto box_of = [&](const ChartPoint &p) {
        const double x = d.at_x(p.x), y = d.at_y(p.y);
        return SvgBox{x - mark, y - mark, x + mark, y + mark};
    };
    std::vector<const ChartPoint *> named;
    for (const ChartSeries &series : chart.series) {
        for (const ChartPoint &p : series.points) {
            if (p.label.empty() || !is_drawn(chart, p)) continue;
            named.push_back(&p);
            labels.add_mark(box_of(p));
        }
    }
    std::string svg;
    for (const ChartPoint *p : named) {
        const std::string name = short_name(p->label, 40);
        const auto place = labels.place(box_of(*p), name, font_size);
        if (!place) continue;
        if (place->far) svg += leader_of(box_of(*p), *place);
        svg +=
            fmt::format("<text x='{:.1f}' y='{:.1f}' class='label'>{}</text>\n", place->x, place->y, svg_text(name));
    }
    return svg;
}

std::string legend_of(const SvgChart &chart) {
    std::string svg;
    double y = top + 12;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const ChartSeries &series = chart.series[s];
        if (series.name.empty()) continue;
        const double x = left + width + 28;
        if (series.line) {
            svg += fmt::format("<line x1='{}' y1='{}' x2='{}' y2='{}' stroke='{}' stroke-width='2'{}/>", x - 10, y,
                               x + 10, y, colour_of(chart, s), series.dashed ? " stroke-dasharray='6 4'" : "");
        }
        if (series.marks) svg += mark_of(s, colour_of(chart, s), x, y);
        svg += fmt::format("<text x='{}' y='{}'>{}</text>\n", x + 16, y + 4, svg_text(short_name(series.name, 36)));
        y += between_names;
    }
    return svg;
}

// The height of the whole picture: the drawing with its axis, or more if the legend is longer.
double height_of(const SvgChart &chart) {
    const auto names = std::count_if(chart.series.begin(), chart.series.end(),
                                     [](const ChartSeries &series) { return !series.name.empty(); });
    return std::max(top + height + 60, top + between_names * static_cast<double>(names) + 12);
}

} // namespace

std::vector<ChartPoint> thinned(const std::vector<ChartPoint> &points, std::size_t most) {
    if (points.size() <= most) return points;
    const std::size_t stretch = (2 * points.size() + most - 1) / most;
    std::vector<ChartPoint> kept;
    for (std::size_t i = 0; i < points.size(); i += stretch) {
        const auto begin = points.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = points.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, points.size()));
        auto [least, largest] =
            std::minmax_element(begin, end, [](const ChartPoint &a, const ChartPoint &b) { return a.y < b.y; });
        if (largest < least) std::swap(least, largest);
        kept.push_back(*least);
        if (largest != least) kept.push_back(*largest);
    }
    return kept;
}

std::string svg_text(const std::string &text) {
    std::string out;
    for (const char c : safe_name(text)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string svg_of(const SvgChart &chart) {
    const Drawing d{scale_of(chart, chart.x, &ChartPoint::x), scale_of(chart, chart.y, &ChartPoint::y)};
    std::string svg = fmt::format("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
                                  "height='{1}' font-family='sans-serif' font-size='13'>\n"
                                  "<style>.grid{{stroke:#ddd}}.title{{font-size:16px}}.label{{font-size:11px}}"
                                  "</style><rect width='100%' height='100%' fill='#fff'/>\n",
                                  left + width + legend_width, height_of(chart));
    svg += axes_of(chart, d);
    for (std::size_t s = 0; s < chart.series.size(); ++s)
        svg += series_of(chart, d, s);
    return svg + labels_of(chart, d) + legend_of(chart) + "</svg>\n";
}

} // namespace cpl_lb
