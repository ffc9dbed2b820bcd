// The last of cpl_lb_terminate: spool files go when everything that they hold is in the results.
#pragma once

#include "mpi/group.hpp"
#include "run/live/process_record.hpp"

namespace cpl_lb {

// Collective. keep: results are missing here, or processes.
void end_spool(Group &present, const ProcessRecord &record, bool keep);

} // namespace cpl_lb
