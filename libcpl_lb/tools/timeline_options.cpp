// --order and --simulated.
#include "tools/timeline_options.hpp"

namespace cpl_lb {

void add_order_option(cli::App &command, std::vector<std::string> &order) {
    command
        .add_option("--order", order,
                    "components in the order of the run, such as ocean,atmosphere; for timelines without ids "
                    "(OASIS3-MCT's own)")
        ->delimiter(',');
}

void add_timeline_options(cli::App &command, TimelineHints &hints) {
    add_order_option(command, hints.order);
    command.add_option("--simulated", hints.simulated_s, "simulated seconds; for timelines that do not have them")
        ->check(cli::positive());
}

} // namespace cpl_lb
