// A program's replay as cpl-lb-record would have recorded it, through the whole of cpl_lb_terminate on ranks in
// memory.
#pragma once

#include "data/coupled_run.hpp"
#include "tests/programs/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb::programs {

// The number of the exchange that each call of each process was found to belong to: by process, call, and field of
// the call in the order of its messages.
using NumbersOfCalls = std::vector<std::vector<std::vector<std::uint32_t>>>;
[[nodiscard]] NumbersOfCalls numbers_of_calls(const Program &program, const Truth &replay);

// What load_balancing_info.json in the folder says. Throws std::runtime_error where terminate failed on a rank.
[[nodiscard]] CoupledRun recorded_run(const Program &program, const Truth &replay, const std::string &folder);

} // namespace cpl_lb::programs
