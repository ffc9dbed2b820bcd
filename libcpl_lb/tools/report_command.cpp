#include "io/result_file.hpp"
#include "page/page.hpp"
#include "tools/commands.hpp"
#include "tools/load_run.hpp"
#include "tools/run_folder.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct ReportOptions {
    std::string directory, output;
};

} // namespace

void add_report_command(CLI::App &app) {
    CLI::App *command =
        app.add_subcommand("report", "One page to open in a browser: who waits for whom, when, and why");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_option("-o,--output", options->output,
                        std::string("where to write; default: ") + page_file_name + " in the folder");
    command->callback([options] {
        const CoupledRun run = load_run(options->directory);
        const std::string path =
            options->output.empty() ? path_in(options->directory, page_file_name) : options->output;
        PageSources sources;
        sources.timelines = look_into(options->directory).timelines;
        write_page(path, run, sources);
        print(path + "\n");
    });
}

} // namespace cpl_lb
