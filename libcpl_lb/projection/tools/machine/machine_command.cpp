// cpl-lb machine: measures this machine for the models, or shows one that is known.
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/measured/measure_machine.hpp"
#include "projection/measured/thread_team.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/fmt.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace cpl_lb {
namespace {

struct MachineCommandOptions {
    std::string known, file, mpirun;
    bool quick = false, json = false, list = false;
};

// Beside the command, in a build folder or installed.
std::string pingpong_beside_command() {
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto pingpong = command.parent_path() / "cpl-lb-pingpong";
    return !error && std::filesystem::exists(pingpong, error) ? pingpong.string() : "";
}

Machine measured(const MachineCommandOptions &options) {
    MeasuringOptions measuring;
    measuring.quick = options.quick;
    measuring.mpirun = options.mpirun;
    measuring.pingpong = pingpong_beside_command();
    // One line that the next one replaces, and that is gone at the end.
    const auto show = [at_terminal = ::isatty(STDERR_FILENO) != 0](const std::string &line) {
        if (at_terminal) std::fputs(("\r\033[K" + line).c_str(), stderr);
    };
    measuring.progress = [show](const std::string &what) { show("measuring " + what + " ..."); };
    const std::shared_ptr<void> at_the_end(nullptr, [show](void *) { show(""); });
    return measure_machine(measuring);
}

void print_list(bool json) {
    std::string text;
    JsonTree rows = JsonTree::array();
    for (const std::string &name : shipped_machine_names()) {
        const std::string its_own = load_machine(name).name;
        text += fmt::format("{:<16}  {}\n", name, its_own);
        rows.push_back({{"name", name}, {"machine", its_own}});
    }
    print(json ? rows.dump(2) + "\n" : text);
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
    cli::App *command = app.add_subcommand(
        "machine",
        "Measures this machine, and projects to other machines\nAlone it measures operations, bandwidth and "
        "power, for the words below. It takes seconds; nothing else should run then.");
    const auto o = std::make_shared<MachineCommandOptions>();
    auto *known = command->add_option("MACHINE", o->known, "do not measure: show this machine, by file or name");
    command->add_option("-o,--output", o->file, "also write a file for --machine of the words below");
    command
        ->add_option("--mpirun", o->mpirun,
                     "how to start two processes here, such as 'mpirun -n 2'; measures the messages between them")
        ->excludes(known);
    command->add_flag("--quick", o->quick, "take one or two seconds only; not exact, only to try it")
        ->excludes(known);
    command->add_flag("--list", o->list, "print the names of the known machines")->excludes(known);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run(*o); });
    for (const auto add :
         {add_roofline_word, add_project_word, add_fit_word, add_gpu_word, add_workflow_word, add_queue_word,
          add_energy_word, add_power_word, add_joules_word, add_assert_word, add_vectors_word})
        add(*command);
}

} // namespace cpl_lb
