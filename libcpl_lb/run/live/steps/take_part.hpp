// Step 2 of cpl_lb_terminate: finds out who came, and prints who did not.
#pragma once

#include "mpi/meeting.hpp"
#include "run/live/problem_list.hpp"
#include "run/live/process_record.hpp"

namespace cpl_lb {

// present is empty if the others went on without this process, or nobody came: then all ends here, with a message.
[[nodiscard]] Meeting take_part(const ProcessRecord &record, ProblemList &problems);

} // namespace cpl_lb
