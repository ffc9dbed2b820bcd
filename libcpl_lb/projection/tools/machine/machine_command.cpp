// cpl-lb machine: measures this machine for the models, or shows one that is known.
#include "io/files/result_file.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/machine/machine_text.hpp"
#include "projection/measured/measure_machine.hpp"
#include "projection/measured/plausible.hpp"
#include "projection/tools/machine/machine_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/fmt.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace cpl_lb {
namespace {

struct MachineCommandOptions {
    std::string known, file, mpirun;
    bool quick = false, json = false, list = false;
};

std::string root_of(const char *variable, const char *otherwise) {
    const char *const value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): before any thread
    return value != nullptr && *value != '\0' ? value : otherwise;
}

// Beside the command, in a build folder or installed.
std::string pingpong_beside_command() {
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto pingpong = command.parent_path() / "cpl-lb-pingpong";
    return !error && std::filesystem::exists(pingpong, error) ? pingpong.string() : "";
}

Machine measured(const MachineCommandOptions &options) {
    MeasuringOptions measuring;
    measuring.readers.sysfs_root = root_of("CPL_LB_SYSFS", "/sys");
    measuring.readers.procfs_root = root_of("CPL_LB_PROCFS", "/proc");
    measuring.quick = options.quick;
    measuring.mpirun = options.mpirun;
    measuring.pingpong = pingpong_beside_command();
    const bool at_terminal = ::isatty(STDERR_FILENO) != 0;
    measuring.progress = [at_terminal](const std::string &what) {
        if (at_terminal) std::fputs(fmt::format("\r\033[Kmeasuring {} ...", what).c_str(), stderr);
    };
    const auto erase = [at_terminal] {
        if (at_terminal) std::fputs("\r\033[K", stderr);
    };
    try {
        Machine machine = measure_machine(measuring);
        erase();
        return machine;
    } catch (const ImplausibleError &) {
        erase();
        throw;
    }
}

void print_list(bool json) {
    std::string text;
    for (const std::string &name : shipped_machine_names())
        text += fmt::format("{:<16}  {}\n", name, load_machine(name).name);
    print(json ? machine_list_json() : text);
}

void run(const MachineCommandOptions &options) {
    if (options.list) return print_list(options.json);
    const Machine machine = options.known.empty() ? measured(options) : load_machine(options.known);
    if (!options.file.empty()) {
        const std::string text = machine_as_toml(machine);
        (void)parse_machine(text, options.file); // what --machine would refuse is not written
        write_result_file(options.file, text);
    }
    print(options.json ? machine_as_json(machine) : machine_as_text(machine));
}

} // namespace

void add_machine_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("machine", "Measures operations, bandwidth and power of this machine, for roofline, "
                                      "project, energy and assert. It takes seconds; nothing else should run then");
    const auto o = std::make_shared<MachineCommandOptions>();
    auto *known = command->add_option("MACHINE", o->known, "do not measure: show this machine, by file or name");
    command->add_option("-o,--output", o->file, "also write a file for --machine of the other commands");
    command
        ->add_option("--mpirun", o->mpirun,
                     "how to start two processes here, such as 'mpirun -n 2'; measures the messages between them")
        ->excludes(known);
    command->add_flag("--quick", o->quick, "take one or two seconds only; not exact, only to try it")
        ->excludes(known);
    command->add_flag("--list", o->list, "print the names of the known machines")->excludes(known);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run(*o); });
}

} // namespace cpl_lb
