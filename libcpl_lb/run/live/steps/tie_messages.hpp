// Step 3 of cpl_lb_terminate, if MPI itself was recorded: finds which calls of different processes are one exchange.
// Processes that exchanged messages tell each other the messages' exchange numbers, unless these are just counts.
#pragma once

#include "mpi/group.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"

#include <cstddef>

namespace cpl_lb {

// Further calls of a process in one exchange become events of fields of their own (data/field_parts.hpp). Adds a
// remark on messages that were sent and not received.
void tie_messages(Group &present, const ProcessRecord &record, DecodedRecord &decoded, ProblemList &problems);

// Counts how often a process came to exchange with others after computing (own_bursts.cpp). PUTs, GETs and SYNCs
// right after each other count once, if less than a tenth of the usual computing lies between them. 0: there are too
// few. Reads the times from the marks if they are still there.
[[nodiscard]] std::size_t count_own_bursts(const ProcessRecord &record, const DecodedRecord &decoded);

} // namespace cpl_lb
