// The table from folders with results (one run, a chain of jobs, a run with and one without output), or from a job
// log alone.
#include "tools/cpmip/cpmip_sources.hpp"

#include "analysis/job_log.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "run/loaded/load_run.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

CoupledRun load(const std::string &directory, const CpmipOptions &options) {
    CoupledRun run = load_figures(directory, options.hints, progress_of);
    round_to_nodes(run, options.cores_per_node);
    return run;
}

std::vector<CoupledRun> in_order_of_start(std::vector<CoupledRun> jobs) {
    std::ranges::stable_sort(jobs, {}, [](const CoupledRun &job) { return std::string_view(job.run.started); });
    return jobs;
}

void say_who_has_no_energy(const std::vector<LoggedJob> &jobs, const std::string &who,
                           std::vector<std::string> &remarks) {
    for (const LoggedJob &job : jobs)
        if (has_simulated(job) && !is_known(job.energy_J))
            remarks.push_back(fmt::format("{} has no energy of job {}, so AJPSY is not taken from it", who, job.id));
}

// The log's figure replaces the measured one, because it covers whole jobs. If they differ, both are reported.
void enter_log_energy(CoupledRun &run, double log_J, const std::string &source, std::vector<std::string> &remarks) {
    if (!is_known(log_J)) return;
    const double years = simulated_years(run.run.simulated_s, run.run.year_days);
    const double measured_J = run.cpmip.ajpsy * years;
    run.cpmip.ajpsy = log_J / years;
    remarks.push_back(fmt::format("AJPSY by {}, {:.6g} J", source, log_J));
    constexpr double tolerated = 0.1;
    const double apart = std::abs(log_J - measured_J) / std::max(log_J, measured_J);
    if (apart > tolerated) {
        remarks.push_back(fmt::format("the runs measured {:.6g} J themselves, {} % apart: Slurm counts whole jobs "
                                      "and, by its plugin, whole nodes",
                                      measured_J, decimal_text(100 * apart, 0)));
    }
}

// Clocks of logs are local times, of results UTC: a day and a half leaves room for both and for a wrong zone.
void refuse_log_of_others(const CoupledRun &run, const JobLogFigures &log, const std::string &path) {
    constexpr double apart_s = 1.5 * 86400;
    const double started_s = unix_seconds_or_unknown(run.run.started),
                 ended_s = unix_seconds_or_unknown(run.run.ended);
    if (!(started_s < log.started_s - apart_s) && !(ended_s > log.ended_s + apart_s)) return;
    throw FileError(path,
                    fmt::format("its jobs did not run when these results were made ({} to {}): is it the log of "
                                "other jobs?",
                                run.run.started, run.run.ended));
}

void say_what_was_lost(const JobLogFigures &f, std::vector<std::string> &remarks) {
    if (f.lost == 0) return;
    remarks.push_back(fmt::format("{} failed or ran again: {:.6g} core hours without simulated years, not in CHSY; "
                                  "with them it is {:.6g}",
                                  counted(f.lost, "job"), f.lost_core_hours, f.chsy_with_lost));
}

// From the results alone, which know when the models ran, but nothing about the jobs around them.
ActualTime time_of_results(const std::vector<CoupledRun> &jobs, const std::vector<std::string> &directories,
                           const CoupledRun &chain) {
    std::vector<LoggedJob> models;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const RunInfo &run = jobs[i].run;
        LoggedJob &model = models.emplace_back();
        model.id = directories[i];
        model.submitted_s =
            unix_seconds_or_unknown(run.started == chain.run.started ? chain.run.submitted : run.submitted);
        model.started_s = unix_seconds_or_unknown(run.started);
        model.ended_s = unix_seconds_or_unknown(run.ended);
        model.elapsed_s = model.ended_s - model.started_s;
    }
    ActualTime time =
        actual_time(models, unix_seconds_or_unknown(chain.run.submitted), unix_seconds_or_unknown(chain.run.ended));
    time.only_the_model = true;
    time.in_model_s = time.ran_s;
    return time;
}

// A job log's figures for runs with results: the energy, and with times the actual speed.
void enter_job_log(CoupledRun &run, const std::vector<CoupledRun> &results, const CpmipOptions &options,
                   CpmipOutput &output) {
    if (options.log_path.empty()) return;
    auto [format, jobs] = jobs_in_log(options, false);
    const auto completed = static_cast<std::size_t>(std::ranges::count_if(jobs, has_simulated));
    if (completed != results.size()) {
        throw FileError(options.log_path,
                        fmt::format("{}, but {} given: one line for each is needed", counted(completed, "job"),
                                    counted(results.size(), "folder is", "folders are")));
    }
    for (LoggedJob &job : jobs)
        if (has_simulated(job))
            job.years = simulated_years(run.run.simulated_s, run.run.year_days) / static_cast<double>(completed);
    const JobLogFigures f = job_log_figures(jobs);
    refuse_log_of_others(run, f, options.log_path);
    say_who_has_no_energy(jobs, format->name, output.remarks);
    enter_log_energy(run, f.energy_J, format->energy_from, output.remarks);
    if (is_known(f.asypd) && options.submitted.empty()) {
        run.cpmip.asypd = f.asypd;
        run.cpmip.why_no_asypd.clear();
        output.time = f.time;
        enter_model_time(output.time, run.run.wall_s, completed);
        output.remarks.emplace_back("ASYPD by the job log, from the first submission to the end of the last job");
    }
    say_what_was_lost(f, output.remarks);
}

} // namespace

JobLog jobs_in_log(const CpmipOptions &options, bool alone) {
    JobLogOptions log = options.log;
    log.times_needed = alone;
    const std::string text = read_text_file(options.log_path);
    const JobLogFormat &format = format_of_log(text);
    std::vector<LoggedJob> jobs = format.read(options.log_path, text, log);
    if (!options.ensemble) refuse_overlaps(options.log_path, jobs);
    if (std::ranges::none_of(jobs, has_simulated)) {
        throw FileError(options.log_path, "no simulation job that completed" +
                                              (options.log.simulation_jobs.empty()
                                                   ? ": see --simulation-jobs"
                                                   : " has a name like '" + options.log.simulation_jobs + "'"));
    }
    if (alone) {
        refuse_empty_jobs(options.log_path, jobs);
        enter_simulated_years(jobs, options.simulated_per_job);
    }
    return {&format, std::move(jobs)};
}

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

CpmipOutput output_of_folders(const CpmipOptions &options) {
    CpmipOutput output;
    std::vector<CoupledRun> jobs;
    for (const std::string &directory : options.directories)
        jobs.push_back(load(directory, options));
    refuse_runs_twice(jobs, options.directories);
    CoupledRun run = chain_of(in_order_of_start(jobs));
    Cpmip &c = run.cpmip;
    if (!options.submitted.empty()) run.run.submitted = options.submitted;
    enter_asypd(run, {unix_seconds_or_unknown(run.run.submitted), unix_seconds_or_unknown(run.run.started),
                      unix_seconds_or_unknown(run.run.ended)});
    if (is_known(c.asypd)) output.time = time_of_results(jobs, options.directories, run);
    enter_job_log(run, jobs, options, output);
    if (!options.realms.empty()) output.tree = realm_tree(jobs, run, given_realms(options.realms, jobs));
    if (!options.without_output.empty()) {
        const CoupledRun without = load(options.without_output, options);
        for (std::size_t i = 0; i < jobs.size(); ++i)
            refuse_runs_twice({jobs[i], without}, {options.directories[i], options.without_output});
        c.data_output_cost = data_output_cost(c.chsy, without.cpmip.chsy);
        output.remarks.push_back(fmt::format("data output cost by equation 10, against {}", options.without_output));
    }
    output.run = std::move(run);
    output.jobs = jobs.size();
    return output;
}

CpmipOutput output_of_job_log(const CpmipOptions &options) {
    const auto [format, jobs] = jobs_in_log(options, true);
    CpmipOutput output;
    output.log = job_log_figures(jobs);
    output.log_of = format->name;
    output.time = output.log->time;
    output.time.why_no_model = "a job log alone does not tell when the model ran: give DIR, too";
    output.run = run_of(*output.log);
    output.run.run.id = options.log_path;
    output.jobs = output.log->completed;
    round_to_nodes(output.run, options.cores_per_node);
    if (std::ranges::any_of(jobs, [](const LoggedJob &job) { return job.energy_J > 0; }))
        say_who_has_no_energy(jobs, output.log_of, output.remarks);
    say_what_was_lost(*output.log, output.remarks);
    return output;
}

} // namespace cpl_lb
