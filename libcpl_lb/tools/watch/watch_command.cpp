// The command cpl-lb watch: the balance of a run that is still going.
#include "io/files/file_error.hpp"
#include "io/json/info_json.hpp"
#include "run/recovered/recovery.hpp"
#include "tools/commands.hpp"
#include "tools/watch/progress_of_run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cpl_lb {
namespace {

struct WatchOptions {
    std::vector<std::string> places;
    std::string run;
    double every_s = 10;
    bool once = false, json = false, summary = false;
};

// A look may take a twentieth of the time: the cores belong to the run.
constexpr double most_share = 0.05;

void look(const WatchOptions &options, bool clear, News &news) {
    const SpoolRun spools = find_spools(options.places, options.run);
    RecoveryOptions nothing_written;
    nothing_written.output.clear();
    CoupledRun run = recover(spools, nothing_written).run;
    run.run.origin = Origin::recorded; // it goes on
    if (options.json) return print(info_json(run));
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const double quiet_s = since_last_event_s(run, spools, now.count());
    RunProgress progress = run_progress_of(run, spools, quiet_s);
    if (!news.at_look(run)) progress.silent_s = quiet_s;
    if (options.summary)
        print(watch_line(run, progress));
    else
        print_exactly((clear ? "\x1b[H\x1b[2J" : "") + watch_text(run, progress, terminal_has_colour()));
}

void watch(const WatchOptions &options) {
    (void)::setpriority(PRIO_PROCESS, 0, 19); // whatever the run leaves
    const bool terminal = ::isatty(STDOUT_FILENO) != 0 && !options.summary;
    News news;
    for (bool again = false;; again = true) {
        const auto began = std::chrono::steady_clock::now();
        try {
            look(options, terminal && !options.once, news);
        } catch (const FileError &) {
            if (!again) throw;
            return print("The spool files are gone: the run has ended, or they were removed.\n");
        }
        if (options.once || options.json) return;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        std::this_thread::sleep_for(
            std::chrono::duration<double>(std::max(options.every_s, took.count() / most_share)));
    }
}

} // namespace

void add_watch_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "watch", "Shows the balance of a run that is still going\nFrom its spool files (ln_spool).");
    const auto options = std::make_shared<WatchOptions>();
    command
        ->add_option("SPOOL_DIR", options->places,
                     "folders with spool files (*.spool), of one or several nodes; or single files")
        ->required();
    command->add_option("--run", options->run,
                        "token or name of the run, if the folder has several; default: the newest");
    command->add_option("--every", options->every_s, "seconds between two looks; longer if a look takes long")
        ->check(cli::in_range(0.1, 86400.0));
    command->add_flag("--summary", options->summary, "print one line for each look, as for a log");
    command->add_flag("--once", options->once, "look once");
    command->add_flag("--json", options->json, "look once and print the structure of load_balancing_info.json");
    command->callback([options] { watch(*options); });
}

} // namespace cpl_lb
