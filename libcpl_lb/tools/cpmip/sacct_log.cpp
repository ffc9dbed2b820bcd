// Slurm's accounting as sacct prints it.
#include "io/files/csv_table.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/cpmip/job_log_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace cpl_lb {
namespace {

// A machine of 100 MW over a month. Slurm stores "not known" as a number near 2^64, which old versions print.
constexpr double most_J = 100e6 * 31 * 86400;
constexpr double clock_step_s = 1; // sacct prints whole seconds
constexpr JobLogTimes times = {"Submit", "Start", "End", clock_step_s, clock_step_s};

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

// Removes a number and the character after it from the front; -1 if there is none.
int take_number(std::string_view &text, char end) {
    unsigned value = 0; // so that a sign is no number
    const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return -1;
    text.remove_prefix(static_cast<std::size_t>(after - text.data()));
    if (!text.empty() && text.front() != end) return -1;
    if (!text.empty()) text.remove_prefix(1);
    return static_cast<int>(value);
}

// "1-02:03:04" and "02:03:04": seconds, or less than 0 if the text has another form.
double seconds_of(std::string_view text) {
    constexpr int hour_s = 3600, minute_s = 60;
    int days = 0;
    if (text.find('-') != std::string_view::npos && text.front() != '-') days = take_number(text, '-');
    const int hours = take_number(text, ':'), minutes = take_number(text, ':'), seconds = take_number(text, ':');
    if (days < 0 || hours < 0 || minutes < 0 || seconds < 0 || !text.empty()) return -1;
    return (days * 24.0 + hours) * hour_s + minutes * minute_s + seconds;
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
    job.submitted_s = time_in(line, times.submit);
    job.started_s = time_in(line, times.start);
    job.ended_s = time_in(line, times.end);
    job.elapsed_s = elapsed_in(line, job);
    check_times(line, job, times);
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

} // namespace cpl_lb
