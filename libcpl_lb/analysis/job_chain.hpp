// Several jobs of one experiment as one run, for the CPMIP table (Balaji et al. 2017, section 3.2, ASYPD).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// In the order of their starts. Speed and cost are those of all simulated years together, so that NP = CHSY SYPD / 24
// holds; costs are weighted by core hours; what one job does not know the chain does not know, but for resolution,
// complexity and platform, which are the last job's. ASYPD is left for the caller, who knows the times: see asypd().
[[nodiscard]] CoupledRun chain_of(const std::vector<CoupledRun> &jobs);

} // namespace cpl_lb
