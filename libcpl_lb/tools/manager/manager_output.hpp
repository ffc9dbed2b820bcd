// The output of cpl-lb manager.
#pragma once

#include "prediction/managed_run.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// One run of a manager.
struct ManagedAnswer {
    std::vector<std::string> names;
    std::string search, start; // of the benchmark: INIT1; else empty
    ManagedRun run;
    std::string basis; // on which measurements it rests, a line; empty: none is extrapolated, or the benchmark's
};
[[nodiscard]] std::string managed_as_text(const ManagedAnswer &answer);
[[nodiscard]] std::string managed_as_json(const ManagedAnswer &answer);
// Processes of each component, and the time of a cycle, over the coupling cycles: figures 5 to 7 of the paper.
[[nodiscard]] std::string managed_as_svg(const ManagedAnswer &answer);

// Table I: the paper's columns, and the means of the runs with each start.
struct TableColumn {
    kim::PrintedStart printed;
    double first_s = 0, final_s = 0, found_at = 0, reallocations = 0, undone_percent = 0, efficiency = 0;
};
struct TableOne {
    int scenario = 0;
    std::string search;
    double noise_percent = 0;
    std::int64_t seeds = 1;
    double best_s = 0; // of all counts, by the curves
    std::vector<TableColumn> columns;
};
[[nodiscard]] std::string table_as_text(const TableOne &table);
[[nodiscard]] std::string table_as_json(const TableOne &table);
// Final tau_G of each start: printed and ours.
[[nodiscard]] std::string table_as_svg(const TableOne &table);

} // namespace cpl_lb
