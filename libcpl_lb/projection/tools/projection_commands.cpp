// What the models of other machines add to cpl-lb, and the options that several of their words have.
#include "projection/tools/projection_commands.hpp"

#include "projection/models/model_tables.hpp"

namespace cpl_lb {

void add_projection_commands(Commands &commands, RooflineOptions &roofline) {
    commands["machine"] = add_machine_command;
    roofline = roofline_of_page;
}

void add_thread_options(cli::App &command, ThreadOptions &o) {
    command
        .add_option("--threads", o.of_node, "cores of a node that work in the runs; default: the processes on a node")
        ->check(cli::count());
    auto *of_process = command.add_option("--process-threads", o.of_process,
                                          "threads of each process that worked, if OMP_NUM_THREADS was set");
    of_process->check(cli::count());
    command.add_flag("--all-threads", o.all, "all threads of OMP_NUM_THREADS worked, in each run")
        ->excludes(of_process);
}

cli::Option *add_clock_option(cli::App &command, std::string &clock) {
    return command.add_option("--clock", clock, "clock [GHz], or turbo; default: the machine's nominal clock")
        ->check(refusal<clock_of>);
}

void add_set_option(cli::App &command, std::vector<std::string> &settings, const std::string &description) {
    command.add_option("--set", settings, description)
        ->type_name("NAME=NUMBER")
        ->again()
        ->check(refusal<[](const std::string &text) { WorkParameters().set(text); }>);
}

} // namespace cpl_lb
