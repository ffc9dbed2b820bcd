// What the commands say of themselves, in the forms of other programs: manual pages, and completion in shells.
#pragma once

#include "tools/command_line.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

// Pages of section 1 in the macros man(7): of the whole, and of each command with its own commands in it. File name
// ("cpl-lb-compare.1") and text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> manual_pages(const cli::CommandFacts &app,
                                                                            const std::string &version);

// Scripts that complete commands, options, words that options take, and file names.
[[nodiscard]] std::string bash_completion(const cli::CommandFacts &app);
[[nodiscard]] std::string zsh_completion(const cli::CommandFacts &app);

} // namespace cpl_lb
