// How start-up grows from run to run with the number of members, in words and as a table of these runs.
#pragma once

#include "prediction/member_plan.hpp"

#include <string>

namespace cpl_lb {

// Empty: there are fewer than two runs.
[[nodiscard]] std::string startup_as_text(const StartupOfRuns &startup);

} // namespace cpl_lb
