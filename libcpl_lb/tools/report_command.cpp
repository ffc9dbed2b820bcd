#include "export/raster.hpp"
#include "export/scripts.hpp"
#include "io/result_file.hpp"
#include "page/page.hpp"
#include "tools/commands.hpp"
#include "tools/load_run.hpp"
#include "tools/run_folder.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

struct ReportOptions {
    std::string directory, output;
    bool scripts = false;
};

// Rasters and the scripts that draw them: what was written, one path on each line.
std::string pictures(const CoupledRun &run, const std::vector<std::string> &timelines, const std::string &folder) {
    RasterSink rasters(folder, run);
    export_events(run, timelines, {}, rasters);
    std::vector<std::string> files = rasters.files();
    const std::vector<std::string> scripts = write_scripts(folder, files);
    files.insert(files.end(), scripts.begin(), scripts.end());
    std::string list;
    for (const std::string &file : files)
        list += path_in(folder, file) + "\n";
    return list;
}

} // namespace

void add_report_command(CLI::App &app) {
    CLI::App *command =
        app.add_subcommand("report", "One page to open in a browser: who waits for whom, when, and why");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_option("-o,--output", options->output,
                        std::string("where to write; default: ") + page_file_name + " in the folder");
    command->add_flag("--scripts", options->scripts,
                      "also raster_<component>.nc for ncview, Ferret and CDO, and scripts that draw them, in DIR");
    command->callback([options] {
        const CoupledRun run = load_run(options->directory);
        const std::string path =
            options->output.empty() ? path_in(options->directory, page_file_name) : options->output;
        PageSources sources;
        sources.timelines = look_into(options->directory).timelines;
        write_page(path, run, sources);
        std::string list = path + "\n";
        if (options->scripts) list += pictures(run, sources.timelines, options->directory);
        print(list);
    });
}

} // namespace cpl_lb
