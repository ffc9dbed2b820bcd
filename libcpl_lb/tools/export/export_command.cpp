// The command cpl-lb export: timelines in the formats of other viewers.
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct ExportOptions {
    std::string directory, format, output;
    std::vector<double> window;
    std::vector<std::int64_t> processes;
    ExportSelection selection;
    TimelineHints hints;
};

std::string default_name(const std::string &format) {
    if (format == "csv") return "events.csv";
    return format == "perfetto" ? "perfetto.json" : "otf2";
}

std::unique_ptr<EventSink> make_sink(const std::string &format, const std::string &path, const CoupledRun &run,
                                     const ExportSelection &selection) {
    if (format == "csv") return make_csv_sink(path, run);
    if (format == "perfetto") return make_perfetto_sink(path, run);
    return make_otf2_sink(path, run, selection);
}

void export_run(ExportOptions &options) {
    if (!options.window.empty()) {
        options.selection.from_s = options.window[0];
        options.selection.to_s = options.window[1];
        if (options.window[1] < options.window[0]) throw cli::WrongUsage("--window: TO lies before FROM");
    }
    if (!options.processes.empty()) {
        options.selection.first_process = options.processes[0];
        options.selection.last_process = options.processes[1];
        if (options.processes[1] < options.processes[0]) throw cli::WrongUsage("--processes: LAST lies before FIRST");
    }
    const CoupledRun run = load_run(options.directory, options.hints, progress_of);
    const std::string path =
        options.output.empty() ? path_in(options.directory, default_name(options.format)) : options.output;
    const std::unique_ptr<EventSink> sink = make_sink(options.format, path, run, options.selection);
    export_events(run, look_into(options.directory).timelines, options.selection, *sink,
                  progress_of("writing " + options.format));
    print_exactly(path + "\n");
}

} // namespace

void add_export_command(cli::App &app) {
    cli::App *command = app.add_subcommand("export", "Writes the timelines for other viewers and programs");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_option("--to", options->format, "perfetto (also chrome://tracing), otf2 or csv")
        ->required()
        ->check(cli::one_of({"perfetto", "otf2", "csv"}));
    command->add_option("-o,--output", options->output,
                        "file to write (otf2: folder); default: perfetto.json, events.csv or otf2 in DIR");
    add_timeline_options(*command, options->hints);
    command->add_option("--window", options->window, "only events that touch these seconds of the run")
        ->type_name("FROM TO")
        ->expected(2);
    command->add_option("--component", options->selection.components, "only this component; may be given again")
        ->type_name("NAME")
        ->again();
    command->add_option("--processes", options->processes, "only these processes of each component, from 0")
        ->type_name("FIRST LAST")
        ->expected(2)
        ->check(cli::not_negative());
    command->callback([options] { export_run(*options); });
}

} // namespace cpl_lb
