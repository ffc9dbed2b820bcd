// A history as a page that opens offline: what changed, and the figures over time.
#include "io/settings/settings_time.hpp"
#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"
#include "tools/plain_page.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace cpl_lb {
namespace {

constexpr std::size_t most_runs_drawn = 1200;
constexpr double day_s = 86'400;

// Places of the runs on the axis: days since the first start, or their numbers where a start is not known.
struct TimeAxis {
    std::string title;
    std::vector<double> x;
};

TimeAxis axis_of(const std::vector<RunRecord> &runs) {
    TimeAxis axis{"run", {}};
    const double first = runs.empty() ? unknown : unix_seconds_or_unknown(runs.front().started);
    bool all = is_known(first);
    for (const RunRecord &run : runs) {
        axis.x.push_back((unix_seconds_or_unknown(run.started) - first) / day_s);
        all = all && is_known(axis.x.back());
    }
    if (all) {
        axis.title = "days since " + safe_name(runs.front().started);
    } else {
        for (std::size_t i = 0; i < axis.x.size(); ++i)
            axis.x[i] = static_cast<double>(i + 1);
    }
    return axis;
}

struct Line {
    std::string name;
    std::function<double(const RunRecord &)> value;
};

std::string chart(const HistoryView &view, const TimeAxis &axis, const std::string &title, const std::string &unit,
                  const std::vector<Line> &lines, const std::vector<std::string> &changes) {
    SvgChart chart;
    chart.title = title;
    chart.x.title = axis.title;
    chart.y.title = unit;
    double most = 0;
    bool any = false;
    for (const Line &line : lines) {
        ChartSeries series{line.name, {}, true, view.runs.size() <= 60, false};
        for (std::size_t i = 0; i < view.runs.size(); ++i) {
            const double value = line.value(view.runs[i]);
            if (!is_known(value)) continue;
            series.points.push_back({axis.x[i], value});
            most = std::max(most, value);
            any = true;
        }
        series.points = thinned(series.points, most_runs_drawn);
        chart.series.push_back(std::move(series));
    }
    if (!any) return "";
    ChartSeries marks{"change", {}, true, false, true}; // one line up and down, and along the axis
    for (const HistoryChange &change : view.changes) {
        if (std::find(changes.begin(), changes.end(), change.figure) == changes.end()) continue;
        const double x = axis.x[change.run];
        marks.points.insert(marks.points.end(), {{x, 0}, {x, most}, {x, 0}});
    }
    if (!marks.points.empty()) chart.series.push_back(std::move(marks));
    return in_a_scroller(svg_of(chart), title);
}

// Shares of a coupling step, by component.
std::vector<Line> waiting_lines(const HistoryView &view) {
    constexpr std::size_t most_lines = 6;
    std::set<std::string> names;
    for (const RunRecord &run : view.runs)
        for (const ComponentRecord &c : run.components)
            if (!c.is_io_server && is_known(c.waiting_s)) names.insert(c.name);
    std::vector<Line> lines;
    for (const std::string &name : names) {
        if (lines.size() == most_lines) break;
        lines.push_back({safe_name(name), [name](const RunRecord &run) {
                             const auto c =
                                 std::find_if(run.components.begin(), run.components.end(),
                                              [&](const ComponentRecord &one) { return one.name == name; });
                             return c == run.components.end() ? unknown : 100 * c->waiting_s / c->step_s;
                         }});
    }
    return lines;
}

} // namespace

std::string history_as_page(const HistoryView &view) {
    std::string page = page_begin("cpl-lb history", "") + "<h1>Runs over time</h1>\n";
    page += fmt::format("<p>{} runs.</p>\n<h2>What changed</h2>\n", view.runs.size());
    if (view.changes.empty()) page += "<p>No change is shown. A change is told with the third run after it.</p>\n";
    for (const HistoryChange &change : view.changes)
        page += "<p>" + svg_text(in_words(view, change)) + "</p>\n";
    for (const std::string &note : view.notes)
        page += "<p>Note: " + svg_text(note) + "</p>\n";
    const TimeAxis axis = axis_of(view.runs);
    page += chart(view, axis, "Speed", "simulated years in a day",
                  {{"SYPD", [](const RunRecord &r) { return r.sypd; }},
                   {"ASYPD (with the queue)", [](const RunRecord &r) { return r.asypd; }}},
                  {"SYPD"});
    page += chart(view, axis, "Cost", "core hours for a simulated year",
                  {{"CHSY", [](const RunRecord &r) { return r.chsy; }}}, {"CHSY"});
    page += chart(view, axis, "Waiting", "% of a coupling step", waiting_lines(view), {"waiting %"});
    page += chart(view, axis, "Energy", "kWh of the run",
                  {{"energy", [](const RunRecord &r) { return r.energy_J / J_per_kWh; }}}, {});
    page += chart(view, axis, "Queue", "hours",
                  {{"from submission to start", [](const RunRecord &r) { return queue_h(r); }},
                   {"from the end of the job before",
                    [&](const RunRecord &r) {
                        const auto i = static_cast<std::size_t>(&r - view.runs.data());
                        return i == 0 ? unknown : pause_h(view.runs[i - 1], r);
                    }}},
                  {});
    return page + "</body></html>\n";
}

} // namespace cpl_lb
