// Who decides how long the coupling loop takes, and what another split of the same cores could gain
// (docs/definitions.md, section 2): the same at terminate and in the command.
#pragma once

#include "analysis/exchanges.hpp"
#include "data/coupled_run.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {

// These bound what the answer costs, whatever the run's length: a longer loop is followed in a few parts, evenly
// spread over it. What the budget does not suffice for is not known.
struct BalanceEffort {
    Budget budget{};
    std::size_t points = 200'000; // exchanges that are followed
    std::int64_t boxes = 300;     // of splits that are looked at
};

// Fills run.balance and critical_share, idle_s, is_io_server of each component's balance. Takes the figures
// of the loop from a component whose loop is shorter than a tenth of the longest one. Needs the tables (PUT and
// GET, and operations inside them) and the balances of the components, and what find_exchanges() finds in the run.
// What cannot be known says why; never throws.
void judge_balance(CoupledRun &run, const std::vector<Exchange> &exchanges, const BalanceEffort &effort = {});

// Why it is not known how the components would compute with other cores; empty: nothing stands against it.
[[nodiscard]] std::string why_cores_not_known(const CoupledRun &run);

} // namespace cpl_lb
