// The output of cpl-lb history: a table, json, and a page.
#pragma once

#include "analysis/change_points.hpp"
#include "history/history_file.hpp"
#include "history/late_nodes.hpp"
#include "history/run_members.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

inline constexpr double J_per_kWh = 3.6e6;

// A figure is another one from a run on.
struct HistoryChange {
    std::string figure;                  // "SYPD", "ocean: computing"
    std::size_t run = 0, run_before = 0; // places in the history
    double before = 0, after = 0;
};

// The largest step of a figure that a reader sees in its picture and that is no change by the rule.
struct UnseenJump {
    enum class Why : std::uint8_t { few_after, few_before, came_back, spread };
    std::size_t at = 0; // the first value behind it
    Why why = Why::spread;
    std::size_t runs_before = 0, runs_after = 0; // to the next changes
    double least_told = unknown;                 // of `spread`, if the step is smaller: what would be told
};
[[nodiscard]] std::optional<UnseenJump> unseen_jump(std::span<const double> values,
                                                    std::span<const ChangePoint> changes);

struct HistoryJump {
    std::string figure;
    std::size_t run = 0; // place in the history
    double before = 0, after = 0;
    UnseenJump is;
};

struct HistoryView {
    std::vector<RunRecord> runs;
    std::vector<HistoryChange> changes; // in the order of their runs
    std::vector<HistoryJump> jumps;     // at most one of each figure that has a picture
    std::vector<LateNodes> late_nodes;
    std::vector<std::string> notes; // in words: what cannot be
};

// NaN if the run has no such component.
using FigureOfComponent = std::function<double(const ComponentRecord &)>;
[[nodiscard]] double figure_of_component(const RunRecord &run, const std::string &name,
                                         const FigureOfComponent &figure);

[[nodiscard]] HistoryView view_of(std::vector<RunRecord> runs);

// From submission to start, and from the end of the run before of the same name to the submission; hours.
[[nodiscard]] double queue_h(const RunRecord &run);
[[nodiscard]] double pause_h(const RunRecord &before, const RunRecord &run);

// "SYPD fell from 12.1 to 10.3 (-15 %) with run43 (2026-03-02T05:00:00Z); before it ran run42; 96 cores before, 128."
[[nodiscard]] std::string in_words(const HistoryView &view, const HistoryChange &change);

// "SYPD falls from 12.1 to 10.3 with run43 (...), but this does not count as a change: there is only 1 run since
// then, ..."
[[nodiscard]] std::string in_words(const HistoryView &view, const HistoryJump &jump);
[[nodiscard]] std::string run_in_words(const RunRecord &run); // its name, and when it started

// "ocean: node nid0042 was late in 5 of 5 runs in which it took part, ...: it is the node, not the place."
[[nodiscard]] std::string in_words(const LateNodes &late);
[[nodiscard]] const char *answer_of(LateCause cause); // "node", "place", "too few runs", "not known"
// A row for each component whose processes wait for each other 5 % of its loop or more, in the runs from `first` on,
// behind a row of titles; nothing if there is none. Names are cut for a table of text only.
[[nodiscard]] std::vector<std::vector<std::string>> imbalance_rows(const HistoryView &view, std::size_t first,
                                                                   bool whole_names);
// The same for each component with a process that is late again and again.
[[nodiscard]] std::vector<std::vector<std::string>> late_process_rows(const HistoryView &view, std::size_t first);

[[nodiscard]] std::string history_as_text(const HistoryView &view, std::size_t last);
// --members: separate jobs of one ensemble.
[[nodiscard]] std::string members_as_text(const RunMembers &members);
[[nodiscard]] std::string members_as_json(const RunMembers &members);
[[nodiscard]] std::string history_as_json(const HistoryView &view);
// `page`: the file that it will be: links to the pages of runs are relative to it.
[[nodiscard]] std::string history_as_page(const HistoryView &view, const std::string &page);

} // namespace cpl_lb
