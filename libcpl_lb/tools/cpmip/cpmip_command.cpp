// cpl-lb cpmip and its words that make a table: of one run, of a chain of jobs, of a job log; beside other models,
// and in the realms of CMIP.
#include "io/files/result_file.hpp"
#include "meters/platform.hpp"
#include "report/plot.hpp"
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
    add_study_words(*command);
    add_models_word(*command);
    add_realms_word(*command);
    add_es_doc_word(*command);
}

} // namespace cpl_lb
