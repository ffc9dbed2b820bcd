// cpl-lb machine energy, power and joules: energy of a command by the meters; power and energy of a code from a few
// measured rows (ESCAPE D3.5, section 5), and joules of its operations and bytes.
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/measured/measure_command.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/tools/energy/energy_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace cpl_lb {
namespace {

struct EnergyOptions {
    std::vector<std::string> command; // after --
    std::vector<std::string> before;  // words that should stand there
    std::string output;
    bool json = false;
};

struct PowerOptions {
    std::string table, machine, clock;
    std::vector<double> package, dram;
    double nodes = 1;
    bool json = false;
};

struct JouleOptions {
    std::vector<std::string> sources; // tables or runs
    CoresAtWork threads;
    bool json = false;
};

// Coefficients given by the user, else fitted where there are measured powers, else none.
void settle(EnergyDomain &domain, const std::vector<double> &given, const std::string &name,
            const std::string &path) {
    if (!given.empty()) {
        domain.fit.coefficients = {given[0], given[1]};
        return;
    }
    const auto is_complete = [](const PowerPoint &p) { return is_known(p.measured_W) && is_known(p.full_W); };
    if (std::ranges::none_of(domain.powers, is_complete)) return;
    if (!is_known(domain.idle_W))
        throw ProjectionError(path + ": no row with 0 threads, so the idle power of the " + name + " is not known");
    for (const PowerPoint &point : domain.powers) {
        if (is_complete(point) && point.full_W < domain.idle_W)
            throw ProjectionError(fmt::format("{}: the {} draws {:g} W under full load, less than idle ({:g} W)",
                                              path, name, point.full_W, domain.idle_W));
    }
    try {
        domain.fit = fit_power(domain.powers, domain.idle_W);
        domain.fitted = true;
    } catch (const ProjectionError &error) {
        domain.why_not = error.what();
    }
}

// Full and idle power from the machine's file where the table does not give them.
void take_from_machine(EnergyTable &table, const Machine &machine, double clock_Hz) {
    const PowerDraw idle = power_of(machine, {0, clock_Hz});
    if (!is_known(table.package.idle_W)) table.package.idle_W = idle.package_W;
    if (!is_known(table.dram.idle_W)) table.dram.idle_W = idle.dram_W;
    for (std::size_t r = 0; r < table.threads.size(); ++r) {
        const PowerDraw full = power_of(machine, {table.threads[r], clock_Hz});
        if (!is_known(table.package.powers[r].full_W)) table.package.powers[r].full_W = full.package_W;
        if (!is_known(table.dram.powers[r].full_W)) table.dram.powers[r].full_W = full.dram_W;
    }
}

void run_power(const PowerOptions &o) {
    // "energy" was one command for both questions.
    if (std::error_code error; !std::filesystem::exists(o.table, error))
        throw ProjectionError(fmt::format(
            "{}: there is no such file (to measure a command: cpl-lb machine energy -- {})", o.table, o.table));
    EnergyTable table = read_energy_table(o.table);
    table.nodes = o.nodes;
    if (!o.machine.empty()) take_from_machine(table, load_machine(o.machine), clock_of(o.clock));
    settle(table.package, o.package, "package", o.table);
    settle(table.dram, o.dram, "DRAM", o.table);
    if (!table.package.is_known() && !table.dram.is_known()) {
        for (const EnergyDomain *domain : {&table.package, &table.dram})
            if (!domain->why_not.empty()) throw ProjectionError(o.table + ": " + domain->why_not);
        throw ProjectionError(o.table +
                              ": nothing to fit to: it needs package_W and measured_package_W (or dram_W and "
                              "measured_dram_W), or --package U,S");
    }
    print(o.json ? energy_as_json(table) : energy_as_text(table));
}

void run_joules(const JouleOptions &o) {
    refuse_folders_twice(o.sources);
    const EnergyByWork rows = energy_by_work(o.sources, o.threads);
    print(o.json ? work_energy_as_json(rows) : work_energy_as_text(rows));
}

std::string command_as_text(const MeasuredCommand &m) {
    std::string text = fmt::format("Time: {:.3f} s\n", m.seconds);
    if (!m.why_no_energy.empty()) return text + "Energy: n/a: " + m.why_no_energy + "\n";
    std::size_t width = 6;
    for (const MeasuredDomain &d : m.domains)
        width = std::max(width, d.name.size());
    text += fmt::format("{:<{}}  {:>12}  {:>10}   (of the whole node, by {})\n", "domain", width, "energy [J]",
                        "power [W]", m.source);
    for (const MeasuredDomain &d : m.domains) {
        text += fmt::format("{:<{}}  {:>12}  {:>10}\n", d.name, width, decimal_text(d.joules, 3),
                            decimal_text(d.joules / m.seconds, 3));
    }
    for (const std::string &remark : m.remarks)
        text += remark + "\n";
    return text;
}

std::string command_as_json(const MeasuredCommand &m, const std::vector<std::string> &words) {
    JsonTree root = {{"command", words},
                     {"exit_status", m.status},
                     {"seconds", JsonTree::number(m.seconds)},
                     {"source", JsonTree::text(m.source)},
                     {"why_no_energy", JsonTree::text(m.why_no_energy)},
                     {"domains", JsonTree::array()},
                     {"remarks", m.remarks}};
    for (const MeasuredDomain &d : m.domains) {
        root["domains"].push_back({{"name", d.name},
                                   {"energy_J", JsonTree::number(d.joules)},
                                   {"power_W", JsonTree::number(d.joules / m.seconds)}});
    }
    return root.dump(2) + "\n";
}

// Runs the command after -- and waits for it: its time, joules and power, as rapl-read prints them (ESCAPE D3.5,
// section 5.1). They go to the file of --output, or to standard error, because standard output is the command's.
int run_command(const EnergyOptions &o) {
    if (o.command.empty()) throw cli::WrongUsage("give the command after --");
    if (!o.before.empty()) throw cli::WrongUsage("not expected: " + o.before.front());
    const MeasuredCommand measured = measure_command(o.command);
    if (!measured.why_not_started.empty()) {
        print_error(measured.why_not_started);
        return measured.status;
    }
    const std::string answer = o.json ? command_as_json(measured, o.command) : command_as_text(measured);
    if (o.output.empty())
        std::fputs(answer.c_str(), stderr);
    else
        write_result_file(o.output, answer);
    return measured.status;
}

} // namespace

void add_energy_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "energy",
        "Measures the time, energy and power of a command\nThat stands after --, as in cpl-lb machine energy "
        "-- ./ocean.exe, by the meters of this node.");
    const auto o = std::make_shared<EnergyOptions>();
    command->take_after_dashes(o->command);
    command->add_option("COMMAND", o->before, "the command and its arguments, after --");
    command->add_option("-o,--output", o->output, "file for the answer, instead of standard error");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { throw EndAs(run_command(*o)); });
}

void add_power_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "power", "Fits the power of a code over threads, and gives its energy\nOf package, DRAM and nodes "
                 "(docs/machines.md).");
    const auto o = std::make_shared<PowerOptions>();
    command
        ->add_option("TABLE", o->table,
                     "power over threads, with the columns threads (0: idle), package_W and dram_W (full load), "
                     "measured_package_W and "
                     "measured_dram_W (with the code), seconds, measured_package_J, measured_dram_J")
        ->required();
    auto *with_powers = command->add_option("--machine", o->machine,
                                            "machine with full and idle power in its file: its name or file");
    add_clock_option(*command, o->clock)->needs(with_powers);
    for (cli::Option *coefficients :
         {command->add_option("--package", o->package, "coefficients U,S of the package, instead of fitted ones"),
          command->add_option("--dram", o->dram, "coefficients X,Y of DRAM, instead of fitted ones")})
        coefficients->delimiter(',')->expected(2)->check(cli::not_negative());
    command->add_option("--nodes", o->nodes, "number of nodes that do the same for the same time")
        ->check(cli::in_range(1.0, 1e6));
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_power(*o); });
}

void add_joules_word(cli::App &machine) {
    cli::App *command =
        machine.add_subcommand("joules", "Fits the energy of an operation and of a byte, and the constant power\nTo "
                                         "regions of runs, or to a table.");
    const auto o = std::make_shared<JouleOptions>();
    command
        ->add_option("SOURCE", o->sources,
                     "folders of runs with counters and energy of regions, or tables flops, bytes, seconds, joules")
        ->required();
    (void)add_thread_options(*command, o->threads);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_joules(*o); });
}

} // namespace cpl_lb
