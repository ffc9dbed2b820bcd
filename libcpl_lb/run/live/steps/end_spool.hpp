// The last step of cpl_lb_terminate: deletes spool files if everything that they hold is in the results.
#pragma once

#include "mpi/group.hpp"
#include "run/live/process_record.hpp"

namespace cpl_lb {

// Collective. keep: results are missing on this process, or processes are missing.
void end_spool(Group &present, const ProcessRecord &record, bool keep);

} // namespace cpl_lb
