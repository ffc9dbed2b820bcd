// Step 3 of cpl_lb_terminate, if MPI itself was recorded: the parts of a program get the model's names of their
// communicators.
#pragma once

#include "mpi/group.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// A component gets the name of its communicator if all its processes know the same name, and no other component has
// it. names: receives the names of all components. False: a message failed.
bool name_parts(Group &present, const ProcessRecord &record, DecodedRecord &decoded, std::vector<std::string> &names);

} // namespace cpl_lb
