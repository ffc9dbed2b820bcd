// Autosubmit's own table of jobs, job_data_EXPID.db, as CSV.
#include "io/files/csv_table.hpp"
#include "tools/cpmip/job_log_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace cpl_lb {
namespace {

// The words of Autosubmit's class Status.
constexpr std::array<std::string_view, 11> waiting_words = {"WAITING",   "DELAYED",   "PREPARED", "READY",
                                                            "SUBMITTED", "HELD",      "QUEUING",  "RUNNING",
                                                            "SKIPPED",   "SUSPENDED", "UNKNOWN"};

JobRole role_in(const std::string &name, const JobLogOptions &options) {
    if (is_like(name, options.simulation_jobs.empty() ? "*_SIM" : options.simulation_jobs))
        return JobRole::simulation;
    if (is_like(name, options.transfer_jobs.empty() ? "*_TRANSFER" : options.transfer_jobs)) return JobRole::transfer;
    if (is_like(name, "*_POST")) return JobRole::post;
    return is_like(name, "*_CLEAN") ? JobRole::clean : JobRole::other;
}

JobEnd end_of(const LogLine &line) {
    const std::string &word = line.text("status");
    if (word == "COMPLETED") return JobEnd::completed;
    if (word == "FAILED") return JobEnd::lost;
    if (std::ranges::find(waiting_words, word) != waiting_words.end()) return JobEnd::not_yet;
    throw line.wrong("status", "not a status of a job: " + word);
}

// a000_19900101_fc0_12_SIM is chunk 12 of the chain a000_19900101_fc0.
std::string chain_of_name(const std::string &name) {
    const std::size_t section = name.rfind('_');
    if (section == std::string::npos || section == 0) return name;
    const std::size_t chunk = name.rfind('_', section - 1);
    return chunk == std::string::npos ? name : name.substr(0, chunk);
}

// Seconds since 1970; 0 is not known.
double seconds_in(const CsvTable &log, std::size_t row, const char *column) {
    const double seconds = log.not_negative(row, column);
    return seconds > 0 ? seconds : unknown;
}

// Submitted by the clock of Autosubmit's machine, started by that of the other: a few seconds apart they may be.
constexpr JobLogTimes autosubmit_times = {"submit", "start", "finish", 60, 0};

LoggedJob attempt_in(const CsvTable &log, std::size_t row, const JobLogOptions &options) {
    const LogLine line{log, row, log.text(row, "job_name")};
    LoggedJob job;
    job.name = job.id = line.id;
    job.line = log.line(row);
    job.role = role_in(job.name, options);
    job.chain = chain_of_name(job.name);
    job.end = end_of(line);
    if (job.end == JobEnd::not_yet || job.role == JobRole::other)
        return job; // its times may still be those of before
    job.submitted_s = seconds_in(log, row, autosubmit_times.submit);
    job.started_s = seconds_in(log, row, autosubmit_times.start);
    job.ended_s = seconds_in(log, row, autosubmit_times.end);
    check_times(line, job, autosubmit_times);
    job.elapsed_s = job.ended_s - job.started_s;
    job.cores = log.not_negative(row, "ncpus") / options.cpus_per_core;
    if (line.holds("energy"))
        if (const double joules = log.not_negative(row, "energy"); joules > 0) job.energy_J = joules;
    return job;
}

// Attempts of one job: the last completed one counts, because the job was simulated again after earlier ones. A
// repeated attempt without a final state (WAITING) failed if it ended, and is no job if it never started.
std::vector<LoggedJob> jobs_of(const std::vector<LoggedJob> &attempts) {
    std::map<std::string, std::size_t> last, last_completed; // lines
    for (const LoggedJob &attempt : attempts) {
        last[attempt.name] = attempt.line;
        if (attempt.end == JobEnd::completed) last_completed[attempt.name] = attempt.line;
    }
    std::vector<LoggedJob> jobs;
    for (LoggedJob job : attempts) {
        if (job.end == JobEnd::not_yet && job.line < last[job.name]) {
            if (!(job.elapsed_s >= 0)) continue;
            job.end = JobEnd::lost;
        }
        if (job.end == JobEnd::completed && job.line < last_completed[job.name]) job.end = JobEnd::lost;
        jobs.push_back(std::move(job));
    }
    return jobs;
}

} // namespace

std::vector<LoggedJob> read_autosubmit(const std::string &path, std::string_view text, const JobLogOptions &options) {
    const CsvTable log(path, text);
    log.require({"job_name", "submit", "start", "finish", "status", "ncpus"});
    std::vector<LoggedJob> attempts;
    for (std::size_t row = 0; row < log.rows(); ++row)
        attempts.push_back(attempt_in(log, row, options));
    return jobs_of(attempts);
}

} // namespace cpl_lb
