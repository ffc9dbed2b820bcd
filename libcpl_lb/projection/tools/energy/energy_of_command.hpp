// cpl-lb energy -- COMMAND: time, joules and power of any command, as rapl-read prints them (ESCAPE D3.5,
// section 5.1).
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

// Runs the command and waits for it. The answer goes to the file `output`, or to standard error if that is empty:
// standard output is the command's. The result is its exit status, as a shell has it: 127 if there is none of that
// name, 126 if it cannot be started, 128 + n if signal n ended it.
[[nodiscard]] int energy_of_command(const std::vector<std::string> &words, const std::string &output, bool json);

} // namespace cpl_lb
