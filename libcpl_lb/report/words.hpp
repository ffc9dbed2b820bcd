// The load balance in two or three plain sentences, for somebody who has never seen such a table.
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// Below this share of its time a component counts as not waiting.
inline constexpr double balanced_below = 0.02;

[[nodiscard]] std::vector<std::string> plain_words(const CoupledRun &run);

// Share of the cores' time in the coupling loop that waits, over the components with a loop; NaN without any.
[[nodiscard]] double waiting_share_of_cores(const CoupledRun &run);

// Lines of at most `columns`, broken at spaces; a longer word stands alone.
[[nodiscard]] std::string wrapped(std::string_view sentence, std::size_t columns, std::string_view indent = "");

} // namespace cpl_lb
