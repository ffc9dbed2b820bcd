// The command cpl-lb recover: results of a run that died, from its spool files.
#include "run/recovered/recovery.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

struct RecoverOptions {
    std::vector<std::string> places;
    std::string run;
    bool json = false;
    RecoveryOptions recovery;
};

void recover_and_print(const RecoverOptions &options) {
    RecoveryOptions recovery = options.recovery;
    recovery.progress = progress_of("reading the spool files");
    Recovery recovered = recover(find_spools(options.places, options.run), recovery);
    print_results(std::move(recovered.run), recovery.output, std::move(recovered.files), options.json);
}

} // namespace

void add_recover_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "recover", "Makes the results of a run that died\nFrom the spool files (ln_spool) of each node.");
    const auto options = std::make_shared<RecoverOptions>();
    command
        ->add_option("SPOOL_DIR", options->places,
                     "folders with spool files (*.spool), one for each node; or single files")
        ->required();
    command->add_option("-o,--output", options->recovery.output, "folder for the results; made if it is missing")
        ->required();
    command->add_option("--run", options->run,
                        "token or name of the run, if the folders have several; default: the newest");
    command->add_flag("--compress", options->recovery.compress, "compressed timelines, as with ln_compress");
    command->add_flag("--json", options->json, "print the structure of load_balancing_info.json");
    command->callback([options] { recover_and_print(*options); });
}

} // namespace cpl_lb
