// Options for what timelines of other programs do not say, for the commands that read them.
#pragma once

#include "run/loaded/load_run.hpp"
#include "tools/command_line.hpp"

namespace cpl_lb {

// `hints` must live as long as the command.
void add_timeline_options(cli::App &command, TimelineHints &hints);
// --order alone, for answers that need no simulated seconds; it holds for all folders of the command.
void add_order_option(cli::App &command, std::vector<std::string> &order);

} // namespace cpl_lb
