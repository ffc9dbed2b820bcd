// cpl_lb_terminate of one process: from what it recorded to the results of the run.
#pragma once

#include "run/live/process_record.hpp"

namespace cpl_lb {

// Collective over the processes of the run. Never hangs, and never throws for a failure in a step. Returns CPL_LB_OK
// or the first error of this process.
[[nodiscard]] int terminate(ProcessRecord record);

} // namespace cpl_lb
