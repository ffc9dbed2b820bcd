// The files of cpl-lb compare: JUnit's XML, json, and a page that opens offline with the verdict, bars of both
// states, and their steps above each other.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/compare/compare_output.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr const char *styles =
    R"(td:nth-child(-n+2), th:nth-child(-n+2), td:last-child, th:last-child { text-align: left; }
td { white-space: nowrap; } td:first-child, td:last-child { white-space: normal; overflow-wrap: anywhere; } td:last-child { min-width: 9rem; }
th { max-width: 14rem; overflow-wrap: anywhere; } th:first-child, td:first-child { min-width: 7rem; } .shown { font-weight: 600; } .bars h3 { overflow-wrap: anywhere; }
.bars .row { display: grid; grid-template-columns: minmax(6rem, 16rem) 1fr 13rem; gap: 0 .6rem; align-items: center; margin: .25rem 0; break-inside: avoid; }
.bars .row > span { overflow-wrap: anywhere; font-size: .9rem; }
.track { display: flex; height: 1.25rem; border-left: 1px solid var(--ink); } .track i { height: 100%; border: 0 solid var(--line); }
.track .computing, .key .computing { background: var(--computing); } .track .waiting, .key .waiting { background: var(--receive); }
.track .idle, .key .idle { background: var(--idle-bar); }
@media (max-width: 40rem) { .bars .row { grid-template-columns: 1fr; gap: .1rem; margin: .5rem 0; } }
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

// "before: run12", or "before" if that is the name of the run.
std::string state_of(const std::vector<ComparedRun> &runs, bool after, bool first_only = false) {
    std::string state = after ? "after" : "before";
    if (runs.empty()) return state;
    const std::string name =
        runs.size() == 1 || first_only ? safe_name(runs.front().name) : counted(runs.size(), "run");
    if (name != state) state += ": " + name;
    return state;
}

std::string capitalised(std::string words) {
    words.front() = words.front() == 'a' ? 'A' : 'B'; // after, before
    return words;
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
    chart.series.front().colour = "var(--computing-line)"; // as in the page of a run
    chart.series.back().colour = c.is_io_server ? idle_colour : "var(--receive)";
    return in_a_scroller(svg_of(chart), "Steps of one state");
}

std::string charts(const ComparedComponent &c, const ComparedStates &states) {
    if (c.before.front().length.empty() || c.after.front().length.empty()) return "";
    const auto steps = [](const StepSeries &s) {
        return static_cast<double>(s.length.size()) * static_cast<double>(s.steps_in_value);
    };
    const double most_s = std::max(largest(c.before.front()), largest(c.after.front()));
    const double most_steps = std::max(steps(c.before.front()), steps(c.after.front()));
    return chart(c, c.before.front(), state_of(states.before, false, true), most_s, most_steps) +
           chart(c, c.after.front(), state_of(states.after, true, true), most_s, most_steps);
}

// The length of the bar is the share of the seconds in the longest of both states, so it begins at 0 in any window.
std::string bar(const std::string &name, double computing_s, double waiting_s, bool is_io_server, double longest_s) {
    const double sum_s = computing_s + waiting_s;
    const int decimals = sum_s > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(sum_s))), 0, 9) : 0;
    const char *waiting = is_io_server ? "idle" : "waiting";
    const auto part = [&](const char *what, double seconds) {
        return fmt::format(R"(<i class={0} style="width:{1:.2f}%" title="{0} {2:.{3}f} s"></i>)", what,
                           100 * std::max(seconds, 0.0) / longest_s, seconds, decimals);
    };
    return fmt::format(
        "<div class=row><span>{}</span><span class=track>{}{}</span><span>{:.{}f} + {:.{}f} s</span></div>\n",
        svg_text(name), part("computing", computing_s), part(waiting, waiting_s), computing_s, decimals, waiting_s,
        decimals);
}

std::string bars_of(const ComparedComponent &c, const ComparedStates &states) {
    const double before_s = c.computing.before + c.waiting.before, after_s = c.computing.after + c.waiting.after;
    const double longest_s = std::fmax(before_s, after_s); // or the one that is known
    if (!(longest_s > 0)) return "";
    std::string html = "<h3>" + svg_text(c.name) + "</h3>\n";
    if (is_known(before_s))
        html += bar(state_of(states.before, false), c.computing.before, c.waiting.before, c.is_io_server, longest_s);
    if (is_known(after_s))
        html += bar(state_of(states.after, true), c.computing.after, c.waiting.after, c.is_io_server, longest_s);
    return html;
}

std::string bars(const Comparison &comparison, const ComparedStates &states) {
    std::string html;
    bool servers = false;
    for (const ComparedComponent &c : comparison.components) {
        const std::string both = bars_of(c, states);
        servers = servers || (c.is_io_server && !both.empty());
        html += both;
    }
    if (html.empty()) return "";
    const auto key = [](const char *colour, const char *words) {
        return fmt::format("<span class=key><i class={}></i>{}</span>", colour, words);
    };
    return "<p>" + key("computing", "computing") + key("waiting", "waiting") +
           (servers ? key("idle", "idle: an I/O server") : "") +
           "Mean seconds. Each component has a scale of its own, from 0.</p>\n<div class=bars>\n" + html + "</div>\n";
}

bool is_shown(const Difference &d) {
    return d.larger() || d.smaller();
}

RowOfCells row(const std::string &name, const std::string &figure, const Difference &d, bool is_time) {
    const auto cell = [is_time](double value) { return is_time ? Cell(InSeconds{value}) : Cell(number_text(value)); };
    return {svg_text(name), figure,
            cell(d.before), cell(d.after),
            change_text(d), d.has_interval() ? (is_shown(d) ? "yes" : "no") : svg_text("n/a: " + d.why_no_interval)};
}

std::string table(const Comparison &c, const ComparedStates &states) {
    TextTable table;
    std::vector<bool> shown = {false};
    table.row({"Component", "Time [{s}]", svg_text(capitalised(state_of(states.before, false))),
               svg_text(capitalised(state_of(states.after, true))), "Change %, 95 % interval", "Shown"});
    const auto add = [&](const std::string &name, const char *figure, const Difference &d, bool is_time) {
        table.row(row(name, figure, d, is_time));
        shown.push_back(is_shown(d));
    };
    for (const ComparedComponent &one : c.components) {
        add(one.name, "computing", one.computing, true);
        add(one.name, one.is_io_server ? "idle" : "waiting", one.waiting, true);
        add(one.name, "length", one.length, true);
    }
    add("(run)", "SYPD", c.sypd, false);
    add("(run)", "CHSY", c.chsy, false);
    std::vector<std::vector<std::string>> rows = table.cells();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (!shown[r]) continue;
        for (std::string &cell : rows[r])
            cell = "<span class=shown>" + cell + "</span>";
    }
    return in_a_scroller(html_table(rows), "Differences");
}

// The runs of a state, with links to their pages if they have any.
std::string runs_of(const std::vector<ComparedRun> &runs, const char *state) {
    std::string html;
    for (const ComparedRun &run : runs) {
        html += (html.empty() ? "" : ", ") + linked(run.name, run.address);
        if (!run.about.empty()) html += " (" + svg_text(run.about) + ")";
    }
    return fmt::format("<p>{}: {}</p>\n", state, html.empty() ? "n/a" : html);
}

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
    return {{"processes", s.processes}, {"nodes", s.nodes}, {"random", s.random}};
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

// In the order of CompareVerdict; not known is null.
std::string verdict_text(CompareVerdict verdict) {
    constexpr std::array words = {"slower", "faster", "no difference shown", ""};
    return words.at(static_cast<std::size_t>(verdict));
}

} // namespace

std::string comparison_as_page(const Comparison &comparison, const ComparedStates &states) {
    std::string page = page_begin("cpl-lb compare", "Before and after", styles);
    page += runs_of(states.before, "Before") + runs_of(states.after, "After");
    bool first = true;
    for (const std::string &sentence : comparison_in_words(comparison)) {
        page += fmt::format("<p{}>{}</p>\n", first ? " class=verdict" : "", svg_text(sentence));
        first = false;
    }
    page += fmt::format("<h2>Each {}</h2>\n", comparison.of_model_days ? "day of the model" : "coupling step") +
            bars(comparison, states) + table(comparison, states);
    if (comparison.from_timers) return page + page_end();
    page += "<h2>Step by step</h2>\n";
    if (comparison.runs_before + comparison.runs_after > 2) page += "<p>The first run of each.</p>\n";
    for (const ComparedComponent &c : comparison.components)
        page += charts(c, states);
    return page + page_end();
}

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
