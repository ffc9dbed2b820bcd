// cpl-lb machine: measures this machine for the models, or shows one that is known.
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/measured/measure_machine.hpp"
#include "projection/measured/thread_team.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/fmt.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace cpl_lb {
namespace {

using Json = JsonTree;

Json value_json(double value) {
    if (std::isinf(value)) return "turbo";
    return is_known(value) ? Json(value) : Json();
}

Json rates_json(const Machine &machine) {
    Json rows = Json::array();
    for (const FlopRate &r : machine.flop_rates) {
        rows.push_back({{"vector", r.vector},
                        {"threads", r.at.threads},
                        {"clock_Hz", value_json(r.at.clock_Hz)},
                        {"flop_per_s", value_json(r.flop_per_s)}});
    }
    return rows;
}

Json bandwidths_json(const Machine &machine) {
    Json rows = Json::array();
    for (const LevelBandwidth &b : machine.bandwidths) {
        rows.push_back({{"level", b.level},
                        {"access", b.access},
                        {"threads", b.at.threads},
                        {"clock_Hz", value_json(b.at.clock_Hz)},
                        {"B_per_s", value_json(b.B_per_s)}});
    }
    return rows;
}

Json locality_json(const Machine &machine) {
    Json rows = Json::array();
    for (const LocalityBandwidth &l : machine.locality) {
        Json table = Json::array();
        for (const auto &row : l.B_per_s)
            table.push_back({value_json(row[0]), value_json(row[1]), value_json(row[2])});
        rows.push_back({{"mv", l.mv},
                        {"B_per_s_by_tl_and_sl", table},
                        {"scalar_flop_per_s", value_json(l.scalar_flop_per_s)},
                        {"vector_flop_per_s", value_json(l.vector_flop_per_s)}});
    }
    return rows;
}

Json gpu_json(const GpuFacts &gpu) {
    return {{"architecture", gpu.architecture},
            {"clock_Hz", value_json(gpu.clock_Hz)},
            {"memory_clock_Hz", value_json(gpu.memory_clock_Hz)},
            {"bus_bit", value_json(gpu.bus_bit)},
            {"multiprocessors", value_json(gpu.multiprocessors)},
            {"double_flop_per_s", value_json(gpu.double_flop_per_s)},
            {"single_flop_per_s", value_json(gpu.single_flop_per_s)},
            {"integer_op_per_s", value_json(gpu.integer_op_per_s)},
            {"B_per_s", value_json(gpu.B_per_s)},
            {"power_limit_W", value_json(gpu.power_limit_W)},
            {"average_power_W", value_json(gpu.average_power_W)}};
}

// SI units, in the names; null: not known. A clock of "turbo" is text.
std::string machine_as_json(const Machine &machine) {
    Json root = {{"name", machine.name},
                 {"source", machine.source},
                 {"sockets", value_json(machine.sockets)},
                 {"figures_for_sockets", value_json(sockets_of_figures(machine))},
                 {"cores", value_json(machine.cores)},
                 {"clock_Hz", value_json(machine.clock_Hz)},
                 {"vector_length", value_json(machine.vector_length)},
                 {"flop_rates", rates_json(machine)},
                 {"bandwidths", bandwidths_json(machine)},
                 {"levels", Json::array()},
                 {"network", Json::array()},
                 {"power", Json::array()},
                 {"locality", locality_json(machine)},
                 {"gpu", machine.has_gpu ? gpu_json(machine.gpu) : Json()},
                 {"remarks", machine.remarks}};
    for (const MachineLevel &l : machine.levels) {
        root["levels"].push_back({{"level", l.level},
                                  {"size_B", value_json(l.size_B)},
                                  {"shared_by_cores", value_json(l.shared_by)},
                                  {"latency_s", value_json(l.latency_s)}});
    }
    for (const NetworkLink &n : machine.network)
        root["network"].push_back(
            {{"between", n.between}, {"latency_s", value_json(n.latency_s)}, {"B_per_s", value_json(n.B_per_s)}});
    for (const PowerDraw &p : machine.power) {
        root["power"].push_back({{"threads", p.at.threads},
                                 {"clock_Hz", value_json(p.at.clock_Hz)},
                                 {"package_W", value_json(p.package_W)},
                                 {"dram_W", value_json(p.dram_W)}});
    }
    return root.dump(2) + "\n";
}

std::string machine_list_json() {
    Json rows = Json::array();
    for (const std::string &name : shipped_machine_names())
        rows.push_back({{"name", name}, {"machine", load_machine(name).name}});
    return rows.dump(2) + "\n";
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
        app.add_subcommand("machine", "Measures this machine: operations, bandwidth, power\nFor roofline, project, "
                                      "energy and assert. It takes seconds; nothing else should run then.");
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
