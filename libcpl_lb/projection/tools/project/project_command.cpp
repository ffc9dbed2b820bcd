// cpl-lb project: times on machines that one does not have (ESCAPE D3.5).
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/loop_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/tools/project/project_output.hpp"
#include "projection/tools/projection_commands.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct ProjectOptions {
    LoopOptions loops;
    std::string workflow, queue, kernels, profile_domain, show = "times", measured, work, svg, csv, clock;
    std::vector<std::string> fit, profiles, gpus, machines, domains;
    std::vector<std::int64_t> nodes;
    ThreadOptions threads;
    std::int64_t room_nodes = 0;
    double room_idle_W = unknown;
    bool no_backfill = false, json = false;
};

std::vector<std::string> files_in(const std::string &list) {
    std::vector<std::string> files;
    std::istringstream stream(list);
    for (std::string file; std::getline(stream, file, ',');)
        files.push_back(file);
    return files;
}

// From a table, or from the profiles of one card or of several.
std::vector<GpuKernel> kernels_of(const ProjectOptions &o) {
    if (!o.kernels.empty()) return read_gpu_kernels(o.kernels);
    std::vector<std::vector<GpuKernel>> cards;
    for (const std::string &files : o.profiles)
        cards.push_back(characteristics_of(read_gpu_profile(files_in(files)), cells_of(o.profile_domain)));
    return average_over_cards(cards);
}

std::vector<GpuProjection> project_gpus(const ProjectOptions &o, const std::vector<GpuKernel> &kernels) {
    MeasuredKernels measured;
    if (!o.measured.empty()) measured = read_measured_kernels(o.measured);
    MeasuredWork work;
    if (!o.work.empty()) work = read_work(o.work);
    const auto seconds = [&](const std::string &card, const std::string &domain, const std::string &kernel) {
        for (const std::string &whose : {card, std::string()})
            if (const auto found = measured.find({whose, domain, kernel}); found != measured.end())
                return found->second;
        return unknown;
    };
    std::vector<GpuProjection> all;
    for (const std::string &name : o.gpus) {
        const Machine machine = load_machine(name);
        for (const std::string &domain : o.domains) {
            GpuProjection p{machine.name, name, domain, cells_of(domain),
                            kernels,      {},   {},     seconds(name, domain, "all")};
            const double share = p.cells / cells_of(o.domains.front());
            p.flop = work.flop * share;
            p.moved_B = work.moved_B * share;
            for (const GpuKernel &kernel : kernels) {
                p.times.push_back(gpu_time(kernel, machine, p.cells));
                p.measured_s.push_back(seconds(name, domain, kernel.name));
            }
            all.push_back(std::move(p));
        }
    }
    return all;
}

void run_loops(const ProjectOptions &o) {
    if (o.machines.empty()) throw ProjectionError("--loops needs a --machine");
    const std::vector<CodeLoop> loops = read_loops(o.loops.table, work_parameters(o.loops));
    const MachineSetting at{o.threads.said().threads, clock_of(o.clock)};
    if (!loops.empty() && !is_known(loops.front().flop) && !is_known(loops.front().moved_B)) {
        const std::vector<RatesProjection> all = project_rates(loops, o.machines, at);
        return print(o.json ? rates_as_json(all) : rates_as_text(all));
    }
    const std::vector<CodeProjection> all = project_code(o.loops, loops, o.machines, at, o.nodes);
    if (!o.svg.empty()) write_result_file(o.svg, code_as_svg(all));
    print(o.json ? code_as_json(all) : code_as_text(all));
}

std::string nothing_fitted(const std::vector<std::string> &sources, const std::vector<FittedLoop> &loops) {
    const std::string where = first_of(sources);
    if (loops.empty()) return where + ": no region and no coupling loop has a time";
    return where + ": no coefficient can be told. " + loops.front().name + ": " + loops.front().why_not;
}

// Tables say all that a fit needs, or are wrong; runs tell what they can.
std::vector<FittedLoop> fit_tables(const std::vector<std::string> &tables, const Machine &machine) {
    std::vector<FittedLoop> fitted;
    for (const std::string &table : tables) {
        for (const MeasuredLoop &loop : read_loop_runs(table)) {
            try {
                fitted.push_back({loop.name, loop.runs, fit_loop(loop.name, loop.runs, machine), ""});
            } catch (const ProjectionError &error) {
                throw FileError(table, error.what());
            }
        }
    }
    return fitted;
}

void run_fit(const ProjectOptions &o) {
    if (o.machines.size() != 1)
        throw ProjectionError("--fit needs the one --machine on which the runs were measured");
    refuse_folders_twice(o.fit);
    const Machine machine = load_machine(o.machines.front());
    std::vector<std::string> tables, runs;
    std::ranges::partition_copy(o.fit, std::back_inserter(runs), std::back_inserter(tables), is_run);
    std::vector<FittedLoop> fitted = fit_tables(tables, machine);
    const LoopsOfRuns measured =
        loops_of_runs(runs, machine, o.threads.said(most_threads(machine)), clock_of(o.clock));
    for (const MeasuredLoop &loop : measured.loops)
        fitted.push_back(fit_what_is_known(loop, machine));
    if (std::ranges::none_of(fitted, [](const FittedLoop &l) { return l.has_any(); }))
        throw ProjectionError(nothing_fitted(o.fit, fitted));
    if (!o.csv.empty()) write_result_file(o.csv, fit_as_csv(fitted));
    print(o.json ? fit_as_json(machine.name, fitted, measured.remarks)
                 : fit_as_text(machine.name, fitted, measured.remarks));
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

void run_gpus(const ProjectOptions &o) {
    if (o.kernels.empty() == o.profiles.empty())
        throw cli::WrongUsage("--gpu needs --kernels, a table, or --profile, what a profiler wrote");
    const std::vector<GpuKernel> kernels = kernels_of(o);
    const std::vector<GpuProjection> all = project_gpus(o, kernels);
    if (!o.csv.empty()) write_result_file(o.csv, gpu_kernels_as_csv(kernels));
    if (!o.svg.empty()) write_result_file(o.svg, gpu_as_svg(all, o.show));
    const std::string made = o.profiles.empty() ? "" : characteristics_as_text(kernels, o.profile_domain, o.profiles);
    print(o.json ? gpu_as_json(all) : made + gpu_as_text(all));
}

void run_project(const ProjectOptions &o) {
    if (!o.csv.empty() && o.fit.empty() && o.profiles.empty())
        throw cli::WrongUsage("--csv is for --fit and for --profile");
    if (!o.gpus.empty()) {
        run_gpus(o);
    } else if (!o.loops.table.empty()) {
        run_loops(o);
    } else if (!o.fit.empty()) {
        run_fit(o);
    } else if (!o.queue.empty()) {
        run_queue(o);
    } else {
        run_workflow(o);
    }
}

void add_gpu_options(cli::App &command, ProjectOptions &o, cli::Option *gpu) {
    auto *kernels = command.add_option("--kernels", o.kernels, "table of kernels")->type_name("FILE")->needs(gpu);
    auto *profile = command
                        .add_option("--profile", o.profiles,
                                    "output of a profiler instead: files of one card (nvprof --csv, ncu --csv), "
                                    "separated by commas; give it again for each further card")
                        ->type_name("FILE,...")
                        ->again()
                        ->needs(gpu)
                        ->excludes(kernels);
    profile->needs(
        command.add_option("--profile-domain", o.profile_domain, "domain of these launches, such as 200x200x80")
            ->check(refusal<cells_of>)
            ->needs(profile));
    command
        .add_option("--show", o.show,
                    "what --svg shows with --gpu: times of the kernels, parts of each kernel, or differences from "
                    "--measured over the domains")
        ->check(cli::one_of({"times", "parts", "differences"}))
        ->needs(gpu);
    auto *domains = command.add_option("--domain", o.domains, "domains, such as 200x200x80,100x100x80")
                        ->delimiter(',')
                        ->check(refusal<cells_of>)
                        ->needs(gpu);
    gpu->needs(domains);
    command.add_option("--measured", o.measured, "table domain,kernel,seconds (and card) to compare with")
        ->type_name("FILE")
        ->needs(gpu);
    command.add_option("--work", o.work, "table kernel,flops,bytes of a run on the first domain")
        ->type_name("FILE")
        ->needs(gpu);
}

void add_room_options(cli::App &command, ProjectOptions &o, cli::Option *queue) {
    auto *nodes =
        command.add_option("--room", o.room_nodes, "nodes of the machine room")->check(cli::count())->needs(queue);
    queue->needs(nodes);
    command.add_option("--room-idle", o.room_idle_W, "power of an idle node [W]")
        ->check(cli::positive())
        ->needs(queue);
    command.add_flag("--no-backfill", o.no_backfill, "no job of --queue may start before an earlier one")
        ->needs(queue);
}

void add_fit_options(cli::App &command, ProjectOptions &o, cli::Option *fit) {
    command
        .add_option("--csv", o.csv,
                    "write the coefficients of --fit as a table for --loops, or those of --profile for --kernels")
        ->type_name("FILE");
    auto *process_threads =
        command
            .add_option(
                "--process-threads", o.threads.of_process,
                "threads of each process that worked in the regions of the runs of --fit, if OMP_NUM_THREADS was set")
            ->check(cli::count())
            ->needs(fit);
    command.add_flag("--all-threads", o.threads.all, "all threads of OMP_NUM_THREADS worked, in each run")
        ->needs(fit)
        ->excludes(process_threads);
}

} // namespace

void add_project_command(cli::App &app) {
    cli::App *command = app.add_subcommand("project", "Estimates run times on machines that you do not have\nOf "
                                                      "loops, GPU kernels and workflows (docs/project.md).");
    const auto o = std::make_shared<ProjectOptions>();
    cli::App *what = command->add_option_group("what", "give one of these");
    auto *loops = what->add_option("--loops", o->loops.table,
                                   "table of loops with their work (numbers, or expressions in parameters) and "
                                   "coefficients, on --machine")
                      ->type_name("FILE");
    auto *fit =
        what->add_option(
                "--fit", o->fit,
                "find the coefficients for --loops from measured runs: folders of runs with regions, or a table")
            ->type_name("RUN|FILE");
    auto *gpu = what->add_option("--gpu", o->gpus, "cards that run --kernels on each --domain, by name or file")
                    ->delimiter(',');
    auto *workflow =
        what->add_option("--workflow", o->workflow, "several codes, one after the other or side by side (TOML)")
            ->type_name("FILE");
    auto *queue =
        what->add_option("--queue", o->queue, "jobs on a machine room's nodes: job,submitted_s,nodes,seconds,power_W")
            ->type_name("FILE");
    what->require_option(1);
    add_room_options(*command, *o, queue);
    auto *machine =
        command->add_option("--machine", o->machines, "machines, by name (docs/machine.md) or file")->delimiter(',');
    auto *threads =
        command->add_option("--threads", o->threads.of_node, "threads of a node; default: all")->check(cli::count());
    auto *clock =
        command->add_option("--clock", o->clock, "clock [GHz], or turbo; default: the machine's nominal clock")
            ->check(refusal<clock_of>);
    for (cli::Option *of_processors : {machine, threads, clock})
        of_processors->excludes(gpu)->excludes(workflow)->excludes(queue);
    command->add_option("--nodes", o->nodes, "numbers of nodes, 1,2,4,8")
        ->delimiter(',')
        ->check(cli::count())
        ->needs(loops);
    add_loop_options(*command, o->loops, loops);
    add_gpu_options(*command, *o, gpu);
    command->add_option("--svg", o->svg, "write the picture of --loops, --workflow or --gpu into this file")
        ->type_name("FILE")
        ->excludes(fit)
        ->excludes(queue);
    add_fit_options(*command, *o, fit);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_project(*o); });
}

} // namespace cpl_lb
