// cpl-lb energy: power and energy of a code from a few measured rows (ESCAPE D3.5, section 5).
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/measured/measure_command.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/tools/energy/energy_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "support/fmt.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct EnergyOptions {
    std::vector<std::string> sources, work; // tables or runs
    std::vector<std::string> command;       // after --
    std::string machine, clock, output;
    ThreadOptions threads;
    std::vector<double> package, dram;
    double nodes = 1;
    double gpu_limit_W = unknown, gpu_average_W = unknown, gpu_share = unknown, host_idle_W = unknown,
           seconds = unknown;
    bool json = false, has_command = false;
};

// Coefficients given by the user, else fitted where there are measured powers, else none.
void settle(EnergyDomain &domain, const std::vector<double> &given, const std::string &name,
            const std::string &path) {
    if (!given.empty()) {
        domain.coefficients = {given[0], given[1]};
        return;
    }
    std::vector<PowerPoint> points;
    std::vector<EnergyDomainRow *> rows; // of these points
    for (EnergyDomainRow &row : domain.rows) {
        if (!is_known(row.power.measured_W) || !is_known(row.power.full_W)) continue;
        points.push_back(row.power);
        rows.push_back(&row);
    }
    if (points.empty()) return;
    if (!is_known(domain.idle_W))
        throw ProjectionError(path + ": no row with 0 threads, so the idle power of the " + name + " is not known");
    for (const PowerPoint &point : points) {
        if (point.full_W < domain.idle_W)
            throw ProjectionError(fmt::format("{}: the {} draws {:g} W under full load, less than idle ({:g} W)",
                                              path, name, point.full_W, domain.idle_W));
    }
    PowerFit fit;
    try {
        fit = fit_power(points, domain.idle_W);
    } catch (const ProjectionError &error) {
        domain.why_not = error.what();
        return;
    }
    domain.coefficients = fit.coefficients;
    domain.half_width = fit.half_width;
    domain.fitted = true;
    for (std::size_t p = 0; p < rows.size(); ++p) {
        rows[p]->fit_error = fit.error[p];
        rows[p]->left_out_error = fit.left_out_error[p];
    }
}

// Full and idle power from the machine's file where the table does not give them.
void take_from_machine(EnergyTable &table, const Machine &machine, double clock_Hz) {
    const PowerDraw idle = power_of(machine, {0, clock_Hz});
    if (!is_known(table.package.idle_W)) table.package.idle_W = idle.package_W;
    if (!is_known(table.dram.idle_W)) table.dram.idle_W = idle.dram_W;
    for (std::size_t r = 0; r < table.threads.size(); ++r) {
        const PowerDraw full = power_of(machine, {table.threads[r], clock_Hz});
        if (!is_known(table.package.rows[r].power.full_W)) table.package.rows[r].power.full_W = full.package_W;
        if (!is_known(table.dram.rows[r].power.full_W)) table.dram.rows[r].power.full_W = full.dram_W;
    }
}

EnergyTable table_of(const EnergyOptions &o) {
    if (std::ranges::all_of(o.sources, is_run)) {
        if (o.machine.empty()) {
            throw ProjectionError(
                o.sources.front() +
                ": runs do not hold the power under full load and idle: give --machine with a file that does");
        }
        return energy_table_of_runs(o.sources, o.threads.said());
    }
    if (o.sources.size() > 1) throw ProjectionError("energy takes one table, or runs only");
    return read_energy_table(o.sources.front());
}

void run_table(const EnergyOptions &o) {
    EnergyTable table = table_of(o);
    const std::string where = first_of(o.sources);
    table.nodes = o.nodes;
    if (!o.machine.empty()) take_from_machine(table, load_machine(o.machine), clock_of(o.clock));
    settle(table.package, o.package, "package", where);
    settle(table.dram, o.dram, "DRAM", where);
    if (!is_known(table.package.coefficients.full) && !is_known(table.dram.coefficients.full)) {
        for (const EnergyDomain *domain : {&table.package, &table.dram})
            if (!domain->why_not.empty()) throw ProjectionError(where + ": " + domain->why_not);
        throw ProjectionError(where + ": nothing to fit to: it needs package_W and measured_package_W (or dram_W and "
                                      "measured_dram_W), or --package U,S");
    }
    print(o.json ? energy_as_json(table) : energy_as_text(table));
}

void run_gpu(const EnergyOptions &o) {
    GpuEnergy gpu{o.gpu_limit_W, o.gpu_share, o.host_idle_W, o.seconds, o.nodes};
    if (!is_known(gpu.share)) {
        if (!is_known(o.gpu_average_W)) throw ProjectionError("--gpu-limit needs --gpu-average or --gpu-share");
        gpu.share = o.gpu_average_W / o.gpu_limit_W;
    }
    if (gpu.share > 1) throw ProjectionError("the GPU cannot draw more than its limit; are both in watts?");
    print(o.json ? gpu_energy_as_json(gpu) : gpu_energy_as_text(gpu));
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
        const auto figure = [](double value) { return is_known(value) ? fmt::format("{:.3f}", value) : "n/a"; };
        text +=
            fmt::format("{:<{}}  {:>12}  {:>10}\n", d.name, width, figure(d.joules), figure(d.joules / m.seconds));
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

void run_energy(const EnergyOptions &o) {
    if (o.has_command) {
        if (o.command.empty()) throw cli::WrongUsage("--command stands for a command after --");
        throw EndAs(run_command(o));
    }
    refuse_folders_twice(o.sources);
    refuse_folders_twice(o.work);
    if (!o.sources.empty()) {
        run_table(o);
    } else if (!o.work.empty()) {
        const EnergyByWork rows = energy_by_work(o.work, o.threads.said());
        print(o.json ? work_energy_as_json(rows) : work_energy_as_text(rows));
    } else {
        run_gpu(o);
    }
}

void add_thread_options(cli::App &command, ThreadOptions &o) {
    auto *threads = command
                        .add_option("--threads", o.of_node,
                                    "cores of a node that work in the runs; default: the processes on a node")
                        ->check(cli::count());
    auto *of_process = command
                           .add_option("--process-threads", o.of_process,
                                       "threads of each process in the runs, if OMP_NUM_THREADS was set")
                           ->check(cli::count())
                           ->excludes(threads);
    command.add_flag("--all-threads", o.all, "all threads of OMP_NUM_THREADS work, in each run")
        ->excludes(threads)
        ->excludes(of_process);
}

} // namespace

void add_energy_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("energy", "Measures a command's energy, or estimates that of a code\nFrom a few measured "
                                     "runs: package, DRAM, GPU and nodes (docs/energy.md).");
    const auto o = std::make_shared<EnergyOptions>();
    auto *what = command->add_option_group("what", "give one of these");
    auto *table =
        what->add_option("SOURCE", o->sources,
                         "folders of runs with different threads, on --machine; or a table of power over threads "
                         "with the columns threads (0: idle), package_W and dram_W (full load), measured_package_W "
                         "and measured_dram_W (with the code), seconds, measured_package_J, measured_dram_J");
    what->add_option("--work", o->work,
                     "folders of runs with counters and energy of regions, or a table flops, bytes, seconds, joules: "
                     "gives the energy of an operation and of a byte, and the constant power")
        ->type_name("RUN|FILE");
    add_thread_options(*command, o->threads);
    auto *limit = what->add_option("--gpu-limit", o->gpu_limit_W, "power limit of a GPU [W]")->check(cli::positive());
    what->add_flag(
        "--command", o->has_command,
        "as soon as a command stands after --: its time, joules and power, as of cpl-lb energy -- ./ocean.exe");
    command->take_after_dashes("--command", o->command);
    what->require_option(1);
    for (cli::Option *of_gpu :
         {command->add_option("--gpu-average", o->gpu_average_W, "power that the GPU drew with the code [W]")
              ->check(cli::positive()),
          command->add_option("--gpu-share", o->gpu_share, "the same as a share of the limit, 0 to 1")
              ->check(cli::in_range(0.0, 1.0)),
          command->add_option("--host-idle", o->host_idle_W, "idle power of the package that holds the GPU [W]")
              ->check(cli::positive()),
          command->add_option("--seconds", o->seconds, "how long the code runs on the GPU [s]")
              ->check(cli::positive())})
        of_gpu->needs(limit);
    auto *machine =
        command->add_option("--machine", o->machine, "machine with full and idle power in its file: its name or file")
            ->needs(table);
    command->add_option("--clock", o->clock, "clock of the machine's rows [GHz]")->needs(machine);
    for (cli::Option *coefficients :
         {command->add_option("--package", o->package, "coefficients U,S of the package, instead of fitted ones"),
          command->add_option("--dram", o->dram, "coefficients X,Y of DRAM, instead of fitted ones")})
        coefficients->delimiter(',')->expected(2)->check(cli::not_negative())->needs(table);
    command->add_option("--nodes", o->nodes, "number of nodes that do the same for the same time")
        ->check(cli::in_range(1.0, 1e6));
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->add_option("-o,--output", o->output,
                        "with a command after --: file for the answer, instead of standard error");
    command->callback([o] { run_energy(*o); });
}

} // namespace cpl_lb
