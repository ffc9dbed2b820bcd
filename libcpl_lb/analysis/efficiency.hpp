// Where every core hour goes (docs/definitions.md, section 8): efficiencies whose products are those above them.
#pragma once

#include "data/coupled_run.hpp"

namespace cpl_lb {

// In the coupling loop. A component without a loop has its `inside` over the whole run, and no coupling.
[[nodiscard]] Efficiency efficiency_of(const Component &component);

// From sums over the components with a coupling loop, weighted with their cores. If there are none: the `inside` of
// all over the whole run.
[[nodiscard]] Efficiency efficiency_of(const CoupledRun &run);

// Whether MPI was recorded in any component. Otherwise few efficiencies are known.
[[nodiscard]] bool knows_inside(const CoupledRun &run);

} // namespace cpl_lb
