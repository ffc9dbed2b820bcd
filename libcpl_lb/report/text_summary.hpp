// The summaries of a run: load_balancing_info.txt, and the screen at the end of the run.
#pragma once

#include "data/coupled_run.hpp"

#include <span>
#include <string>

namespace cpl_lb {

// load_balancing_info.txt: the layout of TR/CMGC/20/176, appendix 3, then the sections that it lacks.
[[nodiscard]] std::string text_summary(const CoupledRun &run);

// files: names of the results in `directory`.
[[nodiscard]] std::string screen_summary(const CoupledRun &run, const std::string &directory,
                                         std::span<const std::string> files);

} // namespace cpl_lb
