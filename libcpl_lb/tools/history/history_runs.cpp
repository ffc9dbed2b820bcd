// All runs of a history as one table of its page, the newest first, sorted by a click, with links to the runs' pages.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "tools/history/history_output.hpp"
#include "tools/written_files.hpp"

namespace cpl_lb {
namespace {

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

} // namespace

std::string table_of_runs(const HistoryView &view, const std::string &page) {
    if (view.runs.empty()) return "";
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

} // namespace cpl_lb
