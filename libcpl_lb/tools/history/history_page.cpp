// A history as a page that opens offline: what changed, and the figures over time.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/history/history_output.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <set>

namespace cpl_lb {
namespace {

constexpr std::size_t most_runs_drawn = 1200;
constexpr double history_day_s = 86'400;
constexpr const char *history_styles =
    R"(table { border-collapse: collapse; } td, th { padding: .2em .7em; text-align: right; font-variant-numeric: tabular-nums; }
td:nth-child(-n+2), th:nth-child(-n+2), td:last-child, th:last-child { text-align: left; }
th { border-bottom: 1px solid #999; } #all-runs td { white-space: nowrap; } #runs-hint { font-size: .9rem; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort] button::after { content: " \25BE"; } th[aria-sort=ascending] button::after { content: " \25B4"; }
@media print { #runs-hint { display: none; } #all-runs { font-size: .8rem; } #all-runs td { white-space: normal; } }
)";

// Places of the runs on the axis: their starts, or their numbers where a start is not known.
struct TimeAxis {
    ChartAxis axis{"run"};
    std::vector<double> x;
};

// At the begin of months, so many that at most seven are named.
void name_months(TimeAxis &places, double first_s, double last_s) {
    using namespace std::chrono;
    const auto month_of = [](double unix_s) {
        const year_month_day day(floor<days>(sys_seconds(seconds(static_cast<std::int64_t>(unix_s)))));
        return year_month(day.year(), day.month());
    };
    const auto all = (month_of(last_s) - month_of(first_s)).count();
    std::int64_t step = 1;
    for (const std::int64_t longer : {2, 3, 6, 12, 24, 60, 120, 600})
        if (all / step > 6) step = longer;
    const year_month first = month_of(first_s);
    for (year_month at(first.year(), January); at <= month_of(last_s); at += months(step)) {
        const auto begin_s = static_cast<double>(sys_seconds(sys_days(at / 1)).time_since_epoch().count());
        if (begin_s < first_s) continue;
        places.axis.ticks.push_back((begin_s - first_s) / history_day_s);
        places.axis.tick_labels.push_back(
            fmt::format("{:04d}-{:02d}", static_cast<int>(at.year()), static_cast<unsigned>(at.month())));
    }
}

TimeAxis axis_of(const std::vector<RunRecord> &runs) {
    TimeAxis places;
    std::vector<double> started_s;
    started_s.reserve(runs.size());
    for (const RunRecord &run : runs)
        started_s.push_back(unix_seconds_or_unknown(run.started));
    if (runs.empty() || !std::all_of(started_s.begin(), started_s.end(), is_known)) {
        for (std::size_t i = 0; i < runs.size(); ++i)
            places.x.push_back(static_cast<double>(i + 1));
        return places;
    }
    const double first_s = started_s.front();
    const double last_s = *std::max_element(started_s.begin(), started_s.end());
    struct Unit {
        const char *name;
        double seconds, up_to_s;
    };
    constexpr Unit units[] = {
        {"minutes", 60, 2 * 3600}, {"hours", 3600, 3 * history_day_s}, {"days", history_day_s, 100 * history_day_s}};
    const auto *const unit = std::find_if(std::begin(units), std::end(units),
                                          [&](const Unit &one) { return last_s - first_s <= one.up_to_s; });
    const bool by_months = unit == std::end(units);
    for (const double s : started_s)
        places.x.push_back((s - first_s) / (by_months ? history_day_s : unit->seconds));
    if (by_months) {
        places.axis.title = "month of the start";
        name_months(places, first_s, last_s);
    } else {
        places.axis.title = std::string(unit->name) + " since " + safe_name(runs.front().started);
    }
    return places;
}

struct HistoryLine {
    std::string name;
    std::function<double(const RunRecord &)> value;
};

std::string chart(const HistoryView &view, const TimeAxis &axis, const std::string &title, const std::string &unit,
                  const std::vector<HistoryLine> &lines, const std::vector<std::string> &changes) {
    SvgChart chart;
    chart.title = title;
    chart.x = axis.axis;
    chart.y.title = unit;
    double most = 0;
    bool any = false;
    for (const HistoryLine &line : lines) {
        ChartSeries series{line.name, {}, true, view.runs.size() <= 60, false};
        for (std::size_t i = 0; i < view.runs.size(); ++i) {
            const double value = line.value(view.runs[i]);
            if (!is_known(value)) continue;
            series.points.push_back({axis.x[i], value});
            most = std::max(most, value);
            any = true;
        }
        series.points = thinned(series.points, most_runs_drawn);
        if (!series.points.empty()) chart.series.push_back(std::move(series)); // the legend names what is there
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
std::vector<HistoryLine> component_lines(const HistoryView &view,
                                         const std::function<double(const ComponentRecord &)> &share) {
    constexpr std::size_t most_lines = 6;
    std::set<std::string> names;
    for (const RunRecord &run : view.runs)
        for (const ComponentRecord &c : run.components)
            if (!c.is_io_server && is_known(share(c))) names.insert(c.name);
    std::vector<HistoryLine> lines;
    for (const std::string &name : names) {
        if (lines.size() == most_lines) break;
        lines.push_back({safe_name(name), [name, share](const RunRecord &run) {
                             const auto c =
                                 std::find_if(run.components.begin(), run.components.end(),
                                              [&](const ComponentRecord &one) { return one.name == name; });
                             return c == run.components.end() ? unknown : 100 * share(*c);
                         }});
    }
    return lines;
}

// Of the last runs.
std::string imbalance_table(const HistoryView &view) {
    constexpr std::size_t most_runs = 20;
    auto rows = imbalance_rows(view, view.runs.size() - std::min(most_runs, view.runs.size()));
    if (rows.empty()) return "";
    for (std::vector<std::string> &row : rows)
        for (std::string &cell : row)
            cell = svg_text(cell);
    const std::string title = "Why processes of a component wait for each other, % of its loop";
    return "<h2>" + title + "</h2>\n" + in_a_scroller(html_table(rows), title);
}

} // namespace

std::string history_as_page(const HistoryView &view, const std::string &file) {
    std::string page = page_begin("cpl-lb history", history_styles) + "<h1>Runs over time</h1>\n";
    page += fmt::format("<p>{}.</p>\n", counted(view.runs.size(), "run"));
    if (!view.runs.empty()) page += "<p><a href=\"#all-runs\">All runs in a table</a></p>\n";
    page += "<h2>What changed</h2>\n";
    if (view.changes.empty())
        page += "<p>No change detected yet: at least three runs are needed after a change.</p>\n";
    for (const HistoryChange &change : view.changes)
        page += "<p>" + svg_text(in_words(view, change)) + "</p>\n";
    for (const LateNodes &late : view.late_nodes)
        page += "<p>" + svg_text(in_words(late)) + "</p>\n";
    for (const std::string &note : view.notes)
        page += "<p>Note: " + svg_text(note) + "</p>\n";
    const TimeAxis axis = axis_of(view.runs);
    page += chart(view, axis, "Speed", "simulated years in a day",
                  {{"SYPD", [](const RunRecord &r) { return r.sypd; }},
                   {"ASYPD (with the queue)", [](const RunRecord &r) { return r.asypd; }}},
                  {"SYPD"});
    page += chart(view, axis, "Cost", "core hours for a simulated year",
                  {{"CHSY", [](const RunRecord &r) { return r.chsy; }}}, {"CHSY"});
    page +=
        chart(view, axis, "Waiting", "% of a coupling step",
              component_lines(view, [](const ComponentRecord &c) { return c.waiting_s / c.step_s; }), {"waiting %"});
    page += chart(view, axis, "Processes of a component that wait for each other", "% of a coupling step",
                  component_lines(view, [](const ComponentRecord &c) { return c.imbalance.total_s / c.step_s; }), {});
    page += imbalance_table(view);
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
    return page + table_of_runs(view, file) + "</body></html>\n";
}

} // namespace cpl_lb
