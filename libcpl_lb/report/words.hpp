// The load balance in two or three plain sentences, for a reader who has never seen such a table.
#pragma once

#include "data/coupled_run.hpp"
#include "report/format.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// What comes before everything else: missing processes, a run that did not end, an imported one, dropped events, a
// loop that takes little of the run, a machine that disturbed it. Usually empty.
[[nodiscard]] std::vector<std::string> said_first(const CoupledRun &run);
// The verdict alone.
[[nodiscard]] std::vector<std::string> verdict_words(const CoupledRun &run);
// The verdict on a run from timers (run/timers): who is on the longest path by the layout's rules, and who waits.
[[nodiscard]] std::vector<std::string> timer_words(const CoupledRun &run);
// The name that the run was given, or the names of its components: a generated id is no title.
[[nodiscard]] std::string run_title(const CoupledRun &run);

// Both of them. The verdict uses run.balance (prediction/run_balance.hpp) and the figures of the components.
[[nodiscard]] std::vector<std::string> plain_words(const CoupledRun &run);

// What another split of the same cores could gain, or why that is not known; empty if there is nothing to say.
[[nodiscard]] std::string gain_words(const CoupledRun &run);

// How much the machine disturbed a component. It must be known (analysis/waiting_share.hpp).
[[nodiscard]] std::string disturbed_in_words(const CoupledRun &run, const Component &component);

// Its number of processes as text for a table: "n/a" if timers did not tell.
[[nodiscard]] std::string processes_text(const Component &component);
// The waiting as text for a table: "3.214", or "idle 3.214" for an I/O server.
[[nodiscard]] InSeconds waiting_cell(const ComponentBalance &balance);

// The component for which another one waits, as text for a table with at most `columns` for the name: "ocean", "not
// known"; an I/O server waits for "data", or for "data of ocean".
[[nodiscard]] std::string awaited_text(const CoupledRun &run, const ComponentBalance &balance, std::int32_t id,
                                       std::size_t columns);

} // namespace cpl_lb
