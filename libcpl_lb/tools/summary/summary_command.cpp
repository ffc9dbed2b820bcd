// The command cpl-lb summary: the load balance, computed anew from the timelines.
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/loaded/load_run.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"
#include "tools/watch/progress_of_run.hpp"

#include <memory>
#include <optional>
#include <unistd.h>

namespace cpl_lb {
namespace {

struct SummaryOptions {
    std::string directory;
    TimelineHints hints;
    bool json = false;
};

} // namespace

void add_summary_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("summary", "Prints the load balance of a run\nComputed again from its timelines (also "
                                      "from timelines of OASIS3-MCT), or from imported timers.");
    const auto options = std::make_shared<SummaryOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    add_timeline_options(*command, options->hints);
    add_members_option(*command, options->hints.members);
    command->add_flag("--json", options->json, "print the structure of load_balancing_info.json");
    command->callback([options] {
        std::optional<CoupledRun> timed =
            run_from_timers(options->directory, options->hints.simulated_s, options->hints.members);
        const CoupledRun run = timed ? std::move(*timed) : load_run(options->directory, options->hints, progress_of);
        if (options->json) return print(info_json(run));
        // At a terminal the picture comes last, where the user looks. A pipe gets only the plain text.
        print(text_summary(run));
        if (::isatty(STDOUT_FILENO) != 0) print_exactly("\n" + balance_bars(run, 80, terminal_has_colour()));
    });
}

} // namespace cpl_lb
