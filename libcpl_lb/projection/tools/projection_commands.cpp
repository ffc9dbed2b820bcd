// What the models of other machines add to cpl-lb.
#include "projection/tools/projection_commands.hpp"

namespace cpl_lb {

void add_projection_commands(Commands &commands, RooflineOptions &roofline) {
    commands["assert"] = add_assert_command;
    commands["energy"] = add_energy_command;
    commands["machine"] = add_machine_command;
    commands["project"] = add_project_command;
    commands["roofline"] = add_roofline_command;
    roofline = roofline_of_page;
}

} // namespace cpl_lb
