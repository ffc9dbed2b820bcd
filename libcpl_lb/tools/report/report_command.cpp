// The command cpl-lb report: the page of a run, and scripts that draw it.
#include "export/raster.hpp"
#include "io/files/file_error.hpp"
#include "io/files/output_target.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "page/page.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"
#include "support/fmt.hpp"
#include "support/shell_words.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

struct ReportOptions {
    std::string directory, output;
    bool scripts = false, open = false;
    std::function<RooflineOfRun()> roofline; // empty: this build has none
    TimelineHints hints;
};

// The scripts that draw the timelines, and their rasters. Returns the written paths, one on each line.
std::string pictures(const CoupledRun &run, const std::vector<std::string> &timelines, const std::string &folder) {
    ScriptFiles drawn;
    std::vector<std::string> without_picture, with_picture;
    for (const std::string &path : timelines) {
        const bool has_picture = TimelineReader::has_kind_dominant(path);
        (has_picture ? with_picture : without_picture).push_back(path);
        if (has_picture) drawn.plots.push_back(path.substr(path.rfind('/') + 1));
    }
    std::vector<std::string> files = write_rasters(folder, run, without_picture, progress_of("drawing"));
    drawn.plots.insert(drawn.plots.end(), files.begin(), files.end());
    const std::vector<std::string> others = write_rasters(folder, run, with_picture, progress_of("drawing"));
    files.insert(files.end(), others.begin(), others.end());
    const std::vector<std::string> stems = file_stems(run.component_names);
    for (const Component &c : run.components) {
        if (!c.balance.is_io_server) continue;
        const std::string &stem = stems[static_cast<std::size_t>(c.id) - 1];
        const std::set<std::string> its = {"timeline_" + stem + ".nc", "timeline_" + stem + ".cpl_lb.nc",
                                           "raster_" + stem + ".nc"};
        std::ranges::copy_if(drawn.plots, std::back_inserter(drawn.idle),
                             [&](const std::string &file) { return its.contains(file); });
    }
    drawn.ncview = files;
    const std::vector<std::string> scripts = write_scripts(folder, drawn);
    files.insert(files.end(), scripts.begin(), scripts.end());
    std::string list;
    for (const std::string &file : files)
        list += path_in(folder, file) + "\n";
    return list;
}

// Starts the browser and does not wait for it. The page is written by then: without a browser that is said, and no
// error.
void open_in_browser(const std::string &path) {
#ifdef __APPLE__
    const char *const opener = "open";
    const bool has_display = true;
#else
    const char *const opener = "xdg-open";
    const bool has_display = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
#endif
    if (!has_display) return print_error("--open: no display here; copy " + path + " to your own computer");
    const std::string start =
        fmt::format("command -v {0} > /dev/null && {{ {0} {1} > /dev/null 2>&1 & }}", opener, shell_path(path));
    if (std::system(start.c_str()) != 0)
        print_error(fmt::format("--open: there is no {}; open {} yourself", opener, path));
}

void write_report_of(const ReportOptions &options, const std::string &path) {
    RooflineOfRun roofline;
    if (options.roofline) roofline = options.roofline(); // first, so that a wrong name costs no time
    if (const std::optional<CoupledRun> run =
            run_from_timers(options.directory, options.hints.simulated_s, options.hints.members)) {
        if (options.scripts) throw FileError(options.directory, "holds no timelines that scripts could draw");
        write_page(path, *run, page_of_timers());
        if (!output_target(path).special) print_exactly(path + "\n");
        return;
    }
    PageSources sources;
    sources.timelines = look_into(options.directory).timelines;
    sources.threads = true;
    sources.progress = progress_of("writing the page");
    CoupledRun run = load_run(options.directory, options.hints, progress_of);
    if (roofline) sources.roofline = roofline(run);
    write_page(path, run, sources);
    std::string list = output_target(path).special ? "" : path + "\n"; // nothing may follow the page in /dev/stdout
    if (options.scripts) list += pictures(run, sources.timelines, options.directory);
    if (!list.empty()) print_exactly(list);
}

void write_report(const ReportOptions &options) {
    const std::string path = options.output.empty() ? path_in(options.directory, page_file_name) : options.output;
    write_report_of(options, path);
    if (options.open && !output_target(path).special) open_in_browser(path);
}

} // namespace

void add_report_command(cli::App &app, RooflineOptions roofline) {
    cli::App *command = app.add_subcommand("report", "Makes one page for a browser: who waits, when, and why");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_option("-o,--output", options->output,
                        std::string("file to write; default: ") + page_file_name + " in DIR");
    command->add_flag(
        "--scripts", options->scripts,
        "also write scripts into DIR that draw the timelines with ncview, Ferret and Python (docs/timelines.md)");
    command->add_flag("--open", options->open, "open the page in a browser");
    add_timeline_options(*command, options->hints);
    add_members_option(*command, options->hints.members);
    if (roofline != nullptr) options->roofline = roofline(*command);
    command->callback([options] { write_report(*options); });
}

} // namespace cpl_lb
