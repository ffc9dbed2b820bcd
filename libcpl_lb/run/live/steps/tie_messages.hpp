// Step 3 of cpl_lb_terminate, where MPI itself was recorded: which calls of different processes are one exchange.
// Processes that had messages with each other tell each other the numbers of those, where they are not just counted.
#pragma once

#include "mpi/group.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"

namespace cpl_lb {

// Further calls of a process in one exchange become events of fields of their own (data/field_parts.hpp). What was
// sent and not received is remarked. False: a message failed.
bool tie_messages(Group &present, const ProcessRecord &record, DecodedRecord &decoded, ProblemList &problems);

} // namespace cpl_lb
