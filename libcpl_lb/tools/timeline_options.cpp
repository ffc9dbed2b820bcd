// --order and --simulated.
#include "tools/timeline_options.hpp"

namespace cpl_lb {

void add_timeline_options(cli::App &command, TimelineHints &hints) {
    command
        .add_option("--order", hints.order,
                    "components in the order of the run, ocean,atmosphere: for timelines that do not tell their ids "
                    "(OASIS3-MCT's own)")
        ->delimiter(',');
    command.add_option("--simulated", hints.simulated_s, "simulated seconds, for timelines that do not tell them")
        ->check(cli::positive());
}

} // namespace cpl_lb
