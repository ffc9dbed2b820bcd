// The command cpl-lb import: results from the traces of other tools, and from timers that models wrote themselves.
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/json/info_json.hpp"
#include "page/page.hpp"
#include "report/format.hpp"
#include "report/text_summary.hpp"
#include "run/imported/import_esmf.hpp"
#include "run/timers/import_timers.hpp"
#include "run/timers/readers.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

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
    print_results(std::move(imported.run), options.output, std::move(imported.files), command.json);
}

struct TimersCommand {
    std::vector<std::string> files;
    bool json = false;
    TimerImportOptions options;
};

// Whether the file lacks timers of the kind that the user names: then its reader's first error helps nobody.
bool is_of_another_kind(const std::string &path, const std::string &kind) {
    try {
        const TimerText text(path, timer_file_text(path));
        for (const TimerReader &reader : timer_readers())
            if (kind == reader.kind) return !reader.recognizes(text);
    } catch (const FileError &) {
    }
    return false;
}

// The lines of refused files, in the user's words if --kind does not fit them.
std::string refusal(const std::string &line, const TimersCommand &command) {
    for (const std::string &path : command.files) {
        if (command.options.kind.empty() || !line.starts_with(path + ": ")) continue;
        if (!is_of_another_kind(path, command.options.kind)) return line;
        return path + ": holds no timers of kind " + command.options.kind +
               ": leave out --kind, and the kind is recognised";
    }
    return line;
}

ImportedTimers imported_timers(const TimersCommand &command, const TimerImportOptions &options) {
    try {
        ImportedTimers imported = import_timers(command.files, options);
        for (std::string &line : imported.refused)
            line = refusal(line, command);
        return imported;
    } catch (const std::runtime_error &error) {
        throw std::runtime_error(refusal(error.what(), command));
    }
}

std::string json_of_all(const std::vector<ImportedTimers::Run> &runs) {
    std::string all;
    for (const ImportedTimers::Run &run : runs)
        all += (all.empty() ? "[" : ",") + info_json(run.run);
    return all + "]\n";
}

// One run is printed like any other, with its page; for many only their number, and the refused files.
void import_timers_and_print(const TimersCommand &command) {
    TimerImportOptions options = command.options;
    options.progress = progress_of("reading timers");
    const ImportedTimers imported = imported_timers(command, options);
    for (const std::string &line : imported.refused)
        print_error(line);
    if (imported.runs.size() > 1) {
        for (const ImportedTimers::Run &run : imported.runs) { // a page of before would be another run's
            std::error_code error;
            std::filesystem::remove(path_in(run.folder, page_file_name), error);
        }
        print(command.json ? json_of_all(imported.runs)
                           : fmt::format("{} imported, each into its own folder in {}\n",
                                         counted(imported.runs.size(), "run"), safe_name(options.output)));
    } else {
        const ImportedTimers::Run &run = imported.runs.front();
        write_page(path_in(run.folder, page_file_name), run.run, page_of_timers());
        const std::vector<std::string> files = {info_text_name, info_json_name, page_file_name};
        print(command.json ? info_json(run.run) : screen_summary(run.run, run.folder, files));
    }
    if (!imported.refused.empty())
        throw std::runtime_error(fmt::format("{} of {} could not be read", counted(imported.refused.size(), "file"),
                                             command.files.size()));
}

std::vector<std::string> kinds_of_timers() {
    std::vector<std::string> kinds;
    for (const TimerReader &reader : timer_readers())
        kinds.emplace_back(reader.kind);
    return kinds;
}

void add_timers(cli::App &import) {
    cli::App *timers = import.add_subcommand(
        "timers",
        "Imports runs from the timers that their models wrote: summaries of CESM, clocks of FMS, and others");
    const auto command = std::make_shared<TimersCommand>();
    timers
        ->add_option("FILE", command->files,
                     "files of timers (docs/timers.md lists them); those of one run are joined")
        ->required();
    timers
        ->add_option("-o,--output", command->options.output,
                     "folder for the results; made if it is missing; several runs get a folder each in it")
        ->required();
    timers->add_option("--kind", command->options.kind, "which timers; default: recognised")
        ->check(cli::one_of(kinds_of_timers()));
    timers->add_option("--simulated", command->options.simulated_s, "simulated time of the run [s]")
        ->check(cli::positive());
    timers
        ->add_option("--cores", command->options.cores,
                     "cores that the whole run paid for, also those of models "
                     "whose timers are not among the files")
        ->check(cli::count(1'000'000'000));
    timers->add_option("--run", command->options.run, "name of the run; default: as in the file");
    timers->add_flag("--json", command->json,
                     "print the structure of load_balancing_info.json; of several runs a list of these");
    timers->callback([command] { import_timers_and_print(*command); });
}

} // namespace

void add_import_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("import", "Makes results of a run that something else recorded\nA trace of ESMF, or "
                                     "timers that a model wrote.");
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
    add_timers(*command);
}

} // namespace cpl_lb
