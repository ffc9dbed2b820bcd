// cpl-lb cpmip study, plan and machines: several runs of one model, and rows of the same models on two machines.
#include "io/files/result_file.hpp"
#include "tools/commands.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cpl_lb {
namespace {

void add_runs(cli::App &command, CpmipOptions &o) {
    command
        .add_option("RUNS", o.directories,
                    "folders with results of one experiment on several numbers of cores; or one table of them: CSV "
                    "with SYPD and cores or CHSY")
        ->required();
}

// Whatever is no folder is a table, also a pipe.
void find_table(CpmipOptions &o) {
    std::error_code error;
    const auto table = std::ranges::find_if_not(
        o.directories, [&](const std::string &path) { return std::filesystem::is_directory(path, error); });
    if (table == o.directories.end()) return;
    if (o.directories.size() > 1) {
        if (!std::filesystem::exists(*table, error)) return; // the reader of folders says so
        throw cli::WrongUsage(*table + " is no folder: give the folders of the runs, or one table alone");
    }
    o.scaling = *table;
    o.directories.clear();
}

void add_study_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand(
        "study",
        "Finds the rows for speed (S) and throughput (T)\nAnd the shoulder, from where more cores gain less.");
    const auto o = std::make_shared<CpmipOptions>();
    add_runs(*command, *o);
    command->add_option("--at-least", o->at_least_sypd, "T is the cheapest row with at least this many SYPD")
        ->check(cli::positive());
    command->add_option("--simulated-per-job", o->simulated_per_job,
                        "what each run of a table with a column seconds simulated: 1y, 3mo or 30d");
    add_cores_per_node_option(*command, *o);
    add_model_options(*command, *o);
    add_timeline_options(*command, o->hints);
    command->add_option("--svg", o->svg, "write the picture, speed over cost, into this file");
    cli::Option *compare =
        command->add_option("--compare-svg", o->compare_svg,
                            "write where the model stands among the rows of table 1, or of --models, into this file");
    command->add_option("--models", o->models, "rows for --compare-svg, in the form of --csv")->needs(compare);
    add_output_options(*command, *o);
    command->callback([o] {
        find_table(*o);
        const ScalingStudy study = scaling_study(*o);
        if (!o->svg.empty()) write_result_file(o->svg, scaling_as_svg(study));
        if (!o->compare_svg.empty()) {
            const std::string source = o->models.empty() ? "table 1, Balaji et al. 2017 (GMD 10)" : o->models;
            write_result_file(o->compare_svg, published_as_svg(study, models_of(*o), source));
        }
        print(o->json ? scaling_as_json(study) : o->csv ? scaling_as_csv(study) : scaling_as_text(study));
    });
}

void add_plan_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand(
        "plan", "Plans a production: end, cost and energy on each number of cores\nBy what runs measured; with a job "
                "log also by the time in the queue.");
    const auto o = std::make_shared<CpmipOptions>();
    o->ensemble = true; // the log itself shows whether its jobs ran side by side
    add_runs(*command, *o);
    command->add_option("--years", o->wish.years, "simulated years of each member")
        ->required()
        ->check(cli::in_range(1e-6, 1e6));
    command->add_option("--members", o->wish.members, "members of the ensemble")->check(cli::count());
    command->add_option("--core-hours", o->wish.core_hours, "core hours at most")->check(cli::positive());
    command->add_option("--cores", o->wish.most_cores, "cores at most at one time, of all members together")
        ->check(cli::count(1'000'000'000));
    command->add_option("--start", o->plan_start, "first day or time, such as 2027-01-15 (default: now)");
    command->add_option("--deadline", o->plan_deadline, "day or time of the end, such as 2027-03-01 (00:00 UTC)");
    cli::Option *log = add_log_option(*command, *o, "job log of such runs, for the time in the queue");
    add_job_options(*command, *o, log);
    add_cores_per_node_option(*command, *o);
    command->add_option("--name", o->name, "name of the model, instead of the run's");
    command->add_option("--svg", o->svg, "write the picture, core hours over time, into this file");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] {
        find_table(*o);
        if (!o->log_path.empty() && o->simulated_per_job.empty())
            throw cli::WrongUsage("the queue of a plan needs --simulated-per-job: the log does not tell it");
        const ScalingStudy study = scaling_study(*o);
        const ProductionPlan plan = plan_of(study, *o);
        if (!o->svg.empty()) write_result_file(o->svg, plan_as_svg(study, plan));
        print(o->json ? plan_as_json(study, plan) : plan_as_text(study, plan));
    });
}

void add_machines_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand(
        "machines", "Compares the same models on two machines\nCore for core, in energy, and as whole machines.");
    const auto o = std::make_shared<CpmipOptions>();
    command
        ->add_option("ROWS", o->hardware, "CSV with model, machine, SYPD, CHSY, JPSY, or rows of cpl-lb cpmip --csv")
        ->required();
    command->add_option(
        "--platforms", o->platforms,
        "the machines: CSV with machine, cores, clock_GHz, flop_per_cycle (default: table 4 of the paper)");
    auto *from = command->add_option("--from", o->from, "the machine before, or a sum: c1+c2");
    auto *to = command->add_option("--to", o->to, "the machine after")->needs(from);
    from->needs(to);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { print(hardware_compared(o->hardware, o->platforms, o->from, o->to, o->json)); });
}

} // namespace

void add_study_words(cli::App &cpmip) {
    add_study_word(cpmip);
    add_plan_word(cpmip);
    add_machines_word(cpmip);
}

} // namespace cpl_lb
