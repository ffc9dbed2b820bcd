// Several jobs of one experiment as one run, for the CPMIP table (Balaji et al. 2017, section 3.2, ASYPD).
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// The jobs stand in the order of their starts. Speed and cost are those of all simulated years together, so that
// NP = CHSY SYPD / 24 holds. Costs are weighted by core hours. A figure that is unknown for one job is unknown for
// the chain, but resolution, complexity and platform are those of the last job. The caller sets ASYPD: see asypd().
[[nodiscard]] CoupledRun chain_of(const std::vector<CoupledRun> &jobs);

} // namespace cpl_lb
