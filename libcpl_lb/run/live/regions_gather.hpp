// Gathers the time of each region in each coupling step to the master of a component (analysis/region_steps.hpp).
#pragma once

#include "analysis/region_steps.hpp"
#include "mpi/group.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/one_clock.hpp"

#include <vector>

namespace cpl_lb {

// The seconds of this process: by region of the plan, then by step. NaN: not known.
[[nodiscard]] std::vector<double> own_region_seconds(const RegionPlan &plan, const ProcessRecord &record,
                                                     const RunClock &clock);

// Collective over the group if the plan has regions; otherwise nothing is sent. plan: from agree_on_loop(). The steps
// are entered into the leader's regions. False: a message failed.
[[nodiscard]] bool gather_region_steps(Group &group, const RegionPlan &plan, const std::vector<double> &own_seconds,
                                       std::vector<RegionSummary> &regions);

} // namespace cpl_lb
