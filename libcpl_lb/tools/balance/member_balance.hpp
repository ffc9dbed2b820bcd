// cpl-lb balance --members: how many members of an ensemble at once, and cores for each.
#pragma once

#include "tools/balance/balance_problem.hpp"

#include <string>

namespace cpl_lb {

// The answer in words or as JSON. Throws the user's mistake, in one line.
[[nodiscard]] std::string members_answer(const BalanceOptions &options);

} // namespace cpl_lb
