// Tells what changes bring: in words, for programs, and as a page.
#include "tools/predict/predict_output.hpp"

#include "analysis/cpmip.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/verdict_parts.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/shell_words.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace cpl_lb {
namespace {

constexpr double seconds_of_hour = 3600;
constexpr double shown_from = 0.0005; // of the time: less is nothing

// A change in json, in words, and how to ask for it alone: words for a shell.
struct ToldChange {
    std::string name, words, option;
};
ToldChange told(const SingleChange &c) {
    const std::string component = safe_name(c.component), field = safe_name(c.field);
    const std::string part = c.component + (c.region.empty() ? "" : ":" + c.region);
    const std::array<ToldChange, 8> in_order = {{
        {"faster", "10 % off " + component + (c.region.empty() ? "" : ": " + safe_name(c.region)),
         shell_option("--faster", part + "=1.1111")},
        {"twice", component + " twice as fast", shell_option("--faster", part + "=2")},
        {"lag", fmt::format("{} with a lag of {}", field, c.lag),
         shell_option("--lag", fmt::format("{}={}", c.field, c.lag))},
        {"every", field + " half as often", shell_option("--every", c.field + "=2")},
        {"no_output", "no output", "--output-every 0"},
        {"best_split", "the best split of the same cores", ""},
        {"balanced", "no imbalance in " + component, shell_option("--balanced", c.component)},
        {"transfer", "transfers that take half", "--transfer 0.5"},
    }};
    return in_order.at(static_cast<std::size_t>(c.kind));
}

// It changes the loop's time by less than is told.
bool is_worth_nothing(const SingleChange &change) {
    return std::abs(change.gain) < shown_from;
}

// The change of the loop's time in per cent: "-11.8" is faster.
std::string gain_text(const SingleChange &change) {
    return is_worth_nothing(change) ? "0.0" : change_text(-100 * change.gain, 1);
}

// One job that simulates a year: start-up and shut-down take the time they took. NaN: not known.
struct Year {
    double measured_s = unknown, changed_s = unknown;
    double measured_core_hours = unknown, changed_core_hours = unknown;
};
Year year_of(const ChangedRun &run) {
    const LongRun measured = long_run_of(run.counts.part.run);
    const double beside_loop_s = measured.startup_s + measured.shutdown_s,
                 cores = component_cores(run.counts.part.run);
    const auto more_cores = static_cast<double>(
        std::accumulate(run.counts.processes.begin(), run.counts.processes.end(), std::int64_t{0}) -
        std::accumulate(run.measured.processes.begin(), run.measured.processes.end(), std::int64_t{0}));
    Year year;
    year.measured_s = measured.year_s;
    year.changed_s = beside_loop_s + (measured.year_s - beside_loop_s) * run.answer.ratio;
    year.measured_core_hours = cores * year.measured_s / seconds_of_hour;
    year.changed_core_hours = (cores + more_cores) * year.changed_s / seconds_of_hour;
    return year;
}

// Who decides how long the loop takes.
struct Slow {
    std::vector<std::size_t> who; // one; several that are about equally slow; empty: none clearly
    std::vector<double> shares;   // of the critical path, by component
};

std::vector<double> shares_of(const CriticalPath &path) {
    const double all = std::accumulate(path.seconds.begin(), path.seconds.end(), 0.0);
    std::vector<double> shares;
    for (const double seconds : path.seconds)
        shares.push_back(all > 0 ? seconds / all : 0);
    return shares;
}

// The components, the largest share first.
std::vector<std::size_t> by_share(const std::vector<double> &shares) {
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return shares[c]; });
    return order;
}

// As the verdict of a run finds it (report/slow_side_words.cpp), from the path of a graph.
Slow slow_of(const CoupledRun &run, const MeasuredGraph &graph, std::vector<double> shares,
             const std::vector<double> &factors) {
    constexpr double clearly = 0.05;
    const std::vector<std::size_t> order = by_share(shares);
    Slow slow{equally_slow(run, graph, shares, order[0], factors), std::move(shares)};
    if (slow.who.empty() && slow.shares[order[0]] - slow.shares[order[1]] > clearly) slow.who = {order[0]};
    return slow;
}

// The path that was followed in the run, as in the summary, where it is known.
Slow slow_as_measured(const CoupledRun &run, const MeasuredGraph &graph, const CriticalPath &path) {
    std::vector<double> shares;
    for (const Component &component : run.components)
        shares.push_back(component.balance.critical_share);
    const bool known = std::ranges::all_of(shares, is_known);
    return slow_of(run, graph, known ? std::move(shares) : shares_of(path),
                   std::vector<double>(graph.graph->components(), 1.0));
}

// Without changes, and without a replay that has the path already.
Slow slow_now(const CoupledRun &run, const MeasuredGraph &measured) {
    const std::vector<double> ones(measured.graph->components(), 1.0);
    return slow_as_measured(run, measured, measured.graph->critical_path(measured.graph->schedule(ones), ones));
}

std::string words_of(const CoupledRun &run, const Slow &slow) {
    const auto name = [&](std::size_t c) { return safe_name(run.components[c].name); };
    const auto share = [&](std::size_t c) { return share_in_words(slow.shares[c]); };
    if (slow.who.size() == 1)
        return say(Sentence::part_slow_one, {{"name", name(slow.who[0])}, {"share", share(slow.who[0])}});
    std::vector<std::string> names;
    for (const std::size_t c : slow.who)
        names.push_back(name(c));
    if (!names.empty()) return say(Sentence::part_slow_equally, {{"names", listed(names)}});
    const std::vector<std::size_t> order = by_share(slow.shares);
    return say(Sentence::part_slow_none, {{"one", name(order[0])},
                                          {"share", share(order[0])},
                                          {"other", name(order[1])},
                                          {"second", share(order[1])}});
}

JsonTree json_of(const CoupledRun &run, const Slow &slow) {
    JsonTree names = JsonTree::array();
    for (const std::size_t c : slow.who)
        names.push_back(run.components[c].name);
    return names;
}

// Half of the interval, as a share of the time; NaN: not known.
double uncertainty_of(const ChangedRun &run) {
    const double cycles = run.answer.ratio_error / run.answer.ratio;
    if (!run.counts.other_counts) return cycles;
    return std::hypot(cycles,
                      run.counts.range.uncertainty_s(run.counts.now.predicted_s) / run.counts.now.predicted_s);
}

std::string range_of(const ChangedRun &run) {
    const double uncertain = uncertainty_of(run);
    if (is_known(uncertain)) {
        const Sentence what = run.counts.other_counts ? Sentence::part_range : Sentence::part_what_if_range;
        return say(what, {{"least", number_text((1 - uncertain) * run.answer.predicted_s)},
                          {"most", number_text((1 + uncertain) * run.answer.predicted_s)}});
    }
    return say(is_known(run.answer.ratio_error) ? Sentence::part_no_range : Sentence::part_what_if_no_range);
}

std::string year_text(const ChangedRun &run) {
    const Year year = year_of(run);
    if (!is_known(year.changed_s)) return say(Sentence::what_if_no_year) + "\n";
    return say(Sentence::what_if_year, {{"changed", duration_in_words(year.changed_s)},
                                        {"measured", duration_in_words(year.measured_s)},
                                        {"core_hours", number_text(year.changed_core_hours)},
                                        {"measured_core_hours", number_text(year.measured_core_hours)}}) +
           "\n";
}

// Components in turn, and those that no longer are.
std::string other_cores_text(const ChangedRun &run) {
    const std::vector<std::string> &names = run.changed.graph->names();
    std::string text;
    std::set<std::string> told;
    for (const std::vector<std::string> &group : run.changed.in_turn) {
        std::vector<std::string> safe;
        std::int64_t cores = 0;
        for (std::size_t c = 0; c < names.size(); ++c)
            if (std::ranges::find(group, names[c]) != group.end()) cores = run.changed.other_cores[c];
        for (const std::string &name : group) {
            safe.push_back(safe_name(name));
            told.insert(name);
        }
        text += say(Sentence::what_if_in_turn, {{"names", listed(safe)}, {"cores", count_text(cores)}}) + "\n";
    }
    std::vector<std::string> split;
    for (std::size_t c = 0; c < run.changed.other_cores.size(); ++c)
        if (run.changed.other_cores[c] != run.measured.processes[c] && !told.contains(names[c]))
            split.push_back(fmt::format("{}={}", safe_name(names[c]), run.changed.other_cores[c]));
    if (!split.empty()) text += say(Sentence::what_if_side_by_side, {{"split", listed(split)}}) + "\n";
    return text;
}

} // namespace

std::string what_if_text(const ChangedRun &run) {
    const CoupledRun &part = run.counts.part.run;
    std::string text = answer_basis(run.measured.graph->names(), run.counts.curves, run.counts.processes).text +
                       say(Sentence::what_if, {{"predicted", number_text(run.answer.predicted_s)},
                                               {"measured", number_text(run.answer.measured_s)},
                                               {"times", decimal_text(1 / run.answer.ratio, 3)},
                                               {"range", range_of(run)}}) +
                       "\n" + other_cores_text(run) + year_text(run);
    const Slow before = slow_as_measured(part, run.measured, run.answer.measured_path);
    const Slow after = slow_of(part, run.changed, shares_of(run.answer.path), run.answer.factors);
    text += say(Sentence::what_if_slow, {{"then", words_of(part, after)}, {"now", words_of(part, before)}}) + "\n";
    return text + left_out_in_words(run.counts.part.io_servers) + remarks_in_words(run.counts.remarks);
}

JsonTree what_if_json(const ChangedRun &run) {
    const WhatIf &answer = run.answer;
    const CoupledRun &part = run.counts.part.run;
    const Year year = year_of(run);
    const Slow before = slow_as_measured(part, run.measured, answer.measured_path);
    const Slow after = slow_of(part, run.changed, shares_of(answer.path), answer.factors);
    JsonTree json = {{"changes", run.changes},
                     {"measured_s", answer.measured_s},
                     {"predicted_s", answer.predicted_s},
                     {"ratio", answer.ratio},
                     {"ratio_error", uncertainty_of(run) * answer.ratio},
                     {"year_s", year.changed_s},
                     {"measured_year_s", year.measured_s},
                     {"year_core_hours", year.changed_core_hours},
                     {"measured_year_core_hours", year.measured_core_hours},
                     {"slow_side", json_of(part, after)},
                     {"measured_slow_side", json_of(part, before)},
                     {"in_turn", run.changed.in_turn},
                     {"components", JsonTree::array()},
                     {"left_out", run.counts.part.io_servers},
                     {"remarks", run.counts.remarks}};
    const CouplingGraph &graph = *run.measured.graph;
    // Seconds of the whole common loop.
    for (std::size_t c = 0; c < graph.components(); ++c) {
        const double computing = graph.computing_s()[c];
        const double changed = run.changed.graph->computing_s()[c] * answer.factors[c];
        const auto has_turns = [&](const auto &names) {
            return std::ranges::find(names, graph.names()[c]) != names.end();
        };
        const bool in_turn = std::ranges::any_of(run.changed.in_turn, has_turns);
        json["components"].push_back(
            {{"name", graph.names()[c]},
             {"cores", run.counts.processes[c]},
             {"measured_cores", run.measured.processes[c]},
             {"computes_on_cores",
              run.changed.other_cores.empty() ? run.counts.processes[c] : run.changed.other_cores[c]},
             {"computing_s", changed},
             {"measured_computing_s", computing},
             {"waiting_s", in_turn ? unknown : rest_of(answer.predicted_s, changed, run.measured, c)},
             {"measured_waiting_s", run.measured.waiting_s[c]},
             {"critical_share", after.shares[c]},
             {"measured_critical_share", before.shares[c]}});
    }
    return json;
}

std::string single_changes_text(const PredictOutput &run, const std::vector<SingleChange> &changes) {
    std::string text =
        say(Sentence::what_if_each, {{"measured", number_text(run.measured.measured_s())},
                                     {"now", words_of(run.part.run, slow_now(run.part.run, run.measured))}}) +
        "\n\n";
    TextTable table({1});
    table.row({"change", "time of the loop [%]", "uncertain by [%]"});
    std::string not_told;
    bool any_certain = false;
    for (const SingleChange &c : changes) {
        if (!is_known(c.gain)) {
            not_told += fmt::format("{}: n/a, {}\n", told(c).words, c.why_not);
            continue;
        }
        any_certain = any_certain || is_known(c.gain_error);
        table.row(
            {told(c).words, gain_text(c), is_known(c.gain_error) ? decimal_text(100 * c.gain_error, 1) : "n/a"});
    }
    text += table.text() + not_told;
    if (!any_certain) text += say(Sentence::what_if_not_certain) + "\n";
    return text + left_out_in_words(run.part.io_servers) + remarks_in_words(run.remarks);
}

JsonTree single_changes_json(const PredictOutput &run, const std::vector<SingleChange> &changes) {
    JsonTree json = {{"measured_s", run.measured.measured_s()},
                     {"measured_slow_side", json_of(run.part.run, slow_now(run.part.run, run.measured))},
                     {"changes", JsonTree::array()},
                     {"left_out", run.part.io_servers},
                     {"remarks", run.remarks}};
    for (const SingleChange &c : changes) {
        const auto [name, words, option] = told(c);
        json["changes"].push_back({{"change", name},
                                   {"words", words},
                                   {"option", JsonTree::text(option)},
                                   {"component", JsonTree::text(c.component)},
                                   {"region", JsonTree::text(c.region)},
                                   {"field", JsonTree::text(c.field)},
                                   {"lag", c.kind == SingleChange::Kind::lag ? JsonTree(c.lag) : JsonTree(nullptr)},
                                   {"gain", c.gain},
                                   {"gain_error", c.gain_error},
                                   {"why_not", JsonTree::text(c.why_not)}});
    }
    return json;
}

namespace {

// A page that opens offline: what the changes bring, the cycles of both replays above each other, and what each
// single change would bring, as bars.

constexpr const char *what_if_styles =
    "td, th { text-align: left; } td:last-child, th:last-child { text-align: right; } code { font-size: .95em; }\n";
constexpr std::size_t most_rows = 14, most_bars = 30;
constexpr const char *computing_colour = "#5f7fae", *waiting_colour = "#f0d9b5";

struct DrawnComponent {
    std::size_t component = 0;
    bool is_io_server = false;
};

// The coupled ones first, the largest of each kind first, as they stand in the run.
std::vector<DrawnComponent> rows_of(const CoupledRun &run, const MeasuredGraph &measured) {
    std::vector<DrawnComponent> rows;
    for (std::size_t c = 0; c < measured.graph->components(); ++c)
        rows.push_back({c, run.components[c].balance.is_io_server});
    std::ranges::stable_sort(
        rows, [](const DrawnComponent &a, const DrawnComponent &b) { return a.is_io_server < b.is_io_server; });
    if (rows.size() > most_rows) rows.resize(most_rows);
    return rows;
}

enum Series : std::size_t { computing, waiting, idle };

// Computing, and between two pieces of it waiting: nothing is empty.
TimelineRow row_of(const std::string &name, const ReplayedCycles &cycles, const DrawnComponent &row) {
    TimelineRow drawn{name, {}};
    const std::size_t otherwise = row.is_io_server ? idle : waiting;
    double at = 0;
    for (const ComputingTime &piece : cycles.computing[row.component]) {
        if (piece.from_s > at) drawn.pieces.push_back({at, piece.from_s, otherwise});
        drawn.pieces.push_back({piece.from_s, piece.to_s, computing});
        at = piece.to_s;
    }
    if (cycles.begin_s.back() > at) drawn.pieces.push_back({at, cycles.begin_s.back(), otherwise});
    return drawn;
}

std::string timelines(const CoupledRun &run, const MeasuredGraph &measured, const BothCycles &both) {
    const std::vector<DrawnComponent> rows = rows_of(run, measured);
    const std::size_t shown = both.measured.begin_s.size() - 1;
    TimelineChart chart{shown == 1 ? fmt::format("Cycle {}", both.first_cycle)
                                   : fmt::format("Cycles {} to {}", both.first_cycle, both.first_cycle + shown - 1),
                        "seconds",
                        {"computing", "waiting"},
                        {computing_colour, waiting_colour},
                        "a cycle begins or ends",
                        {}};
    if (std::ranges::any_of(rows, [](const DrawnComponent &row) { return row.is_io_server; })) {
        chart.series.emplace_back("idle: an I/O server");
        chart.colours.push_back(idle_colour);
    }
    for (const bool changed : {false, true}) {
        const ReplayedCycles &cycles = changed ? both.changed : both.measured;
        std::string title =
            (changed ? "with the changes: " : "unchanged: ") + number_text(cycles.begin_s.back()) + " s";
        if (!changed) title += fmt::format(" ({} s as recorded)", number_text(both.recorded_s));
        TimelinePanel panel{std::move(title), {}, cycles.begin_s};
        for (const DrawnComponent &row : rows)
            panel.rows.push_back(row_of(measured.graph->names()[row.component], cycles, row));
        chart.panels.push_back(std::move(panel));
    }
    std::string text = in_a_scroller(svg_of_timelines(chart), "The cycles before and after");
    if (const std::size_t all = measured.graph->components(); all > rows.size())
        text += fmt::format("<p>{} more stand in the table of cpl-lb summary.</p>\n",
                            counted(all - rows.size(), "component"));
    return text + "<p>Both are replayed by the model of cpl-lb predict: the computing as it was recorded, and who "
                  "waits for whom; "
                  "data take no time.</p>\n";
}

std::string table_of(const std::vector<SingleChange> &changes) {
    std::string rows, not_told;
    for (const SingleChange &c : changes) {
        const std::string words = svg_text(told(c).words);
        if (is_known(c.gain))
            rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", words, gain_text(c));
        else
            not_told += fmt::format("<p>{}: n/a, {}</p>\n", words, svg_text(c.why_not));
    }
    return in_a_scroller("<table><tr><th>Change</th><th>Time of the run, %</th></tr>\n" + rows + "</table>\n",
                         "Single changes") +
           not_told;
}

std::string bars_of(const std::vector<SingleChange> &changes) {
    constexpr double in_per_cent = 100;
    BarPanel saves{"saves", {}}, costs{"costs", {}};
    for (const SingleChange &c : changes) {
        if (!is_known(c.gain)) continue;
        const double value = is_worth_nothing(c) ? 0 : in_per_cent * c.gain;
        BarPanel &panel = value < 0 ? costs : saves;
        if (panel.rows.size() < most_bars) panel.rows.push_back({told(c).words, {std::abs(value)}});
    }
    BarChart chart{"What each change would bring, by itself", "per cent of the time of the run", {}, "", {}};
    for (BarPanel *panel : {&saves, &costs})
        if (!panel->rows.empty()) chart.panels.push_back(std::move(*panel));
    return chart.panels.empty() ? "" : in_a_scroller(svg_of_bars(chart), "Single changes as bars");
}

} // namespace

std::string what_if_page(const PredictOutput &run, const std::vector<SingleChange> &single, const ChangedRun *changed,
                         std::size_t of_change) {
    std::string page = page_begin("cpl-lb predict", "What if", what_if_styles);
    if (changed != nullptr) {
        for (const std::string &option : changed->changes)
            page += "<p><code>" + svg_text(option) + "</code></p>\n";
        page += paragraphs_of(what_if_text(*changed), true) + "<h2>Before and after</h2>\n";
        const auto both = replayed_cycles(changed->measured, changed->changed, changed->answer.factors, of_change);
        page += both
                    ? timelines(run.part.run, run.measured, *both)
                    : "<p>n/a: " +
                          svg_text(run.measured.why_no_cycle.empty() ? "the loop has too few cycles for these changes"
                                                                     : run.measured.why_no_cycle) +
                          "</p>\n";
    }
    page += "<h2>Each change by itself</h2>\n" + bars_of(single) + table_of(single);
    return page + page_end();
}

} // namespace cpl_lb
