// A history as a page that opens offline: what changed, the figures over time, and all runs as one table, the newest
// first, sorted by a click, with links to the runs' pages.
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
constexpr std::size_t most_marked = 60, most_small_marks = 300;
constexpr const char *history_styles =
    R"(td:nth-child(-n+2), th:nth-child(-n+2), td:last-child, th:last-child { text-align: left; }
#all-runs td { white-space: nowrap; } #all-runs td:is(:nth-child(2), :last-child) { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort] button::after { content: " \25BE"; } th[aria-sort=ascending] button::after { content: " \25B4"; }
.about { margin: -.2rem 0 1.2rem; } .about.jump { color: var(--ink); font-weight: 600; }
@media print { th button { display: inline; } #all-runs td { white-space: normal; } }
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
    const auto *const unit =
        std::ranges::find_if(units, [&](const Unit &one) { return last_s - first_s <= one.up_to_s; });
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

// Where the pages of the runs are, as seen from this one; empty: a run has none, or the picture has no marks.
std::vector<std::string> addresses_of(const HistoryView &view, const std::string &page) {
    std::vector<std::string> addresses(view.runs.size());
    if (view.runs.size() > most_small_marks) return addresses;
    for (std::size_t i = 0; i < view.runs.size(); ++i)
        addresses[i] = address_of_run(view.runs[i].folder, page);
    return addresses;
}

struct HistoryPictures {
    const HistoryView &view;
    TimeAxis axis;
    std::vector<std::string> addresses; // as the runs
};

ChartSeries series_of(const HistoryPictures &all, const HistoryLine &line) {
    const std::vector<RunRecord> &runs = all.view.runs;
    ChartSeries series{line.name, {}, true, runs.size() <= most_small_marks, false};
    if (runs.size() > most_marked) series.size = 5;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const double value = line.value(runs[i]);
        if (!is_known(value)) continue;
        ChartPoint point{all.axis.x[i], value};
        if (series.marks) {
            point.title = fmt::format("{}: {}, {}", run_in_words(runs[i]), line.name, number_text(value));
            point.link = all.addresses[i];
        }
        series.points.push_back(std::move(point));
    }
    return series;
}

// What a reader has to know who sees a step and no mark: below the picture.
std::string about_changes(const HistoryView &view, const std::string &watched) {
    if (watched.empty()) return "<p class=\"soft about\">Changes are not looked for in these figures.</p>\n";
    std::string html;
    for (const HistoryJump &jump : view.jumps)
        if (jump.figure == watched) html += "<p class=\"about jump\">" + svg_text(in_words(view, jump)) + "</p>\n";
    return html;
}

// `watched`: the figure in which changes are looked for, as a line of this picture; empty: in none.
std::string chart(const HistoryPictures &all, const std::string &title, const std::string &unit,
                  const std::vector<HistoryLine> &lines, const std::string &watched) {
    SvgChart chart;
    chart.title = title;
    chart.x = all.axis.axis;
    chart.y.title = unit;
    double most = 0;
    for (const HistoryLine &line : lines) {
        ChartSeries series = series_of(all, line);
        for (const ChartPoint &p : series.points)
            most = std::max(most, p.y);
        series.points = thinned(series.points, most_runs_drawn);
        if (!series.points.empty()) chart.series.push_back(std::move(series)); // the legend names what is there
    }
    if (chart.series.empty()) return "";
    ChartSeries marks{"change", {}, true, false, true}; // one line up and down, and along the axis
    for (const HistoryChange &change : all.view.changes) {
        if (change.figure != watched) continue;
        const double x = all.axis.x[change.run];
        marks.points.insert(marks.points.end(), {{x, 0}, {x, most}, {x, 0}});
    }
    if (!marks.points.empty()) chart.series.push_back(std::move(marks));
    return in_a_scroller(svg_of(chart), title) + about_changes(all.view, watched);
}

// Shares of a coupling step, by component.
std::vector<HistoryLine> component_lines(const HistoryView &view, const FigureOfComponent &share) {
    constexpr std::size_t most_lines = 6;
    std::set<std::string> names;
    for (const RunRecord &run : view.runs)
        for (const ComponentRecord &c : run.components)
            if (!c.is_io_server && is_known(share(c))) names.insert(c.name);
    std::vector<HistoryLine> lines;
    for (const std::string &name : names) {
        if (lines.size() == most_lines) break;
        lines.push_back({safe_name(name), [name, share](const RunRecord &run) {
                             return 100 * figure_of_component(run, name, share);
                         }});
    }
    return lines;
}

// The table has the last runs.
std::string imbalance_table(const HistoryView &view) {
    constexpr std::size_t most_runs = 20;
    auto rows = imbalance_rows(view, view.runs.size() - std::min(most_runs, view.runs.size()), true);
    if (rows.empty()) return "";
    for (std::vector<std::string> &row : rows)
        for (std::string &cell : row)
            cell = svg_text(cell);
    const std::string title = "Why processes of a component wait for each other, % of its loop";
    return "<h2>" + title + "</h2>\n" + in_a_scroller(html_table(rows), title);
}

std::string pictures_of(const HistoryPictures &all) {
    const HistoryView &view = all.view;
    std::string page = "<h2>Over time</h2>\n";
    if (view.runs.size() <= most_small_marks)
        page += "<p class=soft>Point at a mark to see its run. A click opens the run's page, where it has one.</p>\n";
    page += chart(all, "Speed", "simulated years in a day",
                  {{"SYPD", [](const RunRecord &r) { return r.sypd; }},
                   {"ASYPD (with the queue)", [](const RunRecord &r) { return r.asypd; }}},
                  "SYPD");
    page += chart(all, "Cost", "core hours for a simulated year",
                  {{"CHSY", [](const RunRecord &r) { return r.chsy; }}}, "CHSY");
    std::vector<HistoryLine> waits =
        component_lines(view, [](const ComponentRecord &c) { return c.waiting_s / c.step_s; });
    waits.insert(waits.begin(), {"all, of the core time", [](const RunRecord &r) { return 100 * r.waiting_share; }});
    page += chart(all, "Waiting", "% of a coupling step", waits, "waiting %");
    page += chart(all, "Processes of a component that wait for each other", "% of a coupling step",
                  component_lines(view, [](const ComponentRecord &c) { return c.imbalance.total_s / c.step_s; }), "");
    page += imbalance_table(view);
    page += chart(all, "Energy", "kWh of the run",
                  {{"energy", [](const RunRecord &r) { return r.energy_J / J_per_kWh; }}}, "");
    return page + chart(all, "Queue", "hours",
                        {{"from submission to start", [](const RunRecord &r) { return queue_h(r); }},
                         {"from the end of the job before",
                          [&](const RunRecord &r) {
                              const auto i = static_cast<std::size_t>(&r - view.runs.data());
                              return i == 0 ? unknown : pause_h(view.runs[i - 1], r);
                          }}},
                        "");
}

// A browser needs some seconds for the places of so many rows, so that only the first are on the screen at once.
constexpr std::size_t most_shown_at_once = 500;
// Ahead of the table. Without scripts, and on paper, all of it is shown.
constexpr const char *few_rows_style =
    "<script>document.documentElement.classList.add('scripted');</script>\n<style>@media screen { "
    ".scripted .few tbody tr:nth-child(n+201) { display: none; } }</style>\n";
// What is not known comes last, in either order.
constexpr const char *sorting_script = R"(<script>
(() => {
  const table = document.getElementById('all-runs'), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const numbers = (column) => column >= 2 && column <= 5;
  const key = (row, column) => {
    const text = row.cells[column].textContent, number = parseFloat(text);
    if (text === 'n/a') return null;
    return numbers(column) ? (Number.isNaN(number) ? null : number) : text;
  };
  const sort = (column, down) => {
    const keyed = [...body.rows].map((row) => [key(row, column), row]);
    const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    keyed.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : down ? order(b, a) : order(a, b));
    body.remove(); // each row would make the browser look at all of the table
    for (const [, row] of keyed) body.append(row);
    table.append(body);
    heads.forEach((head, i) => i === column ? head.setAttribute('aria-sort', down ? 'descending' : 'ascending') : head.removeAttribute('aria-sort'));
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      sort(column, now ? now === 'ascending' : column === 0 || numbers(column));
    });
    head.append(button);
  });
  heads[0].setAttribute('aria-sort', 'descending');
  if (table.classList.contains('few')) {
    const all = document.createElement('button');
    all.type = 'button';
    all.id = 'show-all-runs';
    all.textContent = `Show all ${body.rows.length} runs`;
    all.addEventListener('click', () => { table.classList.remove('few'); all.remove(); });
    table.parentElement.after(all);
  }
})();
</script>
)";

RowOfCells table_row_of(const RunRecord &run, const std::string &page) {
    return {run.started.empty() ? "n/a" : svg_text(run.started),
            linked(run.name, address_of_run(run.folder, page)),
            run.cores > 0 ? count_text(run.cores) : "n/a",
            Decimal{run.sypd},
            Decimal{run.chsy},
            per_cent_text(run.waiting_share),
            run.slow_side.empty() ? "n/a" : svg_text(run.slow_side)};
}

std::string table_of_runs(const HistoryView &view, const std::string &page) {
    TextTable table;
    table.row({"Started", "Run", "Cores", "SYPD", "CHSY", "Waiting %", "Slow side"});
    // Those without a start come last in a history, and here, too.
    const auto with_start = [](const RunRecord &run) { return !run.started.empty(); };
    for (std::size_t r = view.runs.size(); r-- > 0;)
        if (with_start(view.runs[r])) table.row(table_row_of(view.runs[r], page));
    for (const RunRecord &run : view.runs)
        if (!with_start(run)) table.row(table_row_of(run, page));
    const bool few = view.runs.size() > most_shown_at_once;
    const std::string words =
        "<p>A click on a title sorts the table. The name of a run leads to its page, where it has one.</p>\n";
    return "<h2>All runs</h2>\n" + words + (few ? few_rows_style : "") +
           in_a_scroller(html_table(table.cells(), few ? " id=all-runs class=few" : " id=all-runs"), "All runs") +
           sorting_script;
}

} // namespace

std::string history_as_page(const HistoryView &view, const std::string &file) {
    std::string page = page_begin("cpl-lb history", "Runs over time", history_styles);
    page += fmt::format("<p>{}.</p>\n", counted(view.runs.size(), "run"));
    if (view.runs.empty()) return page + "</main></body></html>\n";
    page += "<p><a href=\"#all-runs\">All runs in a table</a></p>\n<h2>What changed</h2>\n";
    if (view.changes.empty())
        page += "<p>No change detected yet: at least three runs are needed after a change.</p>\n";
    for (const HistoryChange &change : view.changes)
        page += "<p>" + svg_text(in_words(view, change)) + "</p>\n";
    for (const LateNodes &late : view.late_nodes)
        page += "<p>" + svg_text(in_words(late)) + "</p>\n";
    for (const std::string &note : view.notes)
        page += "<p>Note: " + svg_text(note) + "</p>\n";
    page += pictures_of({view, axis_of(view.runs), addresses_of(view, file)});
    return page + table_of_runs(view, file) + page_end();
}

} // namespace cpl_lb
