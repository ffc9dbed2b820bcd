// cpl-lb cpmip: the CPMIP table of one run, of a chain of jobs, of a run with and one without output, or of a job
// log.
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "meters/platform.hpp"
#include "report/plot.hpp"
#include "shipped_models.hpp"
#include "support/utc.hpp"
#include "tools/commands.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

#include <memory>
#include <stdexcept>

namespace cpl_lb {
namespace {

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

std::vector<ModelRow> models_from(const std::string &path) {
    if (path.empty()) return read_model_rows(shipped_models);
    const std::string text = read_text_file(path);
    try {
        return read_model_rows(text);
    } catch (const std::invalid_argument &error) {
        throw FileError(path, error.what());
    }
}

CpmipOutput put_together(const CpmipOptions &options) {
    CpmipOutput output = options.directories.empty() ? output_of_job_log(options) : output_of_folders(options);
    CoupledRun &run = output.run;
    run.cpmip.jpsy = jpsy(run.cpmip.chsy, options.platform_J, options.platform_core_hours);
    fill_in_platform(run, options.platform);
    if (is_known(options.resolution)) run.cpmip.resolution = options.resolution;
    if (is_known(options.complexity)) run.cpmip.complexity = options.complexity;
    output.prices = prices_of(options, run);
    output.name = options.name;
    output.mode = options.mode.empty() ? ' ' : options.mode.front();
    if (options.cores_per_node > 0 && is_known(run.cpmip.parallelization)) {
        output.nodes = static_cast<std::int64_t>(in_whole_nodes(run.cpmip.parallelization, options.cores_per_node) /
                                                 static_cast<double>(options.cores_per_node));
    }
    if (!options.centre.empty())
        output.carbon = carbon_form(read_centre_facts(options.centre), run, output.log ? &*output.log : nullptr);
    if (options.compare) output.models = models_from(options.models);
    return output;
}

void print_cpmip(const CpmipOptions &o) {
    const CpmipOutput output = put_together(o);
    if (!o.svg.empty()) write_result_file(o.svg, model_plot_svg(rows_with_run(output)));
    print(o.json     ? cpmip_as_json(output)
          : o.es_doc ? cpmip_as_es_doc(output)
          : o.csv    ? cpmip_as_csv(output)
                     : cpmip_as_text(output));
}

void print_scaling(const CpmipOptions &o) {
    const ScalingStudy study = scaling_study(o);
    if (!o.svg.empty()) write_result_file(o.svg, scaling_as_svg(study));
    print(o.json ? scaling_as_json(study) : o.csv ? scaling_as_csv(study) : scaling_as_text(study));
}

void print_plan(const CpmipOptions &o) {
    const ScalingStudy study = scaling_study(o);
    const ProductionPlan plan = plan_of(study, o);
    if (!o.svg.empty()) write_result_file(o.svg, plan_as_svg(study, plan));
    if (!o.compare_svg.empty()) {
        const std::string source = o.models.empty() ? "table 1, Balaji et al. 2017 (GMD 10)" : o.models;
        write_result_file(o.compare_svg, published_as_svg(study, models_from(o.models), source));
    }
    print(o.json ? plan_as_json(study, plan) : plan_as_text(study, plan));
}

void check_scaling(const CpmipOptions &o) {
    if (o.plan && o.directories.empty() == o.scaling.empty())
        throw cli::WrongUsage("--plan needs the runs of the model: either DIR... or --scaling");
    if (!o.plan && o.study == o.directories.empty())
        throw cli::WrongUsage(o.study ? "--study needs DIR..." : "DIR and --scaling exclude each other");
    if (o.plan && o.wish.years == 0) throw cli::WrongUsage("--plan needs --years");
    if (o.plan && o.format != nullptr && o.simulated_per_job.empty())
        throw cli::WrongUsage("the queue of a plan needs --simulated-per-job: the log does not tell it");
    if (o.plan && (o.csv || is_known(o.at_least_sypd)))
        throw cli::WrongUsage("--plan takes no --csv and no --at-least: see --study");
    if ((o.format != nullptr && !o.plan) || !o.mode.empty() || o.compare || o.es_doc || !o.centre.empty())
        throw cli::WrongUsage("a scaling study takes no job log, --mode, --compare, --centre or --es-doc");
}

void require_a_source(const CpmipOptions &o) {
    if (!o.directories.empty()) {
        if (is_known(o.at_least_sypd)) throw cli::WrongUsage("--at-least is for --study or --scaling");
        if (!o.svg.empty() && !o.compare) throw cli::WrongUsage("--svg needs --compare, --study or --scaling");
        if (!o.simulated_per_job.empty())
            throw cli::WrongUsage("--simulated-per-job is for job logs alone: the folders tell what was simulated");
        return;
    }
    if (o.format == nullptr)
        throw cli::WrongUsage("DIR is required, or a job log (--sacct, --autosubmit), or --scaling");
    if (o.simulated_per_job.empty())
        throw cli::WrongUsage("a job log does not tell what was simulated: give --simulated-per-job, or DIR");
    if (!o.without_output.empty() || !o.submitted.empty())
        throw cli::WrongUsage("--without-output and --submitted are for results: give DIR");
}

std::string not_a_time(const std::string &text) {
    return unix_seconds_of_iso8601(text) ? "" : "not a time like 2026-03-09T14:05:00Z: " + text;
}

void add_log_options(cli::App &command, CpmipOptions &o) {
    cli::Option *before = nullptr;
    for (std::size_t i = 0; i < job_log_formats.size(); ++i) {
        auto *log = command.add_option(job_log_formats[i].option, o.logs[i], job_log_formats[i].help);
        if (before != nullptr) log->excludes(before);
        before = log;
    }
    command.add_option("--simulated-per-job", o.simulated_per_job,
                       "how long each completed job of the log simulated: 1y, 3mo or 30d; if they differ: 1y,1y,6mo");
    command.add_option("--simulation-jobs", o.log.simulation_jobs,
                       "names of the jobs that simulate, such as '*_SIM' (default: all; Autosubmit: '*_SIM')");
    command.add_option(
        "--transfer-jobs", o.log.transfer_jobs,
        "names of the jobs that bring results to the archive, for RSYPD (default for Autosubmit: '*_TRANSFER')");
    command
        .add_option("--cpus-per-core", o.log.cpus_per_core,
                    "CPUs of the log for each core, if the log counts hardware threads")
        ->check(cli::in_range(1.0, 1024.0));
    command.add_flag("--ensemble", o.ensemble, "jobs of the log may run side by side: members of an ensemble");
}

void add_scaling_options(cli::App &command, CpmipOptions &o) {
    auto *study = command.add_flag("--study", o.study,
                                   "the folders are one experiment on several numbers of cores: gives the rows for "
                                   "speed (S) and throughput (T), and the shoulder");
    command.add_option("--scaling", o.scaling, "the same as --study from a table: CSV with SYPD and cores or CHSY")
        ->excludes(study);
    command.add_option("--at-least", o.at_least_sypd, "T is the cheapest row with at least this many SYPD")
        ->check(cli::positive());
}

void add_plan_options(cli::App &command, CpmipOptions &o) {
    auto *plan =
        command.add_flag("--plan", o.plan,
                         "plan a production by the runs of --study or --scaling: end, cost and energy on each "
                         "number of cores; with a job log the queue, too");
    const auto add = [&](const char *name, auto &value, const char *help) {
        return command.add_option(name, value, help)->needs(plan);
    };
    add("--years", o.wish.years, "plan: simulated years of each member")->check(cli::in_range(1e-6, 1e6));
    add("--members", o.wish.members, "plan: members of the ensemble")->check(cli::count());
    add("--core-hours", o.wish.core_hours, "plan: core hours at most")->check(cli::positive());
    add("--cores", o.wish.most_cores, "plan: cores at most at one time, of all members together")
        ->check(cli::count(1'000'000'000));
    add("--start", o.plan_start, "plan: first day or time, such as 2027-01-15 (default: now)");
    add("--deadline", o.plan_deadline, "plan: day or time of the end, such as 2027-03-01 (00:00 UTC)");
    add("--compare-svg", o.compare_svg,
        "plan: write where the model stands among the rows of table 1, or of --models, into this file");
}

void add_hardware_options(cli::App &command, CpmipOptions &o) {
    auto *hardware = command.add_option(
        "--hardware", o.hardware,
        "compare the same models on two machines: CSV with model, machine, SYPD, CHSY, JPSY, or rows of --csv");
    command
        .add_option(
            "--platforms", o.platforms,
            "the machines: CSV with machine, cores, clock_GHz, flop_per_cycle (default: table 4 of the paper)")
        ->needs(hardware);
    auto *from = command.add_option("--from", o.from, "the machine before, or a sum: c1+c2")->needs(hardware);
    auto *to = command.add_option("--to", o.to, "the machine after")->needs(from);
    from->needs(to);
}

// Options for what the results may lack: the model and its platform.
void add_model_options(cli::App &command, CpmipOptions &o) {
    const auto add_positive = [&](const char *name, auto &value, const char *help) {
        command.add_option(name, value, help)->check(cli::positive());
    };
    command.add_option("--mode", o.mode, "S: run for speed, T: for throughput")->check(cli::one_of({"S", "T"}));
    command.add_option("--name", o.name, "name of the model, instead of the run's");
    add_positive("--resolution", o.resolution, "grid points, if the results do not have them");
    add_positive("--complexity", o.complexity, "prognostic variables, if the results do not have them");
    command.add_option("--machine", o.platform.machine, "platform: name of the machine");
    command.add_option("--chip", o.platform.chip, "platform: name of the processor");
    add_positive("--machine-cores", o.platform.cores, "platform: cores of the whole machine");
    add_positive("--clock", o.platform.clock_GHz, "platform: clock [GHz]");
    add_positive("--flop-per-cycle", o.platform.flop_per_cycle,
                 "platform: floating-point operations of a core per cycle");
}

void run_cpmip(CpmipOptions &o) {
    if (!o.models.empty() && !o.compare && o.compare_svg.empty())
        throw cli::WrongUsage("--models needs --compare or --compare-svg");
    for (std::size_t i = 0; i < o.logs.size(); ++i) {
        if (o.logs[i].empty()) continue;
        o.log_path = o.logs[i];
        o.format = &job_log_formats[i];
    }
    if (!o.realms.empty() && (o.directories.empty() || o.study || o.plan))
        throw cli::WrongUsage("--realm is for the table of results: give DIR, without --study and --plan");
    if (!o.hardware.empty()) {
        if (!o.directories.empty() || o.study || o.plan || !o.scaling.empty() || o.format != nullptr)
            throw cli::WrongUsage("--hardware takes rows only: no DIR, --scaling or job log");
        return print(hardware_compared(o.hardware, o.platforms, o.from, o.to, o.json));
    }
    if (!o.price.empty() && (o.directories.size() != 1 || o.study || o.plan || o.csv || o.es_doc))
        throw cli::WrongUsage("--price is for the table of one run: give one DIR, and text or --json");
    if (o.plan || o.study || !o.scaling.empty()) {
        check_scaling(o);
        return o.plan ? print_plan(o) : print_scaling(o);
    }
    require_a_source(o);
    print_cpmip(o);
}

} // namespace

void add_cpmip_command(cli::App &app) {
    cli::App *command = app.add_subcommand("cpmip", "Makes the CPMIP table of a run or of a chain of jobs\nOr from a "
                                                    "job log alone, and compares it with other models.");
    const auto o = std::make_shared<CpmipOptions>();
    command->add_option("DIR", o->directories, "folder with results; several folders are the jobs of one experiment");
    command->add_option("--without-output", o->without_output,
                        "folder of the same run without output, for the data output cost");
    add_timeline_options(*command, o->hints);
    command->add_option("--submitted", o->submitted, "submission of the first job, ISO 8601, for ASYPD")
        ->check(not_a_time);
    auto *energy = command->add_option("--platform-energy", o->platform_J,
                                       "energy of the whole platform in some time [J], for JPSY");
    auto *hours = command->add_option("--platform-core-hours", o->platform_core_hours,
                                      "core hours of the platform in the same time");
    energy->check(cli::positive())->needs(hours);
    hours->check(cli::positive())->needs(energy);
    add_log_options(*command, *o);
    add_scaling_options(*command, *o);
    add_plan_options(*command, *o);
    add_hardware_options(*command, *o);
    command->add_option("--centre", o->centre,
                        "add energy and CO2e as CMIP7 asks for them; CSV with quantity, value, unit, source (pue, "
                        "emission_factor, energy, mix NAME, location)");
    command->add_option("--cores-per-node", o->cores_per_node, "cores of a node: allocations are rounded up to nodes")
        ->check(cli::count());
    command->add_option(
        "--price", o->price,
        "prices of an hour, to weigh the units: gpu=12,cpu=1,node=3, or KIND-node=40 for a kind of node");
    add_model_options(*command, *o);
    command
        ->add_option("--realm", o->realms,
                     "REALM=COMPONENT,...: show the components in the realms of CMIP's documents, such as "
                     "ocean=nemo; the others by their names, or all with 'names'")
        ->again();
    command->add_flag("--compare", o->compare, "compare with the models of table 1 of Balaji et al. 2017");
    command->add_option("--models", o->models, "compare with the models of this file (rows of --csv)");
    command->add_option("--svg", o->svg, "write the plot of --compare, --study, --scaling or --plan into this file");
    auto *json = command->add_flag("--json", o->json, "print JSON, for programs");
    auto *csv = command->add_flag("--csv", o->csv, "print a row of table 1");
    command->add_flag("--es-doc", o->es_doc, "print JSON with the names of ES-DOC")->excludes(json)->excludes(csv);
    csv->excludes(json);
    command->callback([o] { run_cpmip(*o); });
}

} // namespace cpl_lb
