// kind_dominant and the table of coupling steps in a timeline, held against the events and the json of the same run.
#pragma once

#include "run_scenario.hpp"

namespace scenario {

// tolerance: of times in the file; two kinds that share a bin equally may win either way.
void check_picture(const Result &r, const std::string &component, cpl_lb::Nanoseconds tolerance = 10);

} // namespace scenario
