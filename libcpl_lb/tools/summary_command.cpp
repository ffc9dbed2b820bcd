#include "io/info_json.hpp"
#include "report/text_summary.hpp"
#include "tools/commands.hpp"
#include "tools/load_run.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct SummaryOptions {
    std::string directory;
    bool json = false;
};

} // namespace

void add_summary_command(CLI::App &app) {
    CLI::App *command = app.add_subcommand(
        "summary", "The load balance of a run, computed anew from its timelines (also those that OASIS3-MCT writes)");
    const auto options = std::make_shared<SummaryOptions>();
    command->add_option("DIR", options->directory, "folder with timeline_<component>.nc")->required();
    command->add_flag("--json", options->json, "print the structure of load_balancing_info.json");
    command->callback([options] {
        const CoupledRun run = load_run(options->directory);
        print(options->json ? info_json(run) : text_summary(run));
    });
}

} // namespace cpl_lb
