// Reads job logs, each by its columns: Slurm's accounting as sacct prints it, and Autosubmit's own table of jobs,
// job_data_EXPID.db, as CSV. Then the checks that apply to both, and the simulated time of their jobs.
#include "tools/cpmip/job_log_files.hpp"

#include "analysis/job_log.hpp"
#include "io/files/csv_table.hpp"
#include "io/files/file_error.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fnmatch.h>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

namespace cpl_lb {
namespace {

// A line of a log. Its errors name the job.
struct LogLine {
    const CsvTable &log;
    std::size_t row;
    std::string id;

    [[nodiscard]] bool holds(const char *column) const { return log.has(column) && !log.is_empty(row, column); }
    [[nodiscard]] const std::string &text(const char *column) const { return log.text(row, column); }
    [[nodiscard]] FileError wrong(const char *column, const std::string &what) const {
        return log.wrong(row, column, "job " + id + ": " + what);
    }
};

// The columns of a log's times, and how far its clocks may be apart.
struct JobLogTimes {
    const char *submit, *start, *end;
    double before_submission_s, before_start_s;
};
// Throws for times in the wrong order, and for a completed job without a time.
void check_times(const LogLine &line, const LoggedJob &job, const JobLogTimes &times) {
    if (job.started_s < job.submitted_s - times.before_submission_s)
        throw line.wrong(times.start, fmt::format("starts {} s before it is submitted",
                                                  decimal_text(job.submitted_s - job.started_s, 0)));
    if (job.ended_s < job.started_s - times.before_start_s)
        throw line.wrong(times.end,
                         fmt::format("ends {} s before it starts", decimal_text(job.started_s - job.ended_s, 0)));
    if (job.end == JobEnd::completed && !is_known(job.started_s + job.ended_s))
        throw line.wrong(is_known(job.started_s) ? times.end : times.start, "COMPLETED without a time");
}

bool is_like(const std::string &name, const std::string &pattern) { // of a shell
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// Slurm.

// A machine of 100 MW over a month. Slurm stores "not known" as a number near 2^64, which old versions print.
constexpr double most_J = 100e6 * 31 * 86400;
constexpr double clock_step_s = 1; // sacct prints whole seconds
constexpr JobLogTimes sacct_times = {"Submit", "Start", "End", clock_step_s, clock_step_s};

// The job state codes of sacct's manual, and older names: which simulated, which only cost, which are not over.
constexpr std::array<std::string_view, 10> lost_states = {"BOOT_FAIL", "CANCELLED",     "DEADLINE",  "FAILED",
                                                          "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REQUEUED",
                                                          "REVOKED",   "TIMEOUT"};
constexpr std::array<std::string_view, 10> going_states = {"COMPLETING", "CONFIGURING", "PENDING",   "REQUEUE_HOLD",
                                                           "RESIZING",   "RUNNING",     "SIGNALING", "STAGE_OUT",
                                                           "STOPPED",    "SUSPENDED"};

JobEnd end_in(const LogLine &line) {
    if (!line.log.has("State")) return JobEnd::completed;
    const std::string &state = line.text("State");
    const std::string word = state.substr(0, state.find_first_of(" +")); // "CANCELLED by 1000", "CANCELLED+"
    if (word == "COMPLETED") return JobEnd::completed;
    if (std::ranges::find(lost_states, word) != lost_states.end()) return JobEnd::lost;
    if (std::ranges::find(going_states, word) != going_states.end()) return JobEnd::not_yet;
    throw line.wrong("State", "not a state of a job: " + state);
}

// In sacct's format, or in seconds since 1970 (SLURM_TIME_FORMAT=%s).
double time_in(const LogLine &line, const char *column) {
    if (!line.holds(column)) return unknown;
    const std::string &text = line.text(column);
    if (text == "Unknown" || text == "None") return unknown;
    if (text.find_first_not_of("0123456789") == std::string::npos) return line.log.number(line.row, column);
    if (const auto seconds = unix_seconds_of_iso8601(text)) return *seconds;
    throw line.wrong(column, "not a time like 2026-03-09T14:05:00: " + text);
}

// "1-02:03:04" and "02:03:04": seconds, or less than 0 if the text has another form.
double seconds_of(const std::string &text) {
    const std::size_t dash = text.find('-');
    const std::optional<unsigned> days =
        dash == std::string::npos ? 0U : cli::number_in<unsigned>(text.substr(0, dash));
    std::istringstream rest(dash == std::string::npos ? text : text.substr(dash + 1));
    double seconds = 0;
    int parts = 0;
    for (std::string part; std::getline(rest, part, ':'); ++parts) {
        const auto number = cli::number_in<unsigned>(part); // so that a sign is no number
        if (!number) return -1;
        seconds = 60 * seconds + *number;
    }
    return days && parts == 3 ? 86400.0 * *days + seconds : -1;
}

double elapsed_in(const LogLine &line, const LoggedJob &job) {
    if (line.log.has("ElapsedRaw")) {
        const double seconds = line.log.number(line.row, "ElapsedRaw");
        if (seconds < 0) throw line.wrong("ElapsedRaw", fmt::format("a negative time: {:g} s", seconds));
        return seconds;
    }
    if (!line.log.has("Elapsed")) return job.ended_s - job.started_s;
    const double seconds = seconds_of(line.text("Elapsed"));
    if (seconds < 0) throw line.wrong("Elapsed", "not a time like 1-02:03:04: " + line.text("Elapsed"));
    return seconds;
}

void enter_times(const LogLine &line, LoggedJob &job) {
    job.submitted_s = time_in(line, sacct_times.submit);
    job.started_s = time_in(line, sacct_times.start);
    job.ended_s = time_in(line, sacct_times.end);
    job.elapsed_s = elapsed_in(line, job);
    check_times(line, job, sacct_times);
    if (job.elapsed_s > job.ended_s - job.started_s + clock_step_s) {
        throw line.wrong(line.log.has("ElapsedRaw") ? "ElapsedRaw" : "Elapsed",
                         fmt::format("{:g} s are more than the {:g} s from its start to its end", job.elapsed_s,
                                     job.ended_s - job.started_s));
    }
}

double energy_in(const LogLine &line) {
    constexpr const char *column = "ConsumedEnergyRaw";
    if (!line.holds(column)) return unknown;
    const double joules = line.log.number(line.row, column);
    if (joules < 0) throw line.wrong(column, fmt::format("negative energy: {:g} J", joules));
    return joules > 0 && joules < most_J ? joules : unknown;
}

JobRole role_of(const LoggedJob &job, const JobLogOptions &options) {
    if (!options.transfer_jobs.empty() && is_like(job.name, options.transfer_jobs)) return JobRole::transfer;
    return options.simulation_jobs.empty() || is_like(job.name, options.simulation_jobs) ? JobRole::simulation
                                                                                         : JobRole::other;
}

LoggedJob job_in(const LogLine &line, const JobLogOptions &options, bool with_times) {
    LoggedJob job;
    job.id = line.id;
    job.line = line.log.line(line.row);
    if (line.holds("JobName")) job.name = line.text("JobName");
    job.end = end_in(line);
    job.role = role_of(job, options);
    job.energy_J = energy_in(line);
    if (with_times) enter_times(line, job);
    for (const char *column : {"AllocCPUS", "NCPUS"})
        if (line.log.has(column)) job.cores = line.log.not_negative(line.row, column) / options.cpus_per_core;
    return job;
}

// "4711.0" and "4711.batch" are steps; the line of names is repeated if outputs were joined.
bool is_job(const std::string &id) {
    return id != "JobID" && id.find('.') == std::string::npos;
}

// The parts of a heterogeneous job run side by side: their cores and joules add up to one job.
void add_part(LoggedJob &job, const LoggedJob &part) {
    job.cores += part.cores;
    job.energy_J += part.energy_J;
    job.elapsed_s = std::max(job.elapsed_s, part.elapsed_s);
    job.ended_s = std::max(job.ended_s, part.ended_s);
    if (part.end != JobEnd::completed) job.end = part.end;
}

// One line for each job, but a job that was put back into the queue has several, with other starts (sacct
// --duplicates).
void enter_job(std::vector<LoggedJob> &jobs, std::vector<std::string> &seen, LoggedJob job, const LogLine &line) {
    const std::string attempt =
        job.id + (is_known(job.started_s) ? fmt::format(" {}", decimal_text(job.started_s, 0)) : "");
    if (std::ranges::find(seen, attempt) != seen.end())
        throw line.log.wrong(line.row, "JobID", fmt::format("job {} is there twice", job.id));
    seen.push_back(attempt);
    const std::size_t plus = job.id.find('+');
    if (plus != std::string::npos) {
        job.id.resize(plus);
        const auto other = std::ranges::find_if(jobs, [&](const LoggedJob &j) {
            return j.id == job.id && !(j.started_s < job.started_s) && !(j.started_s > job.started_s);
        });
        if (other != jobs.end()) return add_part(*other, job);
    }
    jobs.push_back(std::move(job));
}

// Autosubmit.

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

std::vector<LoggedJob> read_sacct(const std::string &path, std::string_view text, const JobLogOptions &options) {
    const CsvTable log(path, text, '|');
    log.require({"JobID"});
    if (options.times_needed) {
        log.require({"Submit", "Start", "End", "State"});
        if (!log.has("NCPUS")) log.require({"AllocCPUS"});
        if (!options.simulation_jobs.empty() || !options.transfer_jobs.empty()) log.require({"JobName"});
    } else {
        log.require({"ConsumedEnergyRaw"});
    }
    const bool with_times = log.has("Submit") && log.has("Start") && log.has("End");
    std::vector<LoggedJob> jobs;
    std::vector<std::string> seen;
    for (std::size_t row = 0; row < log.rows(); ++row) {
        const LogLine line{log, row, log.text(row, "JobID")};
        if (is_job(line.id)) enter_job(jobs, seen, job_in(line, options, with_times), line);
    }
    if (jobs.empty()) throw FileError(path, "no line of a job, only of steps or none");
    return jobs;
}

std::vector<LoggedJob> read_autosubmit(const std::string &path, std::string_view text, const JobLogOptions &options) {
    const CsvTable log(path, text);
    log.require({"job_name", "submit", "start", "finish", "status", "ncpus"});
    std::vector<LoggedJob> attempts;
    for (std::size_t row = 0; row < log.rows(); ++row)
        attempts.push_back(attempt_in(log, row, options));
    return jobs_of(attempts);
}

const JobLogFormat &format_of_log(std::string_view text) {
    static constexpr JobLogFormat slurm = {"Slurm", "Slurm's ConsumedEnergyRaw", read_sacct},
                                  autosubmit = {"Autosubmit", "Autosubmit", read_autosubmit};
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.empty() || line.front() == '#' || line.front() == '\r') continue; // as CsvTable
        return line.find("job_name") != std::string_view::npos ? autosubmit : slurm;
    }
    return slurm;
}

double simulated_length_in_years(std::string_view length) {
    double value = 0;
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), value);
    const std::string_view unit(end, static_cast<std::size_t>(length.data() + length.size() - end));
    constexpr double months = 12, days = 365; // of a year, as SYPD counts it
    constexpr double most = 1e9;
    if (error == std::errc() && value > 0 && value <= most) {
        if (unit == "y") return value;
        if (unit == "mo") return value / months;
        if (unit == "d") return value / days;
    }
    throw cli::WrongUsage(fmt::format("--simulated-per-job: '{}' is not a length like 1y, 3mo or 30d", length));
}

namespace {

std::vector<double> years_of_list(const std::string &lengths) {
    std::vector<double> years;
    std::istringstream list(lengths + ","); // the comma: an empty length is refused, too
    for (std::string length; std::getline(list, length, ',');)
        years.push_back(simulated_length_in_years(length));
    return years;
}

} // namespace

void refuse_overlaps(const std::string &path, const std::vector<LoggedJob> &jobs) {
    const std::optional<Overlap> found = first_overlap(jobs);
    if (!found) return;
    const LoggedJob &a = jobs[found->earlier], &b = jobs[found->later];
    throw FileError(
        fmt::format("{}:{}", path, b.line),
        fmt::format("job {} starts {} s before job {} of line {} ends: jobs of a chain follow each other. "
                    "If they are members of an ensemble, give --ensemble",
                    b.id, decimal_text(a.ended_s - b.started_s, 0), a.id, a.line));
}

void refuse_empty_jobs(const std::string &path, const std::vector<LoggedJob> &jobs) {
    for (const LoggedJob &job : jobs) {
        if (!has_simulated(job) || (job.elapsed_s > 0 && job.cores > 0)) continue;
        throw FileError(fmt::format("{}:{}", path, job.line),
                        fmt::format("job {} completed {}: if it simulated nothing, leave it out (--simulation-jobs)",
                                    job.id, job.elapsed_s > 0 ? "on 0 CPUs" : "in 0 s"));
    }
}

void enter_simulated_years(std::vector<LoggedJob> &jobs, const std::string &lengths) {
    std::vector<LoggedJob *> completed;
    for (LoggedJob &job : jobs)
        if (has_simulated(job)) completed.push_back(&job);
    std::ranges::stable_sort(completed, {}, &LoggedJob::started_s);
    const std::vector<double> years = years_of_list(lengths);
    if (years.size() > 1 && years.size() != completed.size()) {
        throw cli::WrongUsage(fmt::format("--simulated-per-job: {}, but {} completed",
                                          counted(years.size(), "length"),
                                          counted(completed.size(), "simulation job")));
    }
    for (std::size_t i = 0; i < completed.size(); ++i)
        completed[i]->years = years.size() > 1 ? years[i] : years.front();
}

} // namespace cpl_lb
