// Who computes beside whom in a run of CIME's drivers (CESM, E3SM), from the processes of its components.
#pragma once

#include "run/timers/timed_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// A component that computes, on processes first, first + stride, ...
struct CimeComponent {
    std::string name; // in CIME's words: atm, lnd, ice, ocn, rof, glc, wav, cpl
    std::int64_t first = 0, count = 0, stride = 1;
};

struct CimeLayout {
    std::string layout;  // as cpl-lb balance table --layout takes it; empty: why_not says why
    std::string why_not; // in words
};

// The rules of the drivers (CIME's cime_comp_mod and CESM's run sequence of CMEPS): land, ice, rivers and waves
// run side by side where they have processes of their own; the atmosphere, the coupler and land ice come after them;
// the ocean runs beside all of these if it has processes of its own, else after them. Components that share a process
// run one after the other.
[[nodiscard]] CimeLayout layout_of_cime(const std::vector<CimeComponent> &components);

// The layout of the run's own components, or a remark on why it is not told. `driver`: "of E3SM".
void take_cime_layout(TimedRun &run, const std::string &driver);

} // namespace cpl_lb
