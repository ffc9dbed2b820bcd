// cpl-lb cpmip and its words: a table of one run, of a chain of jobs or of a job log, beside other models and in the
// realms of CMIP; several runs of one model, and rows of the same models on two machines.
#include "analysis/model_rows.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "meters/platform.hpp"
#include "report/plot.hpp"
#include "shipped_models.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/commands.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <variant>

namespace cpl_lb {
namespace {

// Options that several words share.

void add_positive(cli::App &command, const char *name, double &value, const char *help) {
    command.add_option(name, value, help)->check(cli::positive());
}

double platform_number(const std::string &fact, const std::string &text) {
    const auto number = cli::number_in<double>(text);
    if (number && std::isfinite(*number) && *number > 0) return *number;
    throw cli::WrongUsage(fmt::format("--platform: {} must be a number, more than 0, not '{}'", fact, text));
}

void add_model_options(cli::App &command, CpmipOptions &o) {
    command.add_option("--name", o.name, "name of the model, instead of the run's");
    add_positive(command, "--resolution", o.resolution, "grid points, if the results do not have them");
    add_positive(command, "--complexity", o.complexity, "prognostic variables, if the results do not have them");
}

void add_mode_option(cli::App &command, CpmipOptions &o) {
    command.add_option("--mode", o.mode, "S: run for speed, T: for throughput")->check(cli::one_of({"S", "T"}));
}

void add_cores_per_node_option(cli::App &command, CpmipOptions &o) {
    command.add_option("--cores-per-node", o.cores_per_node, "cores of a node: allocations are rounded up to nodes")
        ->check(cli::count());
}

// read_platform() enters what was given; throws cli::WrongUsage.
void add_platform_option(cli::App &command, CpmipOptions &o) {
    command
        .add_option("--platform", o.platform_facts,
                    "NAME=VALUE, of the whole machine: machine and chip (their names), cores, clock [GHz], "
                    "flop-per-cycle (of a core); for JPSY energy [J] and core-hours, both in the same time")
        ->again();
}

void read_platform(CpmipOptions &o) {
    double cores = unknown;
    const std::map<std::string, std::variant<std::string *, double *>> places = {
        {"machine", &o.platform.machine},
        {"chip", &o.platform.chip},
        {"cores", &cores},
        {"clock", &o.platform.clock_GHz},
        {"energy", &o.platform_J},
        {"flop-per-cycle", &o.platform.flop_per_cycle},
        {"core-hours", &o.platform_core_hours}};
    std::set<std::string> seen;
    for (const std::string &given : o.platform_facts) {
        const std::size_t equals = given.find('=');
        const std::string fact = given.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : given.substr(equals + 1);
        if (value.empty()) throw cli::WrongUsage("--platform: not NAME=VALUE: '" + given + "'");
        if (!seen.insert(fact).second) throw cli::WrongUsage("--platform: " + fact + " is given twice");
        const auto place = places.find(fact);
        if (place == places.end()) {
            throw cli::WrongUsage(fmt::format("--platform: there is no '{}', but machine, chip, cores, clock, "
                                              "flop-per-cycle, energy and core-hours",
                                              fact));
        }
        if (auto *const name = std::get_if<std::string *>(&place->second))
            **name = value;
        else
            *std::get<double *>(place->second) = platform_number(fact, value);
    }
    constexpr double most_cores = 1e15; // an int64 holds it
    if (cores < 1 || cores > most_cores || (is_known(cores) && cores != std::floor(cores)))
        throw cli::WrongUsage("--platform: cores must be a whole number, from 1 to 1e15");
    if (is_known(cores)) o.platform.cores = static_cast<std::int64_t>(cores);
    if (is_known(o.platform_J) != is_known(o.platform_core_hours))
        throw cli::WrongUsage("--platform: energy and core-hours need each other");
}

// what: the first words of its help.
cli::Option *add_log_option(cli::App &command, CpmipOptions &o, const char *what) {
    return command.add_option("--log", o.log_path,
                              std::string(what) + ": the output of Slurm's sacct --parsable2, or the table job_data "
                                                  "of Autosubmit as CSV");
}

// What a log does not tell of its jobs. The last two are refused without the log; the first also tells what the runs
// of a table simulated.
void add_job_options(cli::App &command, CpmipOptions &o, cli::Option *log) {
    command.add_option("--simulated-per-job", o.simulated_per_job,
                       "how long each completed job of the log simulated: 1y, 3mo or 30d; if they differ: 1y,1y,6mo");
    command
        .add_option("--simulation-jobs", o.log.simulation_jobs,
                    "names of the jobs that simulate, such as '*_SIM' (default: all; Autosubmit: '*_SIM')")
        ->needs(log);
    command
        .add_option("--cpus-per-core", o.log.cpus_per_core,
                    "CPUs of the log for each core, if the log counts hardware threads")
        ->check(cli::in_range(1.0, 1024.0))
        ->needs(log);
}

// The rows of --models, or of table 1. Throws FileError.
std::vector<ModelRow> models_of(const CpmipOptions &o) {
    if (o.models.empty()) return read_model_rows(shipped_models);
    const std::string text = read_text_file(o.models);
    try {
        return read_model_rows(text);
    } catch (const std::invalid_argument &error) {
        throw FileError(o.models, error.what());
    }
}

void add_output_options(cli::App &command, CpmipOptions &o) {
    cli::Option *json = command.add_flag("--json", o.json, "print JSON, for programs");
    command.add_flag("--csv", o.csv, "print rows of table 1")->excludes(json);
}

void fill_in_platform(CoupledRun &run, const Platform &given) {
    Platform &p = run.run.platform_facts;
    if (!given.machine.empty()) p.machine = given.machine;
    if (!given.chip.empty()) p.chip = given.chip;
    if (given.cores > 0) p.cores = given.cores;
    if (is_known(given.clock_GHz)) p.clock_GHz = given.clock_GHz;
    if (is_known(given.flop_per_cycle)) p.flop_per_cycle = given.flop_per_cycle;
    if (const std::string text = platform_text(p); !text.empty()) run.cpmip.platform = text;
}

Prices prices_of(const CpmipOptions &options, const CoupledRun &run) {
    if (options.price.empty()) return {};
    try {
        Prices prices = read_prices(options.price);
        check_prices(prices, run);
        return prices;
    } catch (const std::invalid_argument &error) {
        throw cli::WrongUsage(std::string("--price: ") + error.what());
    }
}

// Of figures that were given; the results' own count is the sum over components, each on its grid.
void enter_degrees_of_freedom(const CpmipOptions &options, Cpmip &c) {
    const bool both_given = is_known(options.resolution) && is_known(options.complexity);
    if (both_given || !is_known(c.degrees_of_freedom)) c.degrees_of_freedom = c.resolution * c.complexity;
}

CpmipOutput put_together(CpmipOptions &options) {
    read_platform(options);
    CpmipOutput output = options.directories.empty() ? output_of_job_log(options) : output_of_folders(options);
    CoupledRun &run = output.run;
    run.cpmip.jpsy = jpsy(run.cpmip.chsy, options.platform_J, options.platform_core_hours);
    fill_in_platform(run, options.platform);
    if (is_known(options.resolution)) run.cpmip.resolution = options.resolution;
    if (is_known(options.complexity)) run.cpmip.complexity = options.complexity;
    enter_degrees_of_freedom(options, run.cpmip);
    output.prices = prices_of(options, run);
    output.name = options.name;
    output.mode = options.mode.empty() ? ' ' : options.mode.front();
    if (options.cores_per_node > 0 && is_known(run.cpmip.parallelization)) {
        output.nodes = static_cast<std::int64_t>(in_whole_nodes(run.cpmip.parallelization, options.cores_per_node) /
                                                 static_cast<double>(options.cores_per_node));
    }
    return output;
}

void print_table(CpmipOptions &o) {
    const CpmipOutput output = put_together(o);
    print(o.json ? cpmip_as_json(output) : o.csv ? cpmip_as_csv(output) : cpmip_as_text(output));
}

void run_cpmip(CpmipOptions &o) {
    if (o.directories.empty()) throw cli::WrongUsage("DIR is required; of a job log alone: cpl-lb cpmip jobs");
    if (!o.price.empty() && (o.directories.size() != 1 || o.csv))
        throw cli::WrongUsage("--price is for the table of one run: give one DIR, and text or --json");
    print_table(o);
}

// Folders tell what was simulated; a job log alone does not.
void check_lengths(const CpmipOptions &o) {
    if (o.directories.empty() && o.log_path.empty()) throw cli::WrongUsage("DIR is required, or a job log (--log)");
    if (!o.directories.empty() && !o.simulated_per_job.empty())
        throw cli::WrongUsage("--simulated-per-job is for job logs alone: the folders tell what was simulated");
    if (o.directories.empty() && o.simulated_per_job.empty())
        throw cli::WrongUsage("a job log does not tell what was simulated: give --simulated-per-job, or DIR");
}

void run_models(CpmipOptions &o) {
    check_lengths(o);
    CpmipOutput output = put_together(o);
    output.models = models_of(o);
    if (!o.svg.empty()) write_result_file(o.svg, model_plot_svg(rows_with_run(output)));
    print(o.json ? cpmip_as_json(output) : cpmip_as_text(output));
}

std::string not_a_time(const std::string &text) {
    return unix_seconds_of_iso8601(text) ? "" : "not a time like 2026-03-09T14:05:00Z: " + text;
}

// Of the words that make a table from the results of a run or of a chain.
void add_result_options(cli::App &command, CpmipOptions &o) {
    command.add_option("DIR", o.directories, "folder with results; several folders are the jobs of one experiment");
    command.add_option("--without-output", o.without_output,
                       "folder of the same run without output, for the data output cost");
    add_log_option(command, o, "job log, for ASYPD and AJPSY");
    command.add_option("--submitted", o.submitted, "submission of the first job, ISO 8601, for ASYPD")
        ->check(not_a_time);
    add_platform_option(command, o);
    add_cores_per_node_option(command, o);
    add_model_options(command, o);
    add_mode_option(command, o);
    add_timeline_options(command, o.hints);
}

// Of the words that take a job log without results, too. Returns --log.
cli::Option *add_log_words_options(cli::App &command, CpmipOptions &o, const char *log_is) {
    command.add_option("DIR", o.directories, "folders with the results of these jobs, if there are any");
    cli::Option *log = add_log_option(command, o, log_is);
    add_job_options(command, o, log);
    command
        .add_option(
            "--transfer-jobs", o.log.transfer_jobs,
            "names of the jobs that bring results to the archive, for RSYPD (default for Autosubmit: '*_TRANSFER')")
        ->needs(log);
    command.add_flag("--ensemble", o.ensemble, "jobs of the log may run side by side: members of an ensemble")
        ->needs(log);
    add_cores_per_node_option(command, o);
    add_model_options(command, o);
    add_mode_option(command, o);
    return log;
}

void add_jobs_word(cli::App &cpmip) {
    cli::App *command =
        cpmip.add_subcommand("jobs", "Makes the table from a job log, without results\nWith DIR: from "
                                     "both. Slurm's and Autosubmit's logs are read.");
    const auto o = std::make_shared<CpmipOptions>();
    add_log_words_options(*command, *o, "the job log")->required();
    add_platform_option(*command, *o);
    add_output_options(*command, *o);
    command->callback([o] {
        check_lengths(*o);
        print_table(*o);
    });
}

void add_models_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand(
        "models", "Compares a run with the models of table 1 of Balaji et al. 2017\nA run, a chain of jobs, or a job "
                  "log: its table, and where it stands.");
    const auto o = std::make_shared<CpmipOptions>();
    add_log_words_options(*command, *o, "job log, instead of results or for their ASYPD and AJPSY");
    command->add_option("--models", o->models,
                        "compare with the models of this file (rows of --csv), not with those of table 1");
    command->add_option("--svg", o->svg, "write the plot into this file");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_models(*o); });
}

void add_realm_option(cli::App &command, CpmipOptions &o) {
    command
        .add_option("--realm", o.realms,
                    "REALM=COMPONENT,...: show the components in the realms of CMIP's documents, such as "
                    "ocean=nemo; the others by their names, or all with 'names'")
        ->again();
}

void add_realms_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand("realms", "Adds the components in the realms of CMIP's documents");
    const auto o = std::make_shared<CpmipOptions>();
    add_result_options(*command, *o);
    add_realm_option(*command, *o);
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] {
        if (o->directories.empty()) throw cli::WrongUsage("DIR is required");
        if (o->realms.empty()) o->realms = {"names"};
        print_table(*o);
    });
}

void add_es_doc_word(cli::App &cpmip) {
    cli::App *command = cpmip.add_subcommand("es-doc", "Prints JSON with the names of ES-DOC");
    const auto o = std::make_shared<CpmipOptions>();
    add_result_options(*command, *o);
    add_realm_option(*command, *o);
    command->callback([o] {
        if (o->directories.empty()) throw cli::WrongUsage("DIR is required");
        print(cpmip_as_es_doc(put_together(*o)));
    });
}

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

void add_cpmip_command(cli::App &app) {
    cli::App *command = app.add_subcommand("cpmip", "Makes the CPMIP table of a run or of a chain of jobs\nOther "
                                                    "questions about speed and cost are words of this command.");
    const auto o = std::make_shared<CpmipOptions>();
    add_result_options(*command, *o);
    command->add_option(
        "--price", o->price,
        "prices of an hour, to weigh the units: gpu=12,cpu=1,node=3, or KIND-node=40 for a kind of node");
    add_output_options(*command, *o);
    command->callback([o] { run_cpmip(*o); });
    add_jobs_word(*command);
    add_study_word(*command);
    add_plan_word(*command);
    add_machines_word(*command);
    add_models_word(*command);
    add_realms_word(*command);
    add_es_doc_word(*command);
}

} // namespace cpl_lb
