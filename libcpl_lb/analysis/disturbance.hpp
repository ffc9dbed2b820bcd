// Whether the machine slowed the computing of components down (docs/definitions.md, section 2, "A disturbed run").
#pragma once

#include "data/coupled_run.hpp"

#include <vector>

namespace cpl_lb {

// True if one of its processes had no processor outside of MPI for at least disturbed_from of its coupling loop.
[[nodiscard]] bool is_disturbed(const Component &component);
// The disturbed components of the coupling, the largest share first. Empty: none, or the kernel does not count it.
[[nodiscard]] std::vector<const Component *> disturbed_components(const CoupledRun &run);

} // namespace cpl_lb
