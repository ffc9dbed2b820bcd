// load_balancing_info.txt: the layout of TR/CMGC/20/176, appendix 3, then the sections which that lacks.
#pragma once

#include "data/coupled_run.hpp"

#include <string>

namespace cpl_lb {

[[nodiscard]] std::string text_summary(const CoupledRun &run);

} // namespace cpl_lb
