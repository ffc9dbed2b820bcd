// The summary that cpl_lb_terminate prints on the root: one screen for a few components.
#pragma once

#include "data/coupled_run.hpp"

#include <span>
#include <string>

namespace cpl_lb {

// files: names of the results in `directory`.
[[nodiscard]] std::string screen_summary(const CoupledRun &run, const std::string &directory,
                                         std::span<const std::string> files);

} // namespace cpl_lb
