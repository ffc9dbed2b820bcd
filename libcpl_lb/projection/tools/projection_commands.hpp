// The commands of the models, each with its options; its callback throws when the input is bad.
#pragma once

#include "tools/commands.hpp"

namespace cpl_lb {

void add_assert_command(cli::App &app);
void add_energy_command(cli::App &app);
void add_machine_command(cli::App &app);
void add_project_command(cli::App &app);
void add_roofline_command(cli::App &app);

} // namespace cpl_lb
