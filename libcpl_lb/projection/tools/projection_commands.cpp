// What the models of other machines add to cpl-lb.
#include "projection/tools/projection_commands.hpp"

#include "page/page.hpp"
#include "projection/machine/machine_file.hpp"

#include <memory>

namespace cpl_lb {
namespace {

std::function<RooflineOfRun()> roofline_of_page(cli::App &report) {
    const auto options = std::make_shared<MachineOptions>();
    add_machine_options(*report.add_option_group("Roofline",
                                                 "with --machine the page says what limits each region on "
                                                 "that machine (docs/roofline.md)"),
                        *options);
    return [options]() -> RooflineOfRun {
        if (options->machine.empty()) return {};
        return [options, machine = load_machine(options->machine)](const CoupledRun &run) {
            return page_roofline(run, machine, setting_of(*options), cores_of(*options, machine));
        };
    };
}

} // namespace

void add_projection_commands(Commands &commands, RooflineOptions &roofline) {
    commands["assert"] = add_assert_command;
    commands["energy"] = add_energy_command;
    commands["machine"] = add_machine_command;
    commands["project"] = add_project_command;
    commands["roofline"] = add_roofline_command;
    roofline = roofline_of_page;
}

} // namespace cpl_lb
