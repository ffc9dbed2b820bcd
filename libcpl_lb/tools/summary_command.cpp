#include "io/info_json.hpp"
#include "report/text_summary.hpp"
#include "tools/bars.hpp"
#include "tools/commands.hpp"
#include "tools/load_run.hpp"
#include "tools/timeline_options.hpp"

#include <memory>
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
    cli::App *command = app.add_subcommand(
        "summary", "The load balance of a run, computed anew from its timelines (also those that OASIS3-MCT writes)");
    const auto options = std::make_shared<SummaryOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    add_timeline_options(*command, options->hints);
    command->add_flag("--json", options->json, "print the structure of load_balancing_info.json");
    command->callback([options] {
        const CoupledRun run = load_run(options->directory, options->hints);
        if (options->json) return print(info_json(run));
        // At a terminal the picture comes last, where the eye is; a pipe gets the plain text alone.
        print(text_summary(run));
        if (::isatty(STDOUT_FILENO) != 0) print("\n" + balance_bars(run, 80, terminal_has_colour()));
    });
}

} // namespace cpl_lb
