// Starts a command as a batch script would, and waits for it.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// With CPL_LB_ENABLED=1 and CPL_LB_DIR=results, and what it prints in the file `output`. In words how it ended: empty
// for exit status 0. Throws std::runtime_error where it cannot be started.
[[nodiscard]] std::string run_and_wait(const std::vector<std::string> &words, const std::string &results,
                                       const std::string &output);

} // namespace cpl_lb
