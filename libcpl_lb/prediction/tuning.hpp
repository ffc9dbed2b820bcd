// Chooses the counts for the next run of a model that can restart, and when to stop, from the scaling curves through
// the times of the runs so far (docs/tune.md).
#pragma once

#include "prediction/balance_model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpl_lb {

struct TunedRun {
    std::vector<std::int64_t> counts; // cores, by component of the model
    double cycle_s = 0;               // mean length of its coupling cycles
    double error_s = unknown;         // standard error of that mean
};

struct TuningSettings {
    double enough = 0.02; // a gain below this share is not worth another run
    std::size_t most_runs = 8;
    std::int64_t boxes = 100'000; // limit of sets of splits that are examined
};

enum class TuningEnd { go_on, small, within_noise, most_runs };

struct TuningStep {
    TuningEnd end = TuningEnd::go_on;
    std::size_t best = 0;              // place of the fastest run
    double noise = unknown;            // smallest visible difference between two runs, as a share
    double left = 0;                   // how much faster than the best run the best possible may be, as a share
    std::vector<std::int64_t> counts;  // to run next; those of the best run at the end
    double expected_s = unknown;       // a cycle with them
    bool to_learn = false;             // the counts are not the best ones: the curves are least certain there
    bool scales_within_bounds = false; // no run was faster with fewer cores, or more than ideally faster with more
};

// The model's first run must be the fastest of `runs`, and all of them its samples. `problem`: the allowed counts,
// and the times by the curves.
[[nodiscard]] TuningStep tuning_step(const BalanceModel &model, const BalanceProblem &problem,
                                     const std::vector<TunedRun> &runs, const TuningSettings &settings);

// The place of the run with the shortest cycle. Takes at least one run.
[[nodiscard]] std::size_t fastest(const std::vector<TunedRun> &runs);

// The standard error of a cycle's mean, as a share: from the cycles of the best run, or from the difference of runs
// with the same counts, whichever is larger. NaN if neither is known.
[[nodiscard]] double error_of_run(const std::vector<TunedRun> &runs, std::size_t best);

} // namespace cpl_lb
