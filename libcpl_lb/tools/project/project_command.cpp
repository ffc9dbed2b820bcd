// cpl-lb project: times on machines that one does not have (ESCAPE D3.5).
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/models/projection_error.hpp"
#include "tools/commands.hpp"
#include "tools/project/project_output.hpp"
#include "tools/roofline/roofline_options.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct ProjectOptions {
    std::string loops, fit, workflow, queue, kernels, measured, work, svg, csv, clock;
    std::vector<std::string> gpus, machines, domains;
    std::vector<std::int64_t> nodes;
    std::int64_t threads = 0;
    NodeExchange exchange{unknown, unknown, unknown, unknown};
    std::int64_t room_nodes = 0;
    double room_idle_W = unknown;
    bool no_backfill = false, json = false;
};

std::vector<GpuProjection> project_gpus(const ProjectOptions &o) {
    const std::vector<GpuKernel> kernels = read_gpu_kernels(o.kernels);
    MeasuredKernels measured;
    if (!o.measured.empty()) measured = read_measured_kernels(o.measured);
    MeasuredWork work;
    if (!o.work.empty()) work = read_work(o.work);
    const auto seconds = [&](const std::string &domain, const std::string &kernel) {
        const auto found = measured.find({domain, kernel});
        return found == measured.end() ? unknown : found->second;
    };
    std::vector<GpuProjection> all;
    for (const std::string &name : o.gpus) {
        const Machine machine = load_machine(name);
        for (const std::string &domain : o.domains) {
            GpuProjection p{machine.name, domain, cells_of(domain), kernels, {}, {}, seconds(domain, "all")};
            const double share = p.cells / cells_of(o.domains.front());
            p.flop = work.flop * share;
            p.moved_B = work.moved_B * share;
            for (const GpuKernel &kernel : kernels) {
                p.times.push_back(gpu_time(kernel, machine, p.cells));
                p.measured_s.push_back(seconds(domain, kernel.name));
            }
            all.push_back(std::move(p));
        }
    }
    return all;
}

std::vector<CodeProjection> project_code(const ProjectOptions &o) {
    const std::vector<CodeLoop> loops = read_loops(o.loops);
    NodeExchange exchange;
    if (is_known(o.exchange.seconds_per_B)) exchange = o.exchange;
    std::vector<CodeProjection> all;
    for (const std::string &name : o.machines) {
        const Machine machine = load_machine(name);
        CodeProjection p{machine.name,
                         name,
                         {static_cast<int>(o.threads), clock_of(o.clock)},
                         loops,
                         {o.nodes.begin(), o.nodes.end()},
                         {},
                         {},
                         {}};
        if (p.nodes.empty()) p.nodes = {1};
        if (p.at.threads == 0) p.at.threads = most_threads(machine);
        const PowerDraw full = power_of(machine, p.at), idle = power_of(machine, {0, p.at.clock_Hz});
        p.package = {full.package_W, idle.package_W};
        p.dram = {full.dram_W, idle.dram_W};
        const NodeRates rates = node_rates(machine, p.at);
        for (const std::int64_t n : p.nodes)
            p.times.push_back(code_time(loops, std::vector<NodeRates>(static_cast<std::size_t>(n), rates), exchange));
        all.push_back(std::move(p));
    }
    return all;
}

void run_fit(const ProjectOptions &o) {
    if (o.machines.size() != 1)
        throw ProjectionError("--fit needs the one --machine on which the runs were measured");
    const Machine machine = load_machine(o.machines.front());
    std::vector<FittedLoop> fitted;
    for (const MeasuredLoop &loop : read_loop_runs(o.fit)) {
        try {
            fitted.push_back({loop.name, loop.runs, fit_loop(loop.name, loop.runs, machine)});
        } catch (const ProjectionError &error) {
            throw FileError(o.fit, error.what());
        }
    }
    if (!o.csv.empty()) write_result_file(o.csv, fit_as_csv(fitted));
    print(o.json ? fit_as_json(machine.name, fitted) : fit_as_text(machine.name, fitted));
}

void run_workflow(const ProjectOptions &o) {
    const WorkflowPlan plan = read_workflow(o.workflow);
    const std::vector<WorkflowAnswer> answers = all_answers(plan);
    if (!o.svg.empty()) write_result_file(o.svg, workflow_as_svg(plan, answers));
    print(o.json ? workflow_as_json(plan, answers) : workflow_as_text(plan, answers));
}

void run_queue(const ProjectOptions &o) {
    const std::vector<QueuedJob> jobs = read_jobs(o.queue);
    const MachineRoom room{static_cast<int>(o.room_nodes), o.room_idle_W};
    const RoomSchedule schedule = schedule_jobs(jobs, room, !o.no_backfill);
    print(o.json ? queue_as_json(jobs, room, schedule) : queue_as_text(jobs, room, schedule));
}

void run_project(const ProjectOptions &o) {
    if (!o.gpus.empty()) {
        const std::vector<GpuProjection> all = project_gpus(o);
        print(o.json ? gpu_as_json(all) : gpu_as_text(all));
    } else if (!o.loops.empty()) {
        if (o.machines.empty()) throw ProjectionError("--loops needs a --machine");
        const std::vector<CodeProjection> all = project_code(o);
        if (!o.svg.empty()) write_result_file(o.svg, code_as_svg(all));
        print(o.json ? code_as_json(all) : code_as_text(all));
    } else if (!o.fit.empty()) {
        run_fit(o);
    } else if (!o.queue.empty()) {
        run_queue(o);
    } else {
        run_workflow(o);
    }
}

std::string not_a_domain(const std::string &text) {
    try {
        (void)cells_of(text);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

void add_gpu_options(cli::App &command, ProjectOptions &o, cli::Option *gpu) {
    auto *kernels = command.add_option("--kernels", o.kernels, "table of kernels")->type_name("FILE")->needs(gpu);
    auto *domains = command.add_option("--domain", o.domains, "domains, 200x200x80,100x100x80")
                        ->delimiter(',')
                        ->check(not_a_domain)
                        ->needs(gpu);
    gpu->needs(kernels)->needs(domains);
    command.add_option("--measured", o.measured, "table domain,kernel,seconds to compare with")
        ->type_name("FILE")
        ->needs(gpu);
    command.add_option("--work", o.work, "table kernel,flops,bytes of a run on the first domain")
        ->type_name("FILE")
        ->needs(gpu);
}

void add_exchange_options(cli::App &command, NodeExchange &exchange) {
    auto *time =
        command.add_option("--seconds-per-B", exchange.seconds_per_B, "T_single: time of a byte between nodes [s]");
    auto *in = command.add_option("--in", exchange.in_B, "bytes that a node receives in one exchange");
    auto *out = command.add_option("--out", exchange.out_B, "bytes that a node sends in one exchange");
    auto *times = command.add_option("--exchanges", exchange.iterations, "number of exchanges in the run");
    time->check(cli::positive())->needs(in)->needs(out)->needs(times);
    for (auto *option : {in, out, times})
        option->check(cli::not_negative())->needs(time);
}

void add_room_options(cli::App &command, ProjectOptions &o, cli::Option *queue) {
    auto *nodes = command.add_option("--room", o.room_nodes, "nodes of the machine room")
                      ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}))
                      ->needs(queue);
    queue->needs(nodes);
    command.add_option("--room-idle", o.room_idle_W, "power of one of them while it waits [W]")
        ->check(cli::positive())
        ->needs(queue);
    command.add_flag("--no-backfill", o.no_backfill, "no job of --queue goes ahead of one that came before")
        ->needs(queue);
}

} // namespace

void add_project_command(cli::App &app) {
    cli::App *command = app.add_subcommand(
        "project", "Time on machines that one does not have: loops, GPU kernels, workflows (docs/project.md)");
    const auto o = std::make_shared<ProjectOptions>();
    cli::App *what = command->add_option_group("what", "one of these");
    what->add_option("--loops", o->loops, "table of loops with their work and coefficients, on --machine")
        ->type_name("FILE");
    auto *fit = what->add_option("--fit", o->fit, "table of measured runs of loops: coefficients for --loops")
                    ->type_name("FILE");
    auto *gpu = what->add_option("--gpu", o->gpus, "cards, by name or file, that run --kernels on each --domain")
                    ->delimiter(',');
    what->add_option("--workflow", o->workflow, "several codes, one after the other or side by side (TOML)")
        ->type_name("FILE");
    auto *queue =
        what->add_option("--queue", o->queue, "jobs on a machine room's nodes: job,submitted_s,nodes,seconds,power_W")
            ->type_name("FILE");
    what->require_option(1);
    add_room_options(*command, *o, queue);
    command->add_option("--machine", o->machines, "machines, by name (docs/machine.md) or file")->delimiter(',');
    command->add_option("--threads", o->threads, "threads of a node; all of them if not given")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    command->add_option("--clock", o->clock, "clock [GHz], or turbo; the machine's nominal one if not given")
        ->check(not_a_clock);
    command->add_option("--nodes", o->nodes, "numbers of nodes, 1,2,4,8")
        ->delimiter(',')
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    add_exchange_options(*command, o->exchange);
    add_gpu_options(*command, *o, gpu);
    command->add_option("--svg", o->svg, "picture of --loops or --workflow as a file")
        ->type_name("FILE")
        ->excludes(gpu)
        ->excludes(fit);
    command->add_option("--csv", o->csv, "coefficients of --fit as a table for --loops")
        ->type_name("FILE")
        ->needs(fit);
    command->add_flag("--json", o->json, "for programs");
    command->callback([o] { run_project(*o); });
}

} // namespace cpl_lb
