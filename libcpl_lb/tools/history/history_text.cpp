// A history as a table, and as json: which runs and changes are shown.
#include "analysis/change_points.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/history/history_output.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace cpl_lb {
namespace {

RowOfCells row_of(const RunRecord &r) {
    return {r.started.empty() ? "n/a" : safe_name(r.started),
            short_name(r.name, 24),
            r.cores > 0 ? count_text(r.cores) : "n/a",
            Decimal{r.sypd},
            Decimal{r.asypd},
            Decimal{r.chsy},
            per_cent_text(r.waiting_share),
            r.slow_side.empty() ? "n/a" : short_name(r.slow_side, 16),
            Decimal{r.energy_J / J_per_kWh},
            Decimal{queue_h(r)}};
}

JsonTree json_of(const ImbalanceRecord &i) {
    if (!is_known(i.total_s)) return nullptr;
    return {{"total_s", i.total_s},
            {"same_processes_s", i.processes_s},
            {"same_nodes_s", i.nodes_s},
            {"moving_s", i.moving_s},
            {"some_steps_s", i.steps_s},
            {"random_s", i.random_s},
            {"late_node", JsonTree::text(i.late_node)},
            {"late_node_process", i.late_node_process < 0 ? JsonTree(nullptr) : JsonTree(i.late_node_process)},
            {"processes", i.processes},
            {"nodes", i.nodes}};
}

JsonTree json_of(const InsideRecord &i) {
    if (!i.known()) return nullptr;
    return {{"messages", i.messages},
            {"bytes", i.bytes},
            {"late_process", i.late_process < 0 ? JsonTree(nullptr) : JsonTree(i.late_process)},
            {"late_share", i.late_share}};
}

JsonTree json_of(const LateNodes &late) {
    return {{"component", late.component},
            {"answer", answer_of(late.cause)},
            {"runs", late.runs},
            {"late_runs", late.late_runs},
            {"node", late.node},
            {"late_runs_of_node", late.of_node},
            {"runs_of_node", late.runs_of_node},
            {"places_of_node", late.places_of_node},
            {"place", late.place},
            {"late_runs_at_place", late.at_place},
            {"nodes_at_place", late.nodes_at_place},
            {"share_of_loop", late.share},
            {"words", in_words(late)}};
}

JsonTree json_of(const ComponentRecord &c) {
    return {{"name", c.name},
            {"cores", c.cores},
            {"step_s", c.step_s},
            {"computing_s", c.computing_s},
            {"waiting_s", c.waiting_s},
            {"memory_B", c.memory_B},
            {"is_io_server", c.is_io_server},
            {"imbalance", json_of(c.imbalance)},
            {"inside", json_of(c.inside)}};
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
                     {"wall_s", r.wall_s},
                     {"simulated_s", r.simulated_s},
                     {"sypd", r.sypd},
                     {"asypd", r.asypd},
                     {"chsy", r.chsy},
                     {"jpsy", r.jpsy},
                     {"energy_J", r.energy_J},
                     {"waiting_share", r.waiting_share},
                     {"startup_s", r.startup.startup_s},
                     {"members", r.startup.members > 0 ? JsonTree(r.startup.members) : JsonTree()},
                     {"member_startup_s", r.startup.member_startup_s},
                     {"queue_h", queue_h(r)}};
    json["components"] = JsonTree::array();
    for (const ComponentRecord &c : r.components)
        json["components"].push_back(json_of(c));
    return json;
}

double hours_between(const std::string &from, const std::string &to) {
    return (unix_seconds_or_unknown(to) - unix_seconds_or_unknown(from)) / 3600;
}

void add_changes(HistoryView &view, const std::string &figure, const std::function<double(const RunRecord &)> &value,
                 bool has_picture = false) {
    std::vector<double> values;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < view.runs.size(); ++i) {
        const double v = value(view.runs[i]);
        if (!is_known(v)) continue;
        values.push_back(v);
        places.push_back(i);
    }
    const std::vector<ChangePoint> changes = change_points(values);
    for (const ChangePoint &c : changes)
        view.changes.push_back({figure, places[c.at], places[c.at - 1], c.before, c.after});
    if (!has_picture) return;
    if (const auto jump = unseen_jump(values, changes))
        view.jumps.push_back({figure, places[jump->at], values[jump->at - 1], values[jump->at], *jump});
}

void add_notes(HistoryView &view) {
    for (std::size_t i = 0; i < view.runs.size(); ++i) {
        const RunRecord &run = view.runs[i];
        const std::string name = safe_name(run.name) + " (" + safe_name(run.started) + ")";
        if (hours_between(run.submitted, run.started) < 0)
            view.notes.push_back(name + " started before it was submitted: its time in the queue is n/a");
        if (hours_between(run.started, run.ended) < 0)
            view.notes.push_back(name + " ended before it started: the clocks of its nodes went backwards");
    }
}

} // namespace

std::string history_as_text(const HistoryView &view, std::size_t last) {
    if (view.runs.empty()) return "The history holds no run.\n";
    std::string text;
    for (const HistoryChange &change : view.changes)
        text += wrapped(in_words(view, change), 80);
    if (view.changes.empty()) text = "No change detected yet: at least three runs are needed after a change.\n";
    for (const HistoryJump &jump : view.jumps)
        text += wrapped(in_words(view, jump), 80);
    for (const LateNodes &late : view.late_nodes)
        text += wrapped(in_words(late), 80);
    for (const std::string &note : view.notes)
        text += wrapped("Note: " + note, 80);
    TextTable table({1, 7});
    table.row({"Started", "Run", "Cores", "SYPD", "ASYPD", "CHSY", "Waiting %", "Slow side", "kWh", "Queue h"});
    const std::size_t first = view.runs.size() - std::min(last, view.runs.size());
    for (std::size_t i = first; i < view.runs.size(); ++i)
        table.row(row_of(view.runs[i]));
    if (first > 0)
        text += fmt::format("\nThe last {} of {}:\n", view.runs.size() - first, counted(view.runs.size(), "run"));
    text += "\n" + table.text();
    const auto add_table = [&](const char *title, const std::vector<std::vector<std::string>> &rows,
                               TextTable under) {
        if (rows.empty()) return;
        for (const std::vector<std::string> &row : rows)
            under.row_of_words(row);
        text += title + under.text();
    };
    add_table("\nProcesses of a component that wait for each other, % of its loop:\n",
              imbalance_rows(view, first, false), TextTable({1, 8}));
    add_table("\nProcesses that are late again and again with messages inside their component:\n",
              late_process_rows(view, first), TextTable({1}));
    return text;
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
    json["jumps"] = JsonTree::array();
    for (const HistoryJump &j : view.jumps) {
        json["jumps"].push_back({{"figure", j.figure},
                                 {"run", j.run},
                                 {"before", j.before},
                                 {"after", j.after},
                                 {"words", in_words(view, j)}});
    }
    json["late_nodes"] = JsonTree::array();
    for (const LateNodes &late : view.late_nodes)
        json["late_nodes"].push_back(json_of(late));
    json["notes"] = view.notes;
    return json.dump(2) + "\n";
}

double figure_of_component(const RunRecord &run, const std::string &name, const FigureOfComponent &figure) {
    const auto found = std::ranges::find(run.components, name, &ComponentRecord::name);
    return found == run.components.end() ? unknown : figure(*found);
}

double queue_h(const RunRecord &run) {
    const double hours = hours_between(run.submitted, run.started);
    return hours >= 0 ? hours : unknown;
}

double pause_h(const RunRecord &before, const RunRecord &run) {
    if (before.name != run.name) return unknown;
    const double hours = hours_between(before.ended, run.started);
    return hours >= 0 ? hours : unknown;
}

HistoryView view_of(std::vector<RunRecord> runs) {
    HistoryView view;
    view.runs = std::move(runs);
    add_changes(
        view, "SYPD", [](const RunRecord &r) { return r.sypd; }, true);
    add_changes(
        view, "CHSY", [](const RunRecord &r) { return r.chsy; }, true);
    add_changes(
        view, "waiting %", [](const RunRecord &r) { return 100 * r.waiting_share; }, true);
    std::set<std::string> names;
    for (const RunRecord &run : view.runs)
        for (const ComponentRecord &c : run.components)
            if (!c.is_io_server) names.insert(c.name);
    for (const std::string &name : names) {
        const auto add = [&](const char *what, auto figure) {
            add_changes(view, safe_name(name) + ": " + what,
                        [&, figure](const RunRecord &r) { return figure_of_component(r, name, figure); });
        };
        add("computing s of a step", [](const ComponentRecord &c) { return c.computing_s; });
        add("messages inside it in a step", [](const ComponentRecord &c) { return c.inside.messages; });
        add("MiB inside it in a step", [](const ComponentRecord &c) { return c.inside.bytes / (1024.0 * 1024.0); });
    }
    std::ranges::stable_sort(view.changes, {}, &HistoryChange::run);
    view.late_nodes = late_nodes(view.runs);
    add_notes(view);
    return view;
}

std::string run_in_words(const RunRecord &run) {
    return safe_name(run.name) + (run.started.empty() ? "" : " (" + safe_name(run.started) + ")");
}

std::string in_words(const HistoryView &view, const HistoryChange &change) {
    const RunRecord &run = view.runs[change.run], &before = view.runs[change.run_before];
    std::string text = fmt::format("{} {} from {:.4g} to {:.4g}", change.figure,
                                   change.after > change.before ? "rose" : "fell", change.before, change.after);
    if (change.before > 0) text += fmt::format(" ({:+.1f} %)", 100 * (change.after / change.before - 1));
    text += " with " + run_in_words(run) + "; the run before is " + run_in_words(before);
    if (run.cores != before.cores) text += fmt::format("; {}, {} before", counted(run.cores, "core"), before.cores);
    if (run.platform != before.platform) text += "; on another machine";
    return text + ".";
}

} // namespace cpl_lb
