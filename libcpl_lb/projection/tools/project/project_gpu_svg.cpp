// Pictures of GPU kernels: figures 3 and 10 to 12 of ESCAPE D3.5.
#include "projection/models/projection_error.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/plot.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// In the order of their first appearance.
std::vector<std::string> each_once(const std::vector<GpuProjection> &all, std::string GpuProjection::*what) {
    std::vector<std::string> found;
    for (const GpuProjection &p : all)
        if (std::find(found.begin(), found.end(), p.*what) == found.end()) found.push_back(p.*what);
    return found;
}

bool any_measured(const std::vector<GpuProjection> &all) {
    return std::any_of(all.begin(), all.end(), [](const GpuProjection &p) {
        return std::any_of(p.measured_s.begin(), p.measured_s.end(), is_known);
    });
}

// The cards' own names, in the order of `called`.
std::vector<std::string> names_of_cards(const std::vector<GpuProjection> &all,
                                        const std::vector<std::string> &called) {
    std::vector<std::string> names;
    names.reserve(called.size());
    for (const std::string &card : called)
        names.push_back(
            std::find_if(all.begin(), all.end(), [&](const GpuProjection &p) { return p.called == card; })->machine);
    return names;
}

// One panel for each domain, one row for each kernel, one bar for each card.
std::string times_svg(const std::vector<GpuProjection> &all) {
    const std::vector<std::string> cards = each_once(all, &GpuProjection::called);
    BarChart chart{"Time of each kernel, all its launches [s]",
                   "Each domain has a scale of its own.",
                   names_of_cards(all, cards),
                   any_measured(all) ? "measured (in brackets)" : "",
                   {}};
    for (const std::string &domain : each_once(all, &GpuProjection::domain)) {
        BarPanel panel{domain + " cells", {}};
        for (const GpuKernel &kernel : all.front().kernels)
            panel.rows.push_back({kernel.name, std::vector<double>(cards.size(), unknown),
                                  std::vector<double>(cards.size(), unknown)});
        for (const GpuProjection &p : all) {
            if (p.domain != domain) continue;
            const auto card =
                static_cast<std::size_t>(std::find(cards.begin(), cards.end(), p.called) - cards.begin());
            for (std::size_t k = 0; k < p.kernels.size(); ++k) {
                panel.rows[k].values[card] = p.times[k].total_s();
                panel.rows[k].marks[card] = p.measured_s[k];
            }
        }
        chart.panels.push_back(std::move(panel));
    }
    return svg_of_bars(chart);
}

// One panel for each card. All parts grow alike with the cells, so one domain stands for all.
std::string parts_svg(const std::vector<GpuProjection> &all) {
    BarChart chart{
        "Where each kernel's time goes",
        "Per cent of the kernel's time in the model, whatever the domain.",
        {"inactive", "integer", "single precision", "double precision", "transfer", "miscellaneous", "control flow"},
        "",
        {},
        true};
    for (const GpuProjection &p : all) {
        if (p.domain != all.front().domain) continue;
        BarPanel panel{p.machine, {}};
        for (std::size_t k = 0; k < p.kernels.size(); ++k) {
            const GpuTime &t = p.times[k];
            panel.rows.push_back(
                {p.kernels[k].name,
                 {t.inactive_s, t.integer_s, t.single_s, t.double_s, t.transfer_s, t.miscellaneous_s, t.control_s}});
        }
        chart.panels.push_back(std::move(panel));
    }
    return svg_of_bars(chart);
}

// One line for each card over the domains whose whole run was measured.
std::string differences_svg(const std::vector<GpuProjection> &all) {
    SvgChart chart{"Time of the whole run: model against measured (below 0 the model is too fast)",
                   {"cells of the domain", true},
                   {"difference [%]"},
                   {}};
    bool any = false;
    for (const std::string &card : each_once(all, &GpuProjection::called)) {
        ChartSeries series{"", {}};
        for (const GpuProjection &p : all) {
            if (p.called == card) series.name = p.machine;
            if (p.called != card || !is_known(p.measured_all_s)) continue;
            series.points.push_back({p.cells, 100 * (p.all().total_s() / p.measured_all_s - 1)});
            any = true;
        }
        std::sort(series.points.begin(), series.points.end(),
                  [](const ChartPoint &a, const ChartPoint &b) { return a.x < b.x; });
        chart.series.push_back(std::move(series));
    }
    if (!any)
        throw ProjectionError("--show differences needs --measured with rows of the kernel \"all\" on these domains");
    return svg_of(chart);
}

} // namespace

GpuPicture picture_of(const std::string &word) {
    if (word == "parts") return GpuPicture::parts;
    return word == "differences" ? GpuPicture::differences : GpuPicture::times;
}

std::string gpu_as_svg(const std::vector<GpuProjection> &projections, GpuPicture picture) {
    switch (picture) {
    case GpuPicture::parts:
        return parts_svg(projections);
    case GpuPicture::differences:
        return differences_svg(projections);
    default:
        return times_svg(projections);
    }
}

} // namespace cpl_lb
