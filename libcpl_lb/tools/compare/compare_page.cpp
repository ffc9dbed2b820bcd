// The files of cpl-lb compare: JUnit's XML, json, and a page that opens offline with the verdict, bars of both
// states, and their steps above each other.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/fmt.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/written_files.hpp"

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
)";
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

BarRow bar(const std::string &when, double computing_s, double waiting_s, bool is_io_server) {
    const double sum_s = computing_s + waiting_s;
    const int decimals = sum_s > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(sum_s))), 0, 9) : 0;
    return {when,
            {computing_s, is_io_server ? unknown : waiting_s, is_io_server ? waiting_s : unknown},
            {},
            fmt::format("{:.{}f} + {:.{}f} s", computing_s, decimals, waiting_s, decimals)};
}

std::string bars(const Comparison &comparison) {
    BarChart chart{
        fmt::format("Mean seconds for each {}", comparison.of_model_days ? "day of the model" : "coupling step"),
        "Each component has a scale of its own.",
        {"computing", "waiting"},
        "",
        {},
        true,
        {nullptr, nullptr, idle_colour}};
    for (const ComparedComponent &c : comparison.components) {
        BarPanel panel{short_name(c.name, 60), {}};
        bool any = false;
        for (const bool after : {false, true}) {
            const double computing_s = after ? c.computing.after : c.computing.before,
                         waiting_s = after ? c.waiting.after : c.waiting.before;
            if (!is_known(computing_s + waiting_s)) continue;
            panel.rows.push_back(bar(after ? "after" : "before", computing_s, waiting_s, c.is_io_server));
            any = any || computing_s + waiting_s > 0;
        }
        if (!any) continue;
        if (c.is_io_server && chart.series.size() == 2) chart.series.emplace_back("idle: an I/O server");
        chart.panels.push_back(std::move(panel));
    }
    return chart.panels.empty() ? "" : in_a_scroller(svg_of_bars(chart), "Both states");
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
    page += fmt::format("<h2>Each {}</h2>\n", comparison.of_model_days ? "day of the model" : "coupling step") +
            bars(comparison) + table(comparison);
    if (comparison.from_timers) return page + "</body></html>\n";
    page += "<h2>Step by step</h2>\n";
    if (comparison.runs_before + comparison.runs_after > 2) page += "<p>The first run of each.</p>\n";
    for (const ComparedComponent &c : comparison.components)
        page += charts(c);
    return page + "</body></html>\n";
}

namespace {

using Json = JsonTree;

Json json_of(const Difference &d) {
    return {{"before", d.before}, {"after", d.after}, {"change", d.change},
            {"low", d.low},       {"high", d.high},   {"why_no_interval", Json::text(d.why_no_interval)}};
}

Json json_of(const Efficiency &e) {
    return {{"total", e.total},
            {"coupling", e.coupling},
            {"inside", e.inside},
            {"load_balance", e.load_balance},
            {"communication", e.communication}};
}

Json json_of(const ImbalanceShares &s) {
    return {{"processes", s.processes},
            {"nodes", s.nodes},
            {"moving", s.moving},
            {"steps", s.steps},
            {"random", s.random}};
}

Json json_of(const InsideMessages &m) {
    return {{"messages", m.messages.mean},
            {"bytes", m.bytes.mean},
            {"late_process", m.late < 0 ? Json() : Json(m.late)},
            {"late_share", m.late_share.mean}};
}

Json json_of(const ComparedComponent &c) {
    return {{"name", c.name},
            {"is_io_server", c.is_io_server},
            {"cores", {{"before", c.cores_before}, {"after", c.cores_after}}},
            {"length_s", json_of(c.length)},
            {"computing_s", json_of(c.computing)},
            {"waiting_s", json_of(c.waiting)},
            {"waits_more_for", Json::text(c.waits_more_for)},
            {"efficiency", {{"before", json_of(c.efficiency_before)}, {"after", json_of(c.efficiency_after)}}},
            {"imbalance", {{"before", json_of(c.imbalance_before)}, {"after", json_of(c.imbalance_after)}}},
            {"inside", {{"before", json_of(c.inside_before)}, {"after", json_of(c.inside_after)}}}};
}

std::string verdict_text(CompareVerdict verdict) {
    switch (verdict) {
    case CompareVerdict::slower:
        return "slower";
    case CompareVerdict::faster:
        return "faster";
    case CompareVerdict::no_difference_shown:
        return "no difference shown";
    case CompareVerdict::not_known:
        break;
    }
    return "";
}

} // namespace

std::string comparison_as_json(const Comparison &c) {
    Json json;
    json["schema"] = "cpl_lb_compare/1";
    json["runs"] = {{"before", c.runs_before}, {"after", c.runs_after}};
    json["verdict"] = Json::text(verdict_text(verdict_of(c)));
    json["words"] = comparison_in_words(c);
    json["seconds_of"] = c.of_model_days ? "day of the model" : "coupling step";
    json["run"] = {
        {"steps_of", Json::text(c.steps_of)},
        {"length_s", json_of(c.length)},
        {"sypd", json_of(c.sypd)},
        {"chsy", json_of(c.chsy)},
        {"efficiency", {{"before", json_of(c.efficiency_before)}, {"after", json_of(c.efficiency_after)}}}};
    json["components"] = Json::array();
    for (const ComparedComponent &component : c.components)
        json["components"].push_back(json_of(component));
    json["gone"] = c.gone;
    json["added"] = c.added;
    json["notes"] = notes_of(c);
    return json.dump(2) + "\n";
}

std::string comparison_as_junit(const Comparison &c, double per_cent) {
    const std::vector<std::string> words = comparison_in_words(c);
    JunitCase only;
    only.name = fmt::format("the run is not slower by more than {:g} %", per_cent);
    if (slower_by_more(c, per_cent)) only.failure = words.front();
    if (verdict_of(c) == CompareVerdict::not_known) only.skipped = words.front();
    for (const std::string &sentence : words)
        only.output += (only.output.empty() ? "" : " ") + sentence;
    return junit_of("cpl-lb compare", {only});
}

} // namespace cpl_lb
