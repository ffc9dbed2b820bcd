// cpl-lb predict --kinds: the time to expect with given nodes of several kinds.
#pragma once

#include "tools/balance/balance_problem.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// Prints the answer, as balance does for nodes that are given. `others`: options of predict that count cores or
// change the model, and whether they are given. Throws what the user did wrong, in one line.
void predict_over_kinds(const BalanceOptions &options, const std::vector<std::pair<bool, std::string>> &others);

// Throws cli::WrongUsage for options that only go with --kinds, and for no run.
void check_without_kinds(const BalanceOptions &options);

} // namespace cpl_lb
