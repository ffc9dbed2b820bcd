// Draws models as squares over resolution and speed.

#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

// Decades that contain all points.
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

// The area of a model's square is its complexity.
double side_of(double complexity) {
    return 2 * std::sqrt(std::min(complexity, 400.0));
}

ChartPoint point_of(const ModelRow &row) {
    return {row.resolution, row.sypd, model_name(row),
            fmt::format("{}: {:.3g} points, {} {}, {:.3g} SYPD", model_name(row), row.resolution,
                        number_text(row.complexity), word_for(row.complexity, "variable"), row.sypd),
            row.complexity > 0 ? side_of(row.complexity) : 0};
}

} // namespace

std::string model_name(const ModelRow &row) {
    return row.model + (row.mode == ' ' ? "" : std::string(" ") + row.mode);
}

std::string model_plot_svg(const std::vector<ModelRow> &rows) {
    constexpr const char *colour = "#447777";
    constexpr double usual = 14, unknown_size = 8;
    const auto look = [](const char *name, ChartShape shape, double size, bool hollow) {
        return ChartSeries{name, {}, false, true, false, colour, shape, size, hollow};
    };
    ChartSeries speed = look("run for speed (S)", ChartShape::square, usual, true),
                throughput = look("for throughput (T)", ChartShape::square, usual, false),
                not_said = look("mode not said", ChartShape::square, usual, false),
                nothing_known = look("number not known", ChartShape::circle, unknown_size, false),
                run = look("this run", ChartShape::square, usual, rows.back().mode == 'S');
    run.colour = "#cc2222";
    run.bold = true;
    for (const ModelRow &row : rows) {
        if (!is_drawn(row)) continue;
        if (&row == &rows.back()) {
            if (!(row.complexity > 0)) run.shape = ChartShape::circle;
            run.points.push_back(point_of(row));
        } else if (!(row.complexity > 0)) {
            nothing_known.points.push_back(point_of(row));
        } else {
            (row.mode == 'S' ? speed : row.mode == 'T' ? throughput : not_said).points.push_back(point_of(row));
        }
    }
    SvgChart chart{"Speed and resolution of models",
                   {"resolution (grid points)", true},
                   {"speed (simulated years per day)", true},
                   {},
                   640,
                   420};
    for (const ChartSeries &one : {speed, throughput, not_said, nothing_known, run})
        if (!one.points.empty()) chart.series.push_back(one);
    for (const auto &[name, complexity] : {std::pair{"20 variables", 20.0}, {"100 variables", 100.0}})
        chart.series.push_back(look(name, ChartShape::square, side_of(complexity), false));
    return svg_of(chart);
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
    std::ranges::stable_sort(order, {}, place);
    TextTable table = titled(
        {"", "Resolution", "Cmplx", "SYPD", "CHSY", "Coupling %", "I/O %", "DI", "MBloat", "ASYPD", "", "Platform"},
        {11});
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
