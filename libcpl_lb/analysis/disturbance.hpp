// Whether the machine decided, too, how long components computed (docs/definitions.md, section 2, "A disturbed run").
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// A process of it had no processor outside of MPI for at least disturbed_from of its coupling loop.
[[nodiscard]] bool is_disturbed(const Component &component);
// Those that take part in the coupling, the largest share first. Empty: none, or the kernel does not count it.
[[nodiscard]] std::vector<const Component *> disturbed_components(const CoupledRun &run);

} // namespace cpl_lb
