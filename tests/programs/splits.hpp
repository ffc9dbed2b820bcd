// How long a program would take with its cores divided in another way: its replay, where each component computes as
// much less as it has more cores.
#pragma once

#include "tests/programs/program.hpp"

#include <vector>

namespace cpl_lb::programs {

using Split = std::vector<int>; // cores by component

[[nodiscard]] Split present_split(const Program &program);

// From the end of the set-up to the end of the last process.
[[nodiscard]] double seconds_of_loop(const Program &program, const Split &cores);

// The loop of the best split of the present cores that a search by replays finds. `keeps`: whose cores stay.
[[nodiscard]] double least_seconds_of_loop(const Program &program, const std::vector<bool> &keeps);

} // namespace cpl_lb::programs
