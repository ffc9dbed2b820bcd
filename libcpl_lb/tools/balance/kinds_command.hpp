// cpl-lb balance --kinds: the best numbers of nodes of several kinds. With options.as_given that of cpl-lb predict
// --kinds: the time to expect with given ones.
#pragma once

#include "tools/balance/balance_problem.hpp"

namespace cpl_lb {

// Prints the answer. Throws what the user did wrong, in one line.
void balance_over_kinds(const BalanceOptions &options);

// Throws cli::WrongUsage for options that only go with --kinds, without it.
void check_no_kinds(const BalanceOptions &options);

} // namespace cpl_lb
