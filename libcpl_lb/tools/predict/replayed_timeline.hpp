// Some coupling cycles of a run as measured and with changes, to be drawn one above the other.
#pragma once

#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/predictor.hpp"

namespace cpl_lb {

// Null if the run has no coupling cycle. Times from the begin of the first cycle, in seconds of the replay.
[[nodiscard]] JsonTree replayed_timeline(const CoupledRun &run, const MeasuredGraph &measured,
                                         const MeasuredGraph &changed, const std::vector<double> &factors);

} // namespace cpl_lb
