// Decides the next step of cpl-lb tune, from its log and the results of the runs in it, and explains it.
#pragma once

#include "prediction/tuning.hpp"
#include "tools/balance/balance_problem.hpp"
#include "tools/launch/launch_options.hpp"
#include "tools/tune/tune_log.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct TuneOptions {
    BalanceOptions balance; // total, limits, components
    std::string log = "cpl_lb_tune.csv", start, pattern;
    std::vector<std::string> folders, command;
    double enough_percent = 2;
    std::int64_t most_runs = 8;
    bool json = false;
};

struct TuneDecision {
    bool stop = false;
    NamedCounts processes; // to start next; at the end those of the best run
    std::string words;     // why
    TuningStep step;       // without runs that were taken: empty
    std::size_t best_row = 0;
    double best_cycle_s = unknown;
    std::vector<std::string> remarks;
    LaunchPlan plan; // of these processes
    LaunchText launch;
};

// Names in braces, "{ocean}", each once, without {dir}.
[[nodiscard]] std::vector<std::string> placeholders(const std::string &text);

// Reads the results in row.folder: fills in the measured figures, or refuses the row with a reason. `before`: other
// runs, which must be of the same model.
void take_results(TuneRow &row, const TuneOptions &options, const std::vector<TuneRow> &before);

// Names of runs may repeat (cn_run); names, start, counts and times together do not.
[[nodiscard]] bool same_run(const TuneRow &a, const TuneRow &b);

// Throws if the last two runs gave no usable result.
void check_failures(const std::vector<TuneRow> &rows);

// `varied`: the components whose counts change; empty: all. Throws the user's mistake.
[[nodiscard]] TuneDecision decide(const TuneOptions &options, const std::vector<TuneRow> &rows,
                                  const std::vector<std::string> &varied);

// "{ocean}" becomes the processes of the ocean, "{dir}" the folder; other braces stay.
[[nodiscard]] std::string filled_in(const std::string &pattern, const NamedCounts &counts, const std::string &folder);

[[nodiscard]] std::string tune_as_text(const TuneDecision &decision, const std::vector<TuneRow> &rows);
[[nodiscard]] std::string tune_as_json(const TuneDecision &decision, const std::vector<TuneRow> &rows);
[[nodiscard]] std::string runs_as_text(const std::vector<TuneRow> &rows);

} // namespace cpl_lb
