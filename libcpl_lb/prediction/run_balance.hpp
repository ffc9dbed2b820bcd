// Who decides how long the coupling loop takes, and what another split of the same cores could gain
// (docs/definitions.md, section 2): the same at terminate and in the command.
#pragma once

#include "analysis/exchanges.hpp"
#include "data/coupled_run.hpp"
#include "prediction/measured_graph.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {

// Limits that bound the cost of the answer for a run of any length: a longer loop is replaced by a few parts, evenly
// spread over it. Figures for which the budget does not suffice are unknown.
struct BalanceEffort {
    Budget budget{};
    std::size_t points = 200'000;           // exchanges that are followed
    std::int64_t boxes = 300;               // of splits that are looked at
    std::vector<ComputingChange> changes{}; // computing_change() of each component; empty: calculated here
};

// Fills run.balance, and critical_share, idle_s, is_io_server of each component's balance. Removes the figures of the
// loop from a component whose loop is shorter than a tenth of the longest one. Needs the tables (PUT, GET and
// operations inside them) and the balances of the components, and the result of find_exchanges(). Unknown figures
// have a reason. Never throws.
void judge_balance(CoupledRun &run, const std::vector<Exchange> &exchanges, const BalanceEffort &effort = {});

// Why it is not known how the components would compute with other cores; empty if it is known.
[[nodiscard]] std::string why_cores_not_known(const CoupledRun &run);

// `slow` and the fewest others that must compute faster together before the loop gets shorter, the largest share of
// the critical path first. Empty: `slow` alone suffices, or no group does. `part`: the components in the order of the
// graph; shares: theirs of the path; factors: of their computing times, as for MeasuredGraph::replay.
[[nodiscard]] std::vector<std::size_t> equally_slow(const CoupledRun &part, const MeasuredGraph &loop,
                                                    const std::vector<double> &shares, std::size_t slow,
                                                    const std::vector<double> &factors);

// Fills equally_slow, and empties slow_side if the critical path changes between these components. `part`: the
// coupled components in the order of the graph. Their shares of the critical path and `balance.slow_side` are known
// (docs/definitions.md, section 2, "Who is slow, and what could be gained").
void enter_equally_slow(const CoupledRun &part, RunBalance &balance, const MeasuredGraph &loop);

} // namespace cpl_lb
