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

using Json = JsonTree;

Json clock_json(double clock_Hz) {
    return clock_Hz == turbo_clock ? Json("turbo") : Json(clock_Hz);
}

Json json_of(const FlopRate &r) {
    return {{"vector", r.vector},
            {"threads", r.at.threads},
            {"clock_Hz", clock_json(r.at.clock_Hz)},
            {"flop_per_s", r.flop_per_s}};
}

Json json_of(const LevelBandwidth &b) {
    return {{"level", b.level},
            {"access", b.access},
            {"threads", b.at.threads},
            {"clock_Hz", clock_json(b.at.clock_Hz)},
            {"B_per_s", b.B_per_s}};
}

Json json_of(const MachineLevel &l) {
    return {{"level", l.level}, {"size_B", l.size_B}, {"shared_by_cores", l.shared_by}, {"latency_s", l.latency_s}};
}

Json json_of(const NetworkLink &n) {
    return {{"between", n.between}, {"latency_s", n.latency_s}, {"B_per_s", n.B_per_s}};
}

Json json_of(const PowerDraw &p) {
    return {{"threads", p.at.threads},
            {"clock_Hz", clock_json(p.at.clock_Hz)},
            {"package_W", p.package_W},
            {"dram_W", p.dram_W}};
}

Json json_of(const LocalityBandwidth &l) {
    return {{"mv", l.mv},
            {"B_per_s_by_tl_and_sl", l.B_per_s},
            {"scalar_flop_per_s", l.scalar_flop_per_s},
            {"vector_flop_per_s", l.vector_flop_per_s}};
}

Json json_of(const GpuFacts &gpu) {
    return {{"architecture", gpu.architecture},
            {"clock_Hz", gpu.clock_Hz},
            {"memory_clock_Hz", gpu.memory_clock_Hz},
            {"bus_bit", gpu.bus_bit},
            {"multiprocessors", gpu.multiprocessors},
            {"double_flop_per_s", gpu.double_flop_per_s},
            {"single_flop_per_s", gpu.single_flop_per_s},
            {"integer_op_per_s", gpu.integer_op_per_s},
            {"B_per_s", gpu.B_per_s},
            {"power_limit_W", gpu.power_limit_W},
            {"average_power_W", gpu.average_power_W}};
}

template <typename Rows>
Json list_json(const Rows &rows) {
    Json list = Json::array();
    for (const auto &row : rows)
        list.push_back(json_of(row));
    return list;
}

// SI units, in the names; null: not known. A clock of "turbo" is text.
std::string machine_as_json(const Machine &machine) {
    const Json root = {{"name", machine.name},
                       {"source", machine.source},
                       {"sockets", machine.sockets},
                       {"figures_for_sockets", sockets_of_figures(machine)},
                       {"cores", machine.cores},
                       {"clock_Hz", clock_json(machine.clock_Hz)},
                       {"vector_length", machine.vector_length},
                       {"flop_rates", list_json(machine.flop_rates)},
                       {"bandwidths", list_json(machine.bandwidths)},
                       {"levels", list_json(machine.levels)},
                       {"network", list_json(machine.network)},
                       {"power", list_json(machine.power)},
                       {"locality", list_json(machine.locality)},
                       {"gpu", machine.has_gpu ? json_of(machine.gpu) : Json()},
                       {"remarks", machine.remarks}};
    return root.dump(2) + "\n";
}

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
    Json rows = Json::array();
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
