// Adds the options of the machine to a command and reads them.
#include "projection/tools/roofline/roofline_options.hpp"

#include "projection/models/model_tables.hpp"

#include <stdexcept>

namespace cpl_lb {

std::string not_a_clock(const std::string &text) {
    try {
        (void)clock_of(text);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

cli::Option *add_machine_options(cli::App &command, MachineOptions &options) {
    cli::Option *machine = command.add_option("--machine", options.machine,
                                              "file of cpl-lb machine -o, or a name of cpl-lb machine --list");
    command
        .add_option("--threads", options.threads,
                    "cores of a node that work at the same time; default: for a run its processes on a node, for a "
                    "table the most in the machine's file")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}))
        ->needs(machine);
    command
        .add_option("--process-threads", options.process_threads,
                    "threads of each process that worked in the regions of a run, if OMP_NUM_THREADS was set")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}))
        ->needs(machine);
    command.add_option("--clock", options.clock, "clock [GHz] or turbo, if the machine has several")
        ->check(not_a_clock)
        ->needs(machine);
    command
        .add_option("--vector", options.vector,
                    "use the flop rate of these instructions (scalar, avx2, ...); default: the best")
        ->needs(machine);
    command
        .add_option("--access", options.access,
                    "use the bandwidth of this access (load, copy, triad); default: the best")
        ->needs(machine);
    return machine;
}

RooflineSetting setting_of(const MachineOptions &options) {
    RooflineSetting setting;
    setting.at = {static_cast<int>(options.threads), clock_of(options.clock)};
    setting.vector = options.vector;
    setting.access = options.access;
    return setting;
}

CoresAtWork cores_of(const MachineOptions &options, const Machine &machine) {
    return {static_cast<int>(options.threads), static_cast<int>(options.process_threads), most_threads(machine)};
}

} // namespace cpl_lb
