// cpl-lb compare as a page that opens offline: the verdict, bars of both states, and their steps above each other.
#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "support/fmt.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/plain_page.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr const char *styles = R"(table { border-collapse: collapse; margin: 1rem 0; }
td, th { padding: .25rem .6rem; text-align: right; white-space: nowrap; } td:last-child, th:last-child { white-space: normal;
  text-align: left; min-width: 9rem; }
@media print { td, th { white-space: normal; } } th { border-bottom: 1px solid #999; }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
.shown { font-weight: 600; } .verdict { font-size: 1.25rem; font-weight: 600; }
.key { display: inline-block; width: 1em; height: .8em; margin: 0 .4em 0 1em; }
)";
constexpr const char *computing_colour = "#0072b2", *waiting_colour = "#d55e00";

constexpr std::size_t most_points = 1200;

std::vector<ChartPoint> points_of(const StepValues &values, std::int64_t steps_in_value) {
    std::vector<ChartPoint> points(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        points[i] = {static_cast<double>(i) * static_cast<double>(steps_in_value) + 1, values[i]};
    return thinned(points, most_points);
}

double largest(const StepSeries &series) {
    double most = 0;
    for (const StepValues *values : {&series.computing, &series.waiting})
        for (const double v : *values)
            most = std::max(most, v);
    return most;
}

std::string chart(const ComparedComponent &c, const StepSeries &series, const std::string &when, double most_s,
                  double most_steps) {
    SvgChart chart;
    chart.title = c.name + ", " + when;
    chart.x = {"coupling step", false, {}, most_steps};
    chart.y = {"seconds", false, {}, most_s};
    chart.series.push_back({"computing", points_of(series.computing, series.steps_in_value), true, false, false});
    chart.series.push_back(
        {c.is_io_server ? "idle" : "waiting", points_of(series.waiting, series.steps_in_value), true, false, false});
    if (c.is_io_server) chart.series.back().colour = idle_colour;
    return in_a_scroller(svg_of(chart), "Steps " + when);
}

std::string charts(const ComparedComponent &c) {
    if (c.before.front().length.empty() || c.after.front().length.empty()) return "";
    const auto steps = [](const StepSeries &s) {
        return static_cast<double>(s.length.size()) * static_cast<double>(s.steps_in_value);
    };
    const double most_s = std::max(largest(c.before.front()), largest(c.after.front()));
    const double most_steps = std::max(steps(c.before.front()), steps(c.after.front()));
    return chart(c, c.before.front(), "before", most_s, most_steps) +
           chart(c, c.after.front(), "after", most_s, most_steps);
}

// One bar: computing, then waiting, over the same scale for all.
std::string bar(double y, const std::string &when, double computing_s, double waiting_s, double scale,
                bool is_io_server) {
    constexpr double left = 236, height = 16;
    if (!is_known(computing_s) || !is_known(waiting_s)) return "";
    const double sum_s = computing_s + waiting_s;
    const int decimals = sum_s > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(sum_s))), 0, 9) : 0;
    return fmt::format("<text x='{}' y='{:.0f}' text-anchor='end'>{}</text>"
                       "<rect x='{}' y='{:.0f}' width='{:.1f}' height='{}' fill='{}'/>"
                       "<rect x='{:.1f}' y='{:.0f}' width='{:.1f}' height='{}' fill='{}'/>"
                       "<text x='{:.1f}' y='{:.0f}'>{:.{}f} + {:.{}f} s</text>\n",
                       left - 8, y + 13, when, left, y, scale * computing_s, height, computing_colour,
                       left + scale * computing_s, y, scale * waiting_s, height,
                       is_io_server ? idle_colour : waiting_colour, left + scale * sum_s + 8, y + 13, computing_s,
                       decimals, waiting_s, decimals);
}

std::string bars(const Comparison &comparison) {
    std::string svg;
    double y = 6;
    for (const ComparedComponent &c : comparison.components) {
        double most = 0; // each has coupling steps of its own
        for (const double sum : {c.computing.before + c.waiting.before, c.computing.after + c.waiting.after})
            if (is_known(sum)) most = std::max(most, sum);
        if (!(most > 0)) continue;
        svg += fmt::format("<text x='8' y='{:.0f}' font-weight='600'>{}</text>", y + 22,
                           svg_text(short_name(c.name, 18)));
        svg += bar(y, "before", c.computing.before, c.waiting.before, 540 / most, c.is_io_server);
        svg += bar(y + 19, "after", c.computing.after, c.waiting.after, 540 / most, c.is_io_server);
        y += 52;
    }
    if (svg.empty()) return "";
    const bool any_idle = std::any_of(comparison.components.begin(), comparison.components.end(),
                                      [](const ComparedComponent &c) { return c.is_io_server; });
    const auto key = [](const char *colour, const char *words) {
        return fmt::format("<span class=key style='background:{}'></span>{}", colour, words);
    };
    return fmt::format(
        "<p>{}{}{}: mean seconds for each {}</p>\n"
        "<div class=wide tabindex=0 role=region aria-label=\"Both states\">"
        "<svg viewBox='0 0 960 {:.0f}' width='960' font-size='13' font-family='sans-serif'>{}</svg></div>\n",
        key(computing_colour, "computing"), key(waiting_colour, "waiting"),
        any_idle ? key(idle_colour, "idle: an I/O server") : "",
        comparison.of_model_days ? "day of the model" : "coupling step", y, svg);
}

std::string row(const std::string &name, const std::string &figure, const Difference &d) {
    const bool shown = d.larger() || d.smaller();
    return fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       shown ? " class=shown" : "", svg_text(name), figure, number_text(d.before),
                       number_text(d.after), change_text(d),
                       d.has_interval() ? (shown ? "yes" : "no") : svg_text("n/a: " + d.why_no_interval));
}

std::string table(const Comparison &c) {
    std::string rows;
    for (const ComparedComponent &one : c.components) {
        rows += row(one.name, "computing, s", one.computing);
        rows += row(one.name, one.is_io_server ? "idle, s" : "waiting, s", one.waiting);
        rows += row(one.name, "length, s", one.length);
    }
    rows += row("(run)", "SYPD", c.sypd) + row("(run)", "CHSY", c.chsy);
    return in_a_scroller(
        "<table><tr><th>Component</th><th>Figure</th><th>Before</th><th>After</th><th>Change %, 95 % interval</th>"
        "<th>Shown</th></tr>\n" +
            rows + "</table>\n",
        "Differences");
}

} // namespace

std::string comparison_as_page(const Comparison &comparison) {
    std::string page = page_begin("cpl-lb compare", styles);
    page += "<h1>Before and after</h1>\n";
    bool first = true;
    for (const std::string &sentence : comparison_in_words(comparison)) {
        page += fmt::format("<p{}>{}</p>\n", first ? " class=verdict" : "", svg_text(sentence));
        first = false;
    }
    page += "<h2>Each coupling step</h2>\n" + bars(comparison) + table(comparison) + "<h2>Step by step</h2>\n";
    if (comparison.runs_before + comparison.runs_after > 2) page += "<p>The first run of each.</p>\n";
    for (const ComparedComponent &c : comparison.components)
        page += charts(c);
    return page + "</body></html>\n";
}

} // namespace cpl_lb
