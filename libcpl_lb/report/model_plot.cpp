// Draws models as squares over resolution and speed.
#include "report/model_plot.hpp"

#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "report/svg_labels.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

// Decades that hold all the points.
struct Axis {
    int first = 0, last = 1;

    [[nodiscard]] double share(double value) const {
        return (std::log10(value) - first) / static_cast<double>(last - first);
    }
};

bool is_drawn(const ModelRow &row) {
    return row.resolution > 0 && row.sypd > 0 && std::isfinite(row.resolution) && std::isfinite(row.sypd);
}

Axis axis_of(const std::vector<ModelRow> &rows, double ModelRow::*value) {
    double least = unknown, most = unknown;
    for (const ModelRow &row : rows) {
        if (!is_drawn(row)) continue;
        least = is_known(least) ? std::min(least, row.*value) : row.*value;
        most = is_known(most) ? std::max(most, row.*value) : row.*value;
    }
    if (!is_known(least)) return {};
    Axis axis{static_cast<int>(std::floor(std::log10(least))), static_cast<int>(std::ceil(std::log10(most)))};
    if (axis.last == axis.first) ++axis.last;
    return axis;
}

constexpr double drawing_left = 70, drawing_top = 20, drawing_width = 640,
                 drawing_height = 420; // of the drawing, in SVG units

std::string grid_of(const Axis &x, const Axis &y) {
    std::string svg;
    for (int decade = x.first; decade <= x.last; ++decade) {
        const double at = drawing_left + drawing_width * (decade - x.first) / (x.last - x.first);
        svg += fmt::format("<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' class='grid'/>"
                           "<text x='{0:.1f}' y='{3}' text-anchor='middle'>1e{4}</text>\n",
                           at, drawing_top, drawing_top + drawing_height, drawing_top + drawing_height + 20, decade);
    }
    for (int decade = y.first; decade <= y.last; ++decade) {
        const double at = drawing_top + drawing_height * (y.last - decade) / (y.last - y.first);
        svg += fmt::format("<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' class='grid'/>"
                           "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:g}</text>\n",
                           at, drawing_left, drawing_left + drawing_width, drawing_left - 6, at + 4,
                           std::pow(10.0, decade));
    }
    return svg;
}

double square_side(const ModelRow &row) {
    constexpr double side_unknown = 8;
    return row.complexity > 0 ? 2 * std::sqrt(std::min(row.complexity, 400.0)) : side_unknown;
}

SvgBox square_at(double x, double y, double side) {
    return {x - side / 2, y - side / 2, x + side / 2, y + side / 2};
}

// The area of a square is the complexity; one that is not known is drawn as a small circle.
std::string mark_of(const ModelRow &row, double x, double y, bool is_run) {
    const std::string look = fmt::format("class='{}{}'", is_run ? "run" : "row", row.mode == 'S' ? " hollow" : "");
    const std::string title =
        fmt::format("<title>{}: {:.3g} points, {} {}, {:.3g} SYPD</title>", svg_text(model_name(row)), row.resolution,
                    number_text(row.complexity), word_for(row.complexity, "variable"), row.sypd);
    if (!(row.complexity > 0))
        return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' {}>{}</circle>\n", x, y, look, title);
    const double side = square_side(row);
    return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}>{}</rect>\n", x - side / 2,
                       y - side / 2, side, side, look, title);
}

// What the looks of the marks mean: those that are in the picture.
std::string legend_of(const std::vector<ModelRow> &rows, std::size_t nameless) {
    constexpr double left = drawing_left + drawing_width + 30, line = 24, text_left = left + 30;
    double y = drawing_top + 14;
    std::string svg;
    const auto entry = [&](const std::string &mark, const std::string &words) {
        svg += fmt::format("{}<text x='{}' y='{:.1f}'>{}</text>\n", mark, text_left, y + 4, svg_text(words));
        y += line;
    };
    const auto square = [&](double complexity, char mode, bool is_run) {
        ModelRow row;
        row.complexity = complexity;
        row.mode = mode;
        const double side = square_side(row);
        return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' class='{}{}'/>",
                           left - side / 2, y - side / 2, side, side, is_run ? "run" : "row",
                           mode == 'S' ? " hollow" : "");
    };
    const auto any = [&](auto &&of) { return std::any_of(rows.begin(), rows.end(), of); };
    constexpr double few = 20, many = 100;
    if (is_drawn(rows.back())) entry(square(many / 2, rows.back().mode, true), "this run");
    if (any([](const ModelRow &r) { return is_drawn(r) && r.mode == 'S'; }))
        entry(square(many / 2, 'S', false), "run for speed (S)");
    if (any([](const ModelRow &r) { return is_drawn(r) && r.mode == 'T'; }))
        entry(square(many / 2, 'T', false), "for throughput (T)");
    if (any([](const ModelRow &r) { return is_drawn(r) && r.mode == ' '; }))
        entry(square(many / 2, ' ', false), "mode not said");
    entry(square(few, ' ', false), "20 variables");
    entry(square(many, ' ', false), "100 variables");
    if (any([](const ModelRow &r) { return is_drawn(r) && !(r.complexity > 0); }))
        entry(fmt::format("<circle cx='{}' cy='{:.1f}' r='4' class='row'/>", left, y), "number not known");
    if (nameless > 0) entry("", counted(nameless, "name") + ": no room");
    return svg;
}

} // namespace

std::string model_name(const ModelRow &row) {
    return row.model + (row.mode == ' ' ? "" : std::string(" ") + row.mode);
}

std::string model_plot_svg(const std::vector<ModelRow> &rows) {
    const Axis x = axis_of(rows, &ModelRow::resolution), y = axis_of(rows, &ModelRow::sypd);
    constexpr double legend_width = 210;
    std::string svg = fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' font-size='12'>\n"
        "<style>.grid{{stroke:#ddd}} .row{{fill:#8aa;stroke:#355;fill-opacity:.6}} .run{{fill:#d33;stroke:#811}} "
        ".hollow{{fill:none;stroke-width:2}}</style>\n<rect width='100%' height='100%' fill='white'/>\n",
        drawing_left + drawing_width + legend_width, drawing_top + drawing_height + 50);
    svg += grid_of(x, y);
    svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>resolution (grid points)</text>\n",
                       drawing_left + drawing_width / 2, drawing_top + drawing_height + 40);
    svg += fmt::format("<text x='16' y='{0}' text-anchor='middle' transform='rotate(-90 16 {0})'>speed (simulated "
                       "years per day)</text>\n",
                       drawing_top + drawing_height / 2);
    SvgLabels labels({drawing_left, drawing_top, drawing_left + drawing_width, drawing_top + drawing_height});
    const auto place_of = [&](const ModelRow &row) {
        return square_at(drawing_left + drawing_width * x.share(row.resolution),
                         drawing_top + drawing_height * (1 - y.share(row.sypd)), square_side(row));
    };
    for (const ModelRow &row : rows) {
        if (!is_drawn(row)) continue;
        const SvgBox mark = place_of(row);
        svg += mark_of(row, (mark.left + mark.right) / 2, (mark.top + mark.bottom) / 2, &row == &rows.back());
        labels.add_mark(mark);
    }
    std::size_t nameless = 0;
    for (std::size_t i = rows.size(); i-- > 0;) { // the run first: its name stands where it belongs
        if (!is_drawn(rows[i])) continue;
        const bool is_run = i + 1 == rows.size();
        const std::string name = short_name(model_name(rows[i]), 40);
        const SvgBox mark = place_of(rows[i]);
        const auto place = labels.place(mark, name, is_run ? 13 : 10); // bold letters are wider
        if (!place) {
            ++nameless;
            continue;
        }
        if (place->far) svg += leader_of(mark, *place);
        svg += fmt::format("<text x='{:.1f}' y='{:.1f}'{}>{}</text>\n", place->x, place->y,
                           is_run ? " font-weight='bold'" : " font-size='10'", svg_text(name));
    }
    return svg + legend_of(rows, nameless) + "</svg>\n";
}

std::string model_plot_text(const std::vector<ModelRow> &rows) {
    constexpr std::size_t columns = 64, lines = 20;
    const Axis x = axis_of(rows, &ModelRow::resolution), y = axis_of(rows, &ModelRow::sypd);
    std::array<std::string, lines> field;
    field.fill(std::string(columns, ' '));
    std::string legend;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const char letter = i + 1 == rows.size() ? '*' : static_cast<char>('a' + i % 26);
        legend += fmt::format("  {} {}{}\n", letter, short_name(model_name(rows[i]), 60),
                              is_drawn(rows[i]) ? "" : " (not drawn: resolution or speed is n/a)");
        if (!is_drawn(rows[i])) continue;
        const auto column = static_cast<std::size_t>(std::lround((columns - 1) * x.share(rows[i].resolution)));
        const auto line = static_cast<std::size_t>(std::lround((lines - 1) * (1 - y.share(rows[i].sypd))));
        char &place = field[line][column];
        place = place == ' ' || letter == '*' ? letter : '+'; // several
    }
    std::string text = "SYPD\n";
    for (std::size_t line = 0; line < lines; ++line) {
        const double decade = y.last - static_cast<double>(line) * (y.last - y.first) / (lines - 1.0);
        const bool labelled = line == 0 || line + 1 == lines;
        text += fmt::format("{:>8} |{}\n", labelled ? fmt::format("{:g}", std::pow(10.0, decade)) : "", field[line]);
    }
    text += fmt::format("         +{}\n          1e{:<58}1e{}\n{:>44}\n", std::string(columns, '-'), x.first, x.last,
                        "resolution (grid points)");
    return text + legend + "  + several at one place\n";
}

std::string model_table(const std::vector<ModelRow> &rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t i) { return is_known(rows[i].resolution) ? rows[i].resolution : 0; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    TextTable table;
    table.left(11);
    table.row(
        {"", "Resolution", "Cmplx", "SYPD", "CHSY", "Coupling %", "I/O %", "DI", "MBloat", "ASYPD", "", "Platform"});
    const auto g = [](double v) { return is_known(v) ? fmt::format("{:.3g}", v) : std::string("n/a"); };
    for (const std::size_t i : order) {
        const ModelRow &r = rows[i];
        table.row({(i + 1 == rows.size() ? "* " : "  ") + short_name(model_name(r), 24), g(r.resolution),
                   g(r.complexity), g(r.sypd), g(r.chsy), g(100 * r.coupling_cost), g(100 * r.data_output_cost),
                   g(r.data_intensity), g(r.memory_bloat), g(r.asypd), "", short_name(r.platform, 16)});
    }
    return table.text();
}

} // namespace cpl_lb
