// The share of the cores' time in the coupling loops that is spent waiting (docs/definitions.md, section 2).
#pragma once

#include "data/coupled_run.hpp"

namespace cpl_lb {

// Whether the component has a coupling loop with known waiting.
[[nodiscard]] bool has_loop(const Component &component);
// Whether its waiting counts for the run: it has a loop with exchanges and is no I/O server.
[[nodiscard]] bool takes_part(const Component &component);

// sum of cores x waiting / sum of cores x loop, over the components that take part; NaN without any. A component
// between others waits by design, and does not count (analysis/in_between.hpp). Needs balance.is_io_server and the
// slow side.
[[nodiscard]] double waiting_share_of_cores(const CoupledRun &run);

} // namespace cpl_lb
