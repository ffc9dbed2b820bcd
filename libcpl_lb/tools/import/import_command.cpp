// The command cpl-lb import: results from the traces of other tools. Today: those of ESMF.
#include "io/json/info_json.hpp"
#include "report/format.hpp"
#include "report/text_summary.hpp"
#include "run/imported/import_esmf.hpp"
#include "tools/commands.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct ImportCommand {
    std::string folder;
    bool json = false;
    ImportOptions options;
};

void import_and_print(const ImportCommand &command) {
    ImportOptions options = command.options;
    options.progress = progress_of("reading the trace");
    Imported imported = import_esmf(command.folder, options);
    if (command.json) {
        print(info_json(imported.run));
        return;
    }
    // All of what is missing, where the summary would repeat the first of it.
    std::string text;
    for (const std::string &remark : imported.run.remarks)
        text += safe_name(remark) + "\n";
    imported.run.remarks.clear();
    print(text + "\n" + screen_summary(imported.run, options.output, imported.files));
}

} // namespace

void add_import_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("import", "Makes timelines and a summary from the trace of another tool: esmf");
    command->require_subcommand();
    cli::App *esmf = command->add_subcommand(
        "esmf",
        "Imports a NUOPC application from the trace that ESMF_RUNTIME_TRACE=ON leaves; you need not build anything");
    const auto options = std::make_shared<ImportCommand>();
    esmf->add_option("TRACE_DIR", options->folder, "folder of the trace (traceout), with files esmf_stream_*")
        ->required();
    esmf->add_option("-o,--output", options->options.output, "folder for the results; made if it is missing")
        ->required();
    esmf->add_option("--simulated", options->options.simulated_s,
                     "simulated time of the run [s]; it is not in the trace")
        ->check(cli::positive());
    esmf->add_option("--run", options->options.run, "name of the run; default: a made-up name");
    esmf->add_flag("--compress", options->options.compress, "compressed timelines, as with ln_compress");
    esmf->add_flag("--json", options->json, "print the structure of load_balancing_info.json");
    esmf->callback([options] { import_and_print(*options); });
}

} // namespace cpl_lb
