// The load balance in the json of a run, held against what its timeline gives when each row is worked out by itself,
// nothing taken over from another process (share_of, which is held against the definitions in tests/analysis).
#pragma once

#include "run_scenario.hpp"

namespace scenario {

// Needs a timeline that is not compressed.
void check_balance(const Result &r, const std::string &component);

} // namespace scenario
