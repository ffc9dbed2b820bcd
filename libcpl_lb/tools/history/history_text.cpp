// A history as a table, and as json.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::vector<std::string> row_of(const RunRecord &r) {
    return {r.started.empty() ? "n/a" : safe_name(r.started),
            short_name(r.name, 24),
            r.cores > 0 ? count_text(r.cores) : "n/a",
            number_text(r.sypd),
            number_text(r.asypd),
            number_text(r.chsy),
            per_cent_text(r.waiting_share),
            r.slow_side.empty() ? "n/a" : short_name(r.slow_side, 16),
            number_text(r.energy_J / J_per_kWh),
            number_text(queue_h(r))};
}

JsonTree json_of(const ComponentRecord &c) {
    return {{"name", c.name},
            {"cores", c.cores},
            {"step_s", JsonTree::number(c.step_s)},
            {"computing_s", JsonTree::number(c.computing_s)},
            {"waiting_s", JsonTree::number(c.waiting_s)},
            {"memory_B", JsonTree::number(c.memory_B)},
            {"is_io_server", c.is_io_server}};
}

JsonTree json_of(const RunRecord &r) {
    JsonTree json = {{"name", r.name},
                     {"submitted", JsonTree::text(r.submitted)},
                     {"started", JsonTree::text(r.started)},
                     {"ended", JsonTree::text(r.ended)},
                     {"folder", r.folder},
                     {"platform", JsonTree::text(r.platform)},
                     {"slow_side", JsonTree::text(r.slow_side)},
                     {"cores", r.cores},
                     {"wall_s", JsonTree::number(r.wall_s)},
                     {"simulated_s", JsonTree::number(r.simulated_s)},
                     {"sypd", JsonTree::number(r.sypd)},
                     {"asypd", JsonTree::number(r.asypd)},
                     {"chsy", JsonTree::number(r.chsy)},
                     {"jpsy", JsonTree::number(r.jpsy)},
                     {"energy_J", JsonTree::number(r.energy_J)},
                     {"waiting_share", JsonTree::number(r.waiting_share)},
                     {"queue_h", JsonTree::number(queue_h(r))}};
    json["components"] = JsonTree::array();
    for (const ComponentRecord &c : r.components)
        json["components"].push_back(json_of(c));
    return json;
}

} // namespace

std::string history_as_text(const HistoryView &view, std::size_t last) {
    if (view.runs.empty()) return "The history holds no run.\n";
    std::string text;
    for (const HistoryChange &change : view.changes)
        text += wrapped(in_words(view, change), 80);
    if (view.changes.empty()) text = "No change is shown. A change is shown when three runs follow it.\n";
    for (const std::string &note : view.notes)
        text += wrapped("Note: " + note, 80);
    TextTable table;
    table.left(1);
    table.left(7);
    table.row({"Started", "Run", "Cores", "SYPD", "ASYPD", "CHSY", "Waiting %", "Slow side", "kWh", "Queue h"});
    const std::size_t first = view.runs.size() - std::min(last, view.runs.size());
    for (std::size_t i = first; i < view.runs.size(); ++i)
        table.row(row_of(view.runs[i]));
    if (first > 0)
        text += fmt::format("\nThe last {} of {}:\n", view.runs.size() - first, counted(view.runs.size(), "run"));
    return text + "\n" + table.text();
}

std::string history_as_json(const HistoryView &view) {
    JsonTree json;
    json["schema"] = "cpl_lb_history/1";
    json["runs"] = JsonTree::array();
    for (const RunRecord &run : view.runs)
        json["runs"].push_back(json_of(run));
    json["changes"] = JsonTree::array();
    for (const HistoryChange &c : view.changes) {
        json["changes"].push_back({{"figure", c.figure},
                                   {"run", c.run},
                                   {"run_before", c.run_before},
                                   {"before", c.before},
                                   {"after", c.after},
                                   {"words", in_words(view, c)}});
    }
    json["notes"] = view.notes;
    return json.dump(2) + "\n";
}

} // namespace cpl_lb
