// The load balance in two or three plain sentences, for a reader who has never seen such a table.
#pragma once

#include "data/coupled_run.hpp"
#include "report/format.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// What stands before all else: missing processes, a run that did not end, an imported one, dropped events, a machine
// that disturbed it. Mostly empty.
[[nodiscard]] std::vector<std::string> said_first(const CoupledRun &run);
// The verdict alone.
[[nodiscard]] std::vector<std::string> verdict_words(const CoupledRun &run);
// The verdict on a run from timers (run/timers): who is on the longest path by the layout's own rules, and who waits.
[[nodiscard]] std::vector<std::string> timer_words(const CoupledRun &run);
// The name that the run was given, or the names of its components: an id that was made up is no title.
[[nodiscard]] std::string run_title(const CoupledRun &run);

// Both. The verdict is made from run.balance (prediction/run_balance.hpp) and the figures of the components.
[[nodiscard]] std::vector<std::string> plain_words(const CoupledRun &run);

// What another split of the same cores could gain, or why that is not known; empty if there is nothing to say.
[[nodiscard]] std::string gain_words(const CoupledRun &run);

// By how much the machine disturbed a component, of which that is known (analysis/waiting_share.hpp).
[[nodiscard]] std::string disturbed_in_words(const CoupledRun &run, const Component &component);

// How many processes it has, as it stands in a table: "n/a" where timers did not tell.
[[nodiscard]] std::string processes_text(const Component &component);
// The waiting as it stands in a table: "3.214", of an I/O server "idle 3.214".
[[nodiscard]] InSeconds waiting_cell(const ComponentBalance &balance);

// Whom a component waits for as it stands in a table, with at most `columns` for the name: "ocean", "not known"; an
// I/O server waits for "data", or for "data of ocean".
[[nodiscard]] std::string awaited_text(const CoupledRun &run, const ComponentBalance &balance, std::int32_t id,
                                       std::size_t columns);

// Lines of at most `columns`, broken at spaces; a longer word stands alone.
[[nodiscard]] std::string wrapped(std::string_view sentence, std::size_t columns, std::string_view indent = "");

} // namespace cpl_lb
