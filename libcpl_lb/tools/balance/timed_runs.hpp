// The model of balance from runs that were made from timers: the layout that the first of them names, and curves from
// all of them.
#pragma once

#include "prediction/balance_model.hpp"
#include "tools/balance/balance_problem.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Whether the first of these folders holds a run from timers.
[[nodiscard]] bool are_from_timers(const std::vector<std::string> &directories);

// Times of the other runs are taken for the simulated time of the first. Throws PredictionError for folders with
// timelines among them, for runs of other components, without a layout, or of which the simulated time is not known
// where another one's is; FileError as load_run.
// `sources` may be null.
void read_timed_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples,
                     ScalingSources *sources);

} // namespace cpl_lb
