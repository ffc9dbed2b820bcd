// Step 3 of cpl_lb_terminate, if MPI itself was recorded: finds which calls of different processes are one exchange.
// Processes that exchanged messages tell each other the messages' exchange numbers, unless these are just counts.
#pragma once

#include "mpi/group.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"

namespace cpl_lb {

// Further calls of a process in one exchange become events of fields of their own (data/field_parts.hpp). Adds a
// remark on messages that were sent and not received. False: a message failed.
bool tie_messages(Group &present, const ProcessRecord &record, DecodedRecord &decoded, ProblemList &problems);

} // namespace cpl_lb
