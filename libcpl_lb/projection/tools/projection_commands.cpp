// What the models of other machines add to cpl-lb, and the options that several of their words have.
#include "projection/tools/projection_commands.hpp"

#include "projection/models/model_tables.hpp"

namespace cpl_lb {

void add_projection_commands(Commands &commands, RooflineOptions &roofline) {
    commands["machine"] = add_machine_command;
    roofline = roofline_of_page;
}

std::vector<cli::Option *> add_thread_options(cli::App &command, CoresAtWork &said) {
    auto *of_node =
        command.add_option("--threads", said.threads,
                           "cores of a node that work; default: the processes on a node, for a table all of "
                           "the machine's");
    auto *of_process = command.add_option("--process-threads", said.of_process,
                                          "threads of each process that worked, if OMP_NUM_THREADS was set");
    return {of_node->check(cli::count()), of_process->check(cli::count())};
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
