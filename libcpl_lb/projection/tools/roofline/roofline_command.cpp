// cpl-lb roofline: what the machine allows each region to do, and how much of that it does.
#include "io/files/result_file.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/roofline/roofline_text.hpp"
#include "projection/tools/projection_commands.hpp"
#include "projection/tools/roofline/roofline_options.hpp"
#include "projection/tools/roofline/roofline_output.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <memory>

namespace cpl_lb {
namespace {

struct CommandOptions {
    MachineOptions at;
    std::string source, svg;
    bool json = false;
};

RunWork work_from(const std::string &source, const CoresAtWork &said) {
    if (is_run(source)) return work_in_run(json_of_run(source), said);
    return {said.threads, work_in_table(source), ""};
}

void run(const CommandOptions &options) {
    const Machine machine = load_machine(options.at.machine);
    const RunWork work = work_from(options.source, cores_of(options.at, machine));
    RooflineSetting setting = setting_of(options.at);
    setting.at.threads = work.threads;
    Roofline roofline = roofline_of(machine, setting, work.regions);
    if (!work.remark.empty()) roofline.remarks.push_back(work.remark);
    if (!options.svg.empty()) write_result_file(options.svg, roofline_svg(roofline));
    print(options.json ? roofline_json(roofline) : roofline_as_text(roofline));
}

} // namespace

void add_roofline_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("roofline", "Shows what limits each region (operations or a level of memory), and how "
                                       "near it comes to this ceiling; from a run or a table");
    const auto o = std::make_shared<CommandOptions>();
    command
        ->add_option(
            "SOURCE", o->source,
            "folder of a run with counters or annotations of regions, or a table (region,flops,bytes,seconds)")
        ->required();
    add_machine_options(*command, o->at)->required();
    command->add_option("--svg", o->svg, "write the picture into this file");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run(*o); });
}

} // namespace cpl_lb
