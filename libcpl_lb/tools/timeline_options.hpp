// What timelines of other programs do not say, as options of the commands that read them.
#pragma once

#include "tools/command_line.hpp"
#include "tools/load_run.hpp"

namespace cpl_lb {

// `hints` must live as long as the command.
void add_timeline_options(cli::App &command, TimelineHints &hints);

} // namespace cpl_lb
