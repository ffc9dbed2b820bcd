// cpl-lb cpmip: the CPMIP table of one run, of a chain of jobs, or of a run with and one without output.
#include "analysis/cpmip.hpp"
#include "analysis/job_chain.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/cpmip_json.hpp"
#include "io/settings/settings_time.hpp"
#include "meters/platform.hpp"
#include "report/model_plot.hpp"
#include "run/loaded/load_run.hpp"
#include "shipped_models.hpp"
#include "support/fmt.hpp"
#include "tools/commands.hpp"
#include "tools/cpmip/cpmip_output.hpp"
#include "tools/cpmip/slurm_energy.hpp"
#include "tools/progress_line.hpp"
#include "tools/timeline_options.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

struct CpmipOptions {
    std::vector<std::string> directories;
    std::string without_output, submitted, name, mode, models, svg, sacct;
    double platform_J = unknown, platform_core_hours = unknown;
    std::int64_t cores_per_node = 0;
    Platform platform;
    TimelineHints hints;
    bool json = false, csv = false, es_doc = false, compare = false;
};

// The cost with all cores of all nodes, used or not (section 3.2, footnote 4).
void round_to_nodes(CoupledRun &run, std::int64_t cores_per_node) {
    if (cores_per_node == 0) return;
    Cpmip &c = run.cpmip;
    const double whole = in_whole_nodes(c.parallelization, cores_per_node);
    const double ratio = whole / c.parallelization;
    c.parallelization = whole;
    c.chsy *= ratio;
    c.data_intensity /= ratio;
    const double servers = io_server_cost(run, cores_per_node);
    if (is_known(servers)) c.data_output_cost = servers;
}

CoupledRun load(const std::string &directory, const CpmipOptions &options) {
    CoupledRun run = load_figures(directory, options.hints, progress_of);
    round_to_nodes(run, options.cores_per_node);
    return run;
}

// The same job given twice would count twice. Jobs of a chain may bear one name (cn_run), but do not start together.
void refuse_the_same(const std::vector<CoupledRun> &jobs, const std::vector<std::string> &directories) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const RunInfo &a = jobs[j].run, &b = jobs[i].run;
            std::error_code error;
            const bool same_folder = std::filesystem::equivalent(directories[j], directories[i], error);
            if (!same_folder && (a.id.empty() || a.id != b.id || a.started != b.started || a.ended != b.ended))
                continue;
            throw FileError(directories[i], same_folder ? "the same folder is given twice"
                                                        : "holds the same job as " + directories[j] + ": " + a.id);
        }
    }
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

std::string whole_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw FileError(path, "cannot read");
    return text.str();
}

std::vector<ModelRow> models_from(const std::string &path) {
    if (path.empty()) return read_model_rows(shipped_models);
    const std::string text = whole_text(path);
    try {
        return read_model_rows(text);
    } catch (const std::invalid_argument &error) {
        throw FileError(path, error.what());
    }
}

std::vector<CoupledRun> in_order_of_start(std::vector<CoupledRun> jobs) {
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const CoupledRun &a, const CoupledRun &b) { return a.run.started < b.run.started; });
    return jobs;
}

// Slurm's figure takes the place of the measured one: it is of whole jobs. Both are told where they differ.
void enter_slurm_energy(CoupledRun &run, const CpmipOptions &options, std::vector<std::string> &remarks) {
    if (options.sacct.empty()) return;
    std::vector<SlurmJobEnergy> jobs;
    try {
        jobs = read_sacct_energy(whole_text(options.sacct));
    } catch (const std::invalid_argument &error) {
        throw FileError(options.sacct, error.what());
    }
    if (jobs.size() != options.directories.size()) {
        throw FileError(options.sacct, fmt::format("{} jobs, but {} folders are given: one line for each is needed",
                                                   jobs.size(), options.directories.size()));
    }
    const double years = simulated_years(run.run.simulated_s, run.run.year_days);
    const double measured_J = run.cpmip.ajpsy * years;
    double slurm_J = 0;
    for (const SlurmJobEnergy &job : jobs) {
        if (!is_known(job.joules))
            remarks.push_back(fmt::format("Slurm has no energy of job {}: AJPSY is not by it", job.job));
        slurm_J += job.joules;
    }
    if (!is_known(slurm_J)) return;
    run.cpmip.ajpsy = slurm_J / years;
    remarks.push_back(fmt::format("AJPSY by Slurm's ConsumedEnergyRaw, {:.6g} J", slurm_J));
    constexpr double tolerated = 0.1;
    const double apart = std::abs(slurm_J - measured_J) / std::max(slurm_J, measured_J);
    if (apart > tolerated) {
        remarks.push_back(
            fmt::format("the runs measured {:.6g} J themselves, {:.0f} % apart: Slurm counts whole jobs "
                        "and, by its plugin, whole nodes",
                        measured_J, 100 * apart));
    }
}

CpmipOutput put_together(const CpmipOptions &options) {
    CpmipOutput output;
    std::vector<CoupledRun> jobs;
    for (const std::string &directory : options.directories)
        jobs.push_back(load(directory, options));
    refuse_the_same(jobs, options.directories);
    CoupledRun run = chain_of(in_order_of_start(jobs));
    Cpmip &c = run.cpmip;
    if (!options.submitted.empty()) run.run.submitted = options.submitted;
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    enter_slurm_energy(run, options, output.remarks);
    c.jpsy = jpsy(c.chsy, options.platform_J, options.platform_core_hours);
    if (!options.without_output.empty()) {
        const CoupledRun without = load(options.without_output, options);
        for (std::size_t i = 0; i < jobs.size(); ++i)
            refuse_the_same({jobs[i], without}, {options.directories[i], options.without_output});
        c.data_output_cost = data_output_cost(c.chsy, without.cpmip.chsy);
        output.remarks.push_back(fmt::format("data output cost by equation 10, against {}", options.without_output));
    }
    fill_in_platform(run, options.platform);
    output.run = std::move(run);
    output.name = options.name;
    output.mode = options.mode.empty() ? ' ' : options.mode.front();
    output.jobs = jobs.size();
    if (options.cores_per_node > 0 && is_known(output.run.cpmip.parallelization)) {
        output.nodes =
            static_cast<std::int64_t>(in_whole_nodes(output.run.cpmip.parallelization, options.cores_per_node) /
                                      static_cast<double>(options.cores_per_node));
    }
    if (options.compare) output.models = models_from(options.models);
    return output;
}

void print_cpmip(const CpmipOptions &options) {
    const CpmipOutput output = put_together(options);
    if (!options.svg.empty()) write_result_file(options.svg, model_plot_svg(rows_with_run(output)));
    if (options.json)
        print(cpmip_as_json(output));
    else if (options.es_doc)
        print(es_doc_json(output.run, output.name, output.nodes));
    else if (options.csv)
        print(csv_names() + csv_of(row_of(output.run, output.name, output.mode)));
    else
        print(cpmip_as_text(output));
}

std::string not_a_time(const std::string &text) {
    return unix_seconds_of_iso8601(text) ? "" : "not a time like 2026-03-09T14:05:00Z: " + text;
}

} // namespace

void add_cpmip_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("cpmip", "The CPMIP table of a run, of a chain of jobs, or of a run with and one without "
                                    "output; beside those of other models");
    const auto o = std::make_shared<CpmipOptions>();
    command->add_option("DIR", o->directories, "folders with results; several: the jobs of one experiment")
        ->required();
    command->add_option("--without-output", o->without_output,
                        "folder of the same run without output, for the data output cost");
    add_timeline_options(*command, o->hints);
    command->add_option("--submitted", o->submitted, "submission of the first job, ISO 8601, for ASYPD")
        ->check(not_a_time);
    auto *energy = command
                       ->add_option("--platform-energy", o->platform_J,
                                    "energy that the whole platform used over some time [J], for JPSY")
                       ->check(cli::positive());
    auto *hours =
        command->add_option("--platform-core-hours", o->platform_core_hours, "its core hours over the same time")
            ->check(cli::positive());
    energy->needs(hours);
    hours->needs(energy);
    command->add_option("--sacct", o->sacct,
                        "text of sacct --parsable2 --format=JobID,ConsumedEnergyRaw for the jobs, for AJPSY");
    command->add_option("--cores-per-node", o->cores_per_node, "cores of a node: allocations are rounded up to nodes")
        ->check(cli::in_range(std::int64_t{1}, std::int64_t{1'000'000}));
    command->add_option("--mode", o->mode, "S: run for speed, T: for throughput")->check(cli::one_of({"S", "T"}));
    command->add_option("--name", o->name, "name of the model, instead of the run's");
    command->add_option("--machine", o->platform.machine, "platform: name of the machine");
    command->add_option("--chip", o->platform.chip, "platform: name of the processor");
    command->add_option("--machine-cores", o->platform.cores, "platform: cores of the whole machine")
        ->check(cli::positive());
    command->add_option("--clock", o->platform.clock_GHz, "platform: clock [GHz]")->check(cli::positive());
    command->add_option("--flop-per-cycle", o->platform.flop_per_cycle, "platform: operations of a core per cycle")
        ->check(cli::positive());
    auto *compare = command->add_flag("--compare", o->compare, "beside the models of table 1 of Balaji et al. 2017");
    command->add_option("--models", o->models, "beside those of this file, in the form of --csv")->needs(compare);
    command->add_option("--svg", o->svg, "the plot of --compare as a file")->needs(compare);
    auto *json = command->add_flag("--json", o->json, "for programs");
    auto *csv = command->add_flag("--csv", o->csv, "as a row of table 1");
    command->add_flag("--es-doc", o->es_doc, "json under the names of ES-DOC")->excludes(json)->excludes(csv);
    csv->excludes(json);
    command->callback([o] { print_cpmip(*o); });
}

} // namespace cpl_lb
