// Whether the machine decided who waits, and not the model (docs/metrics.md).
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

// In words what disturbed the run; empty: nothing, or it is not known.
[[nodiscard]] std::string why_disturbed(const CoupledRun &run);

} // namespace cpl_lb
