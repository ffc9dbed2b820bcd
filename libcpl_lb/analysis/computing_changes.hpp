// Finds out whether the computing of a component changes during the run: for good, or by a pattern
// (docs/definitions.md, section 2, "Runs that change").
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// The changes of all components with steps that change. Noise alone is reported in less than one of a hundred
// runs, and in three of them if it is 20 % with a correlation of 0.8 from a step to the next.
[[nodiscard]] std::vector<ComputingChange> computing_changes(const CoupledRun &run);
[[nodiscard]] ComputingChange computing_change(const ComponentBalance &balance); // `component` stays 0

} // namespace cpl_lb
