// cpl-lb machine fit, gpu, workflow and queue: coefficients of loops, and times of GPU kernels, workflows and jobs on
// machines that one does not have (ESCAPE D3.5).
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

namespace cpl_lb {
namespace {

struct FitOptions {
    std::vector<std::string> sources; // runs or tables
    std::string machine, clock, csv;
    CoresAtWork threads;
    bool json = false;
};

struct GpuOptions {
    std::vector<std::string> cards, domains, profiles;
    std::string kernels, profile_domain, measured, csv;
    bool json = false;
};

struct WorkflowOptions {
    std::string file;
    bool json = false;
};

struct QueueOptions {
    std::string jobs;
    std::int64_t nodes = 0;
    double idle_W = unknown;
    bool no_backfill = false, json = false;
};

// From a table, or from the profiles of one card or of several.
std::vector<GpuKernel> kernels_of(const GpuOptions &o) {
    if (!o.kernels.empty()) return read_gpu_kernels(o.kernels);
    std::vector<std::vector<GpuKernel>> cards;
    for (const std::string &file : o.profiles)
        cards.push_back(characteristics_of(read_gpu_profile(file), cells_of(o.profile_domain)));
    return average_over_cards(cards);
}

std::vector<GpuProjection> project_gpus(const GpuOptions &o, const std::vector<GpuKernel> &kernels) {
    MeasuredKernels measured;
    if (!o.measured.empty()) measured = read_measured_kernels(o.measured);
    const auto seconds = [&](const std::string &card, const std::string &domain, const std::string &kernel) {
        for (const std::string &whose : {card, std::string()})
            if (const auto found = measured.find({whose, domain, kernel}); found != measured.end())
                return found->second;
        return unknown;
    };
    std::vector<GpuProjection> all;
    for (const std::string &name : o.cards) {
        const Machine machine = load_machine(name);
        for (const std::string &domain : o.domains) {
            GpuProjection p{machine.name, domain, cells_of(domain), kernels, {}, {}, seconds(name, domain, "all")};
            for (const GpuKernel &kernel : kernels) {
                p.times.push_back(gpu_time(kernel, machine, p.cells));
                p.measured_s.push_back(seconds(name, domain, kernel.name));
            }
            all.push_back(std::move(p));
        }
    }
    return all;
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

void run_fit(const FitOptions &o) {
    refuse_folders_twice(o.sources);
    const Machine machine = load_machine(o.machine);
    std::vector<std::string> tables, runs;
    std::ranges::partition_copy(o.sources, std::back_inserter(runs), std::back_inserter(tables), is_run);
    std::vector<FittedLoop> fitted = fit_tables(tables, machine);
    CoresAtWork said = o.threads;
    said.most = most_threads(machine);
    const LoopsOfRuns measured = loops_of_runs(runs, said, clock_of(o.clock));
    for (const MeasuredLoop &loop : measured.loops)
        fitted.push_back(fit_what_is_known(loop, machine));
    if (std::ranges::none_of(fitted, [](const FittedLoop &l) { return l.has_any(); }))
        throw ProjectionError(nothing_fitted(o.sources, fitted));
    if (!o.csv.empty()) write_result_file(o.csv, fit_as_csv(fitted));
    print(o.json ? fit_as_json(machine.name, fitted, measured.remarks)
                 : fit_as_text(machine.name, fitted, measured.remarks));
}

void run_workflow(const WorkflowOptions &o) {
    const WorkflowPlan plan = read_workflow(o.file);
    const std::vector<WorkflowAnswer> answers = all_answers(plan);
    print(o.json ? workflow_as_json(plan, answers) : workflow_as_text(plan, answers));
}

void run_queue(const QueueOptions &o) {
    const std::vector<QueuedJob> jobs = read_jobs(o.jobs);
    const MachineRoom room{static_cast<int>(o.nodes), o.idle_W};
    const RoomSchedule schedule = schedule_jobs(jobs, room, !o.no_backfill);
    print(o.json ? queue_as_json(jobs, room, schedule) : queue_as_text(jobs, room, schedule));
}

void run_gpus(const GpuOptions &o) {
    const std::vector<GpuKernel> kernels = kernels_of(o);
    const std::vector<GpuProjection> all = project_gpus(o, kernels);
    if (!o.csv.empty()) write_result_file(o.csv, gpu_kernels_as_csv(kernels));
    const std::string made = o.profiles.empty() ? "" : characteristics_as_text(kernels, o.profile_domain, o.profiles);
    print(o.json ? gpu_as_json(all) : made + gpu_as_text(all));
}

} // namespace

void add_fit_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "fit", "Finds the coefficients of a code's loops from measured runs\nFor cpl-lb machine project.");
    const auto o = std::make_shared<FitOptions>();
    command->add_option("SOURCE", o->sources, "folders of runs with regions, or tables of measured loops")
        ->required();
    command->add_option("--machine", o->machine, "machine on which the runs were measured, by name or file")
        ->required();
    (void)add_thread_options(*command, o->threads);
    add_clock_option(*command, o->clock);
    command->add_option("--csv", o->csv, "write the coefficients as a table for cpl-lb machine project");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_fit(*o); });
}

void add_gpu_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand("gpu", "Estimates the run time of GPU kernels on other cards");
    const auto o = std::make_shared<GpuOptions>();
    command->add_option("CARD", o->cards, "cards, by name (cpl-lb machine --list) or file")
        ->delimiter(',')
        ->expected(-1) // also several words
        ->required();
    command->add_option("--domain", o->domains, "domains, such as 200x200x80,100x100x80")
        ->delimiter(',')
        ->check(refusal<cells_of>)
        ->required();
    cli::App *what = command->add_option_group("what", "give one of these");
    what->add_option("--kernels", o->kernels, "table of kernels")->type_name("FILE");
    auto *profile = what->add_option(
        "--profile", o->profiles, "output of ncu --csv --page raw on one card; give it again for each further card");
    profile->type_name("FILE")->again();
    what->require_option(1);
    auto *profile_domain =
        command->add_option("--profile-domain", o->profile_domain, "domain of these launches, such as 200x200x80");
    profile_domain->check(refusal<cells_of>)->needs(profile);
    profile->needs(profile_domain);
    command->add_option("--measured", o->measured, "table domain,kernel,seconds (and card) to compare with");
    command->add_option("--csv", o->csv, "write what --profile tells as a table for --kernels")->needs(profile);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_gpus(*o); });
}

void add_workflow_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "workflow", "Estimates time and energy of codes that run together\nOne after the other or side by side, for "
                    "each combination of machines and nodes.");
    const auto o = std::make_shared<WorkflowOptions>();
    command->add_option("FILE", o->file, "the codes and their order (TOML; docs/machines.md)")->required();
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_workflow(*o); });
}

void add_queue_word(cli::App &machine) {
    cli::App *command =
        machine.add_subcommand("queue", "Estimates when jobs start that share the nodes of a machine room");
    const auto o = std::make_shared<QueueOptions>();
    command->add_option("FILE", o->jobs, "table of jobs: job,submitted_s,nodes,seconds,power_W")->required();
    command->add_option("--room", o->nodes, "nodes of the machine room")->check(cli::count())->required();
    command->add_option("--room-idle", o->idle_W, "power of an idle node [W]")->check(cli::positive());
    command->add_flag("--no-backfill", o->no_backfill, "no job may start before an earlier one");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_queue(*o); });
}

} // namespace cpl_lb
