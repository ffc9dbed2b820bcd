// The model of balance from runs that were made from timers: the layout of the first run, and curves from all of
// them.
#pragma once

#include "prediction/balance_model.hpp"
#include "tools/balance/balance_problem.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Whether the first of these folders holds a run from timers.
[[nodiscard]] bool are_from_timers(const std::vector<std::string> &directories);

// Times of the other runs are converted to the simulated time of the first. Throws PredictionError for folders with
// timelines, runs of other components or without a layout, and if the simulated time is known for some runs only;
// throws FileError like load_run. `sources` may be null.
void read_timed_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
                     ScalingSources *sources);

} // namespace cpl_lb
