// A page that opens offline: what the changes bring, the cycles of both replays above each other, and what each
// single change would bring, as bars.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/predict/what_if.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

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
        const std::string words = svg_text(words_of(c));
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
        if (panel.rows.size() < most_bars) panel.rows.push_back({words_of(c), {std::abs(value)}});
    }
    BarChart chart{"What each change would bring, by itself", "per cent of the time of the run", {}, "", {}};
    for (BarPanel *panel : {&saves, &costs})
        if (!panel->rows.empty()) chart.panels.push_back(std::move(*panel));
    return chart.panels.empty() ? "" : in_a_scroller(svg_of_bars(chart), "Single changes as bars");
}

} // namespace

std::string what_if_page(const CoupledPart &part, const MeasuredGraph &measured,
                         const std::vector<SingleChange> &single, const ChangedRun *changed, std::size_t of_change) {
    std::string page = page_begin("cpl-lb predict", "What if", what_if_styles);
    if (changed != nullptr) {
        for (const std::string &option : changed->changes)
            page += "<p><code>" + svg_text(option) + "</code></p>\n";
        page += paragraphs_of(what_if_text(*changed), true) + "<h2>Before and after</h2>\n";
        const auto both = replayed_cycles(changed->measured, changed->changed, changed->answer.factors, of_change);
        page += both ? timelines(part.run, measured, *both)
                     : "<p>n/a: " +
                           svg_text(measured.why_no_cycle.empty() ? "the loop has too few cycles for these changes"
                                                                  : measured.why_no_cycle) +
                           "</p>\n";
    }
    page += "<h2>Each change by itself</h2>\n" + bars_of(single) + table_of(single);
    return page + page_end();
}

} // namespace cpl_lb
