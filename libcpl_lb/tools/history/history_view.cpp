// Finds what changed in a history, and what in it cannot be.
#include "analysis/change_points.hpp"
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

double hours_between(const std::string &from, const std::string &to) {
    return (unix_seconds_or_unknown(to) - unix_seconds_or_unknown(from)) / 3600;
}

void add_changes(HistoryView &view, const std::string &figure,
                 const std::function<double(const RunRecord &)> &value) {
    std::vector<double> values;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < view.runs.size(); ++i) {
        const double v = value(view.runs[i]);
        if (!is_known(v)) continue;
        values.push_back(v);
        places.push_back(i);
    }
    for (const ChangePoint &c : change_points(values))
        view.changes.push_back({figure, places[c.at], places[c.at - 1], c.before, c.after});
}

double computing_of(const RunRecord &run, const std::string &name) {
    const auto found = std::find_if(run.components.begin(), run.components.end(),
                                    [&](const ComponentRecord &c) { return c.name == name; });
    return found == run.components.end() ? unknown : found->computing_s;
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
    add_changes(view, "SYPD", [](const RunRecord &r) { return r.sypd; });
    add_changes(view, "CHSY", [](const RunRecord &r) { return r.chsy; });
    add_changes(view, "waiting %", [](const RunRecord &r) { return 100 * r.waiting_share; });
    std::set<std::string> names;
    for (const RunRecord &run : view.runs)
        for (const ComponentRecord &c : run.components)
            if (!c.is_io_server) names.insert(c.name);
    for (const std::string &name : names)
        add_changes(view, safe_name(name) + ": computing s of a step",
                    [&](const RunRecord &r) { return computing_of(r, name); });
    std::stable_sort(view.changes.begin(), view.changes.end(),
                     [](const HistoryChange &a, const HistoryChange &b) { return a.run < b.run; });
    add_notes(view);
    return view;
}

std::string in_words(const HistoryView &view, const HistoryChange &change) {
    const RunRecord &run = view.runs[change.run], &before = view.runs[change.run_before];
    const auto name_of = [](const RunRecord &r) {
        return safe_name(r.name) + (r.started.empty() ? "" : " (" + safe_name(r.started) + ")");
    };
    std::string text = fmt::format("{} {} from {:.4g} to {:.4g}", change.figure,
                                   change.after > change.before ? "rose" : "fell", change.before, change.after);
    if (change.before > 0) text += fmt::format(" ({:+.1f} %)", 100 * (change.after / change.before - 1));
    text += " with " + name_of(run) + "; the run before is " + name_of(before);
    if (run.cores != before.cores) text += fmt::format("; {}, {} before", counted(run.cores, "core"), before.cores);
    if (run.platform != before.platform) text += "; on another machine";
    return text + ".";
}

} // namespace cpl_lb
