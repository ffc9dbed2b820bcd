// The output of cpl-lb history: a table, json, and a page.
#pragma once

#include "history/history_file.hpp"
#include "history/late_nodes.hpp"

#include <cstddef>
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

struct HistoryView {
    std::vector<RunRecord> runs;
    std::vector<HistoryChange> changes; // in the order of their runs
    std::vector<LateNodes> late_nodes;
    std::vector<std::string> notes; // in words: what cannot be
};

[[nodiscard]] HistoryView view_of(std::vector<RunRecord> runs);

// From submission to start, and from the end of the run before of the same name to the submission; hours.
[[nodiscard]] double queue_h(const RunRecord &run);
[[nodiscard]] double pause_h(const RunRecord &before, const RunRecord &run);

// "SYPD fell from 12.1 to 10.3 (-15 %) with run43 (2026-03-02T05:00:00Z); before it ran run42; 96 cores before, 128."
[[nodiscard]] std::string in_words(const HistoryView &view, const HistoryChange &change);

// "ocean: node nid0042 was late in 5 of 5 runs in which it took part, ...: it is the node, not the place."
[[nodiscard]] std::string in_words(const LateNodes &late);
[[nodiscard]] const char *answer_of(LateCause cause); // "node", "place", "too few runs", "not known"
// A row for each component whose processes wait for each other 5 % of its loop or more, in the runs from `first` on,
// behind a row of titles; nothing if there is none.
[[nodiscard]] std::vector<std::vector<std::string>> imbalance_rows(const HistoryView &view, std::size_t first);
// The same for each component with a process that is late again and again.
[[nodiscard]] std::vector<std::vector<std::string>> late_process_rows(const HistoryView &view, std::size_t first);

[[nodiscard]] std::string history_as_text(const HistoryView &view, std::size_t last);
[[nodiscard]] std::string history_as_json(const HistoryView &view);
// `page`: the file that it will be: links to the pages of runs are relative to it.
[[nodiscard]] std::string history_as_page(const HistoryView &view, const std::string &page);
[[nodiscard]] std::string table_of_runs(const HistoryView &view, const std::string &page);

} // namespace cpl_lb
