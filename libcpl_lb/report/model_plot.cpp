// Draws models as squares over resolution and speed.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

bool is_drawn(const ModelRow &row) {
    return row.resolution > 0 && row.sypd > 0 && std::isfinite(row.resolution) && std::isfinite(row.sypd);
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
