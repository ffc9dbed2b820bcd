#include "export/raster.hpp"
#include "export/scripts.hpp"
#include "io/result_file.hpp"
#include "io/timeline_reader.hpp"
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

// The scripts that draw the timelines, and rasters for those that hold no picture: what was written, one path on each
// line.
std::string pictures(const CoupledRun &run, const std::vector<std::string> &timelines, const std::string &folder) {
    std::vector<std::string> drawn;
    std::vector<std::string> without;
    for (const std::string &path : timelines) {
        if (TimelineReader::has_kind_dominant(path))
            drawn.push_back(path.substr(path.rfind('/') + 1));
        else
            without.push_back(path);
    }
    RasterSink rasters(folder, run);
    export_events(run, without, {}, rasters);
    std::vector<std::string> files = rasters.files();
    drawn.insert(drawn.end(), files.begin(), files.end());
    const std::vector<std::string> scripts = write_scripts(folder, drawn);
    files.insert(files.end(), scripts.begin(), scripts.end());
    std::string list;
    for (const std::string &file : files)
        list += path_in(folder, file) + "\n";
    return list;
}

} // namespace

void add_report_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("report", "One page to open in a browser: who waits for whom, when, and why");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_option("-o,--output", options->output,
                        std::string("where to write; default: ") + page_file_name + " in the folder");
    command->add_flag("--scripts", options->scripts,
                      "also scripts that draw the timelines with ncview, Ferret and Python, in DIR");
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
