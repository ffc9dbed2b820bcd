// Slurm's accounting as sacct prints it.
#include "io/files/csv_table.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "tools/cpmip/job_log_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace cpl_lb {
namespace {

// A machine of 100 MW over a month. Slurm stores "not known" as a number near 2^64, which old versions print.
constexpr double most_J = 100e6 * 31 * 86400;
constexpr double clock_step_s = 1; // sacct prints whole seconds
constexpr JobLogTimes times = {"Submit", "Start", "End", clock_step_s, clock_step_s};

// The job state codes of sacct's manual, and older names: which simulated, which only cost, which are not over.
constexpr std::array lost_states = {"BOOT_FAIL",     "CANCELLED", "DEADLINE", "FAILED",  "NODE_FAIL",
                                    "OUT_OF_MEMORY", "PREEMPTED", "REQUEUED", "REVOKED", "TIMEOUT"};
constexpr std::array going_states = {"COMPLETING", "CONFIGURING", "PENDING",   "REQUEUE_HOLD", "RESIZING",
                                     "RUNNING",    "SIGNALING",   "STAGE_OUT", "STOPPED",      "SUSPENDED"};

template <class List>
bool has(const List &words, std::string_view word) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return w == word; });
}

JobEnd end_in(const CsvTable &log, std::size_t row) {
    if (!log.has("State")) return JobEnd::completed;
    const std::string &state = log.text(row, "State");
    const std::string word = state.substr(0, state.find_first_of(" +")); // "CANCELLED by 1000", "CANCELLED+"
    if (word == "COMPLETED") return JobEnd::completed;
    if (has(lost_states, word)) return JobEnd::lost;
    if (has(going_states, word)) return JobEnd::not_yet;
    throw log.wrong(row, "State", fmt::format("job {}: not a state of a job: {}", log.text(row, "JobID"), state));
}

// In sacct's format, or in seconds since 1970 (SLURM_TIME_FORMAT=%s).
double time_in(const CsvTable &log, std::size_t row, const char *column) {
    if (!log.has(column) || log.is_empty(row, column)) return unknown;
    const std::string &text = log.text(row, column);
    if (text == "Unknown" || text == "None") return unknown;
    if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }))
        return log.number(row, column);
    const std::optional<double> seconds = unix_seconds_of_iso8601(text);
    if (!seconds)
        throw log.wrong(row, column,
                        fmt::format("job {}: not a time like 2026-03-09T14:05:00: {}", log.text(row, "JobID"), text));
    return *seconds;
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

double elapsed_in(const CsvTable &log, std::size_t row, const LoggedJob &job) {
    if (log.has("ElapsedRaw")) {
        const double seconds = log.number(row, "ElapsedRaw");
        if (seconds < 0)
            throw log.wrong(row, "ElapsedRaw", fmt::format("job {}: a negative time: {:g} s", job.id, seconds));
        return seconds;
    }
    if (!log.has("Elapsed")) return job.ended_s - job.started_s;
    const double seconds = seconds_of(log.text(row, "Elapsed"));
    if (seconds < 0)
        throw log.wrong(row, "Elapsed",
                        fmt::format("job {}: not a time like 1-02:03:04: {}", job.id, log.text(row, "Elapsed")));
    return seconds;
}

void enter_times(const CsvTable &log, std::size_t row, LoggedJob &job) {
    job.submitted_s = time_in(log, row, times.submit);
    job.started_s = time_in(log, row, times.start);
    job.ended_s = time_in(log, row, times.end);
    job.elapsed_s = elapsed_in(log, row, job);
    check_times(log, row, job, times);
    if (job.elapsed_s > job.ended_s - job.started_s + clock_step_s) {
        throw log.wrong(row, log.has("ElapsedRaw") ? "ElapsedRaw" : "Elapsed",
                        fmt::format("job {}: {:g} s are more than the {:g} s from its start to its end", job.id,
                                    job.elapsed_s, job.ended_s - job.started_s));
    }
}

double energy_in(const CsvTable &log, std::size_t row, const LoggedJob &job) {
    constexpr const char *column = "ConsumedEnergyRaw";
    if (!log.has(column) || log.is_empty(row, column)) return unknown;
    const double joules = log.number(row, column);
    if (joules < 0) throw log.wrong(row, column, fmt::format("job {}: negative energy: {:g} J", job.id, joules));
    return joules > 0 && joules < most_J ? joules : unknown;
}

JobRole role_of(const LoggedJob &job, const JobLogOptions &options) {
    if (!options.transfer_jobs.empty() && is_like(job.name, options.transfer_jobs)) return JobRole::transfer;
    return options.simulation_jobs.empty() || is_like(job.name, options.simulation_jobs) ? JobRole::simulation
                                                                                         : JobRole::other;
}

LoggedJob job_in(const CsvTable &log, std::size_t row, const JobLogOptions &options, bool with_times) {
    LoggedJob job;
    job.id = log.text(row, "JobID");
    job.line = log.line(row);
    if (log.has("JobName") && !log.is_empty(row, "JobName")) job.name = log.text(row, "JobName");
    job.end = end_in(log, row);
    job.role = role_of(job, options);
    job.energy_J = energy_in(log, row, job);
    if (with_times) enter_times(log, row, job);
    for (const char *column : {"AllocCPUS", "NCPUS"})
        if (log.has(column)) job.cores = log.not_negative(row, column) / options.cpus_per_core;
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
void enter_job(std::vector<LoggedJob> &jobs, std::vector<std::string> &seen, LoggedJob job, const CsvTable &log,
               std::size_t row) {
    const std::string start = is_known(job.started_s) ? fmt::format(" {:.0f}", job.started_s) : "";
    const std::string line = job.id + start;
    if (std::find(seen.begin(), seen.end(), line) != seen.end())
        throw log.wrong(row, "JobID", fmt::format("job {} is there twice", job.id));
    seen.push_back(line);
    const std::size_t plus = job.id.find('+');
    if (plus != std::string::npos) {
        job.id.resize(plus);
        const auto other = std::find_if(jobs.begin(), jobs.end(), [&](const LoggedJob &j) {
            return j.id == job.id && !(j.started_s < job.started_s) && !(j.started_s > job.started_s);
        });
        if (other != jobs.end()) return add_part(*other, job);
    }
    jobs.push_back(std::move(job));
}

} // namespace

std::vector<LoggedJob> read_sacct(const std::string &path, const JobLogOptions &options) {
    const CsvTable log = CsvTable::from_file(path, '|');
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
    for (std::size_t row = 0; row < log.rows(); ++row)
        if (is_job(log.text(row, "JobID"))) enter_job(jobs, seen, job_in(log, row, options, with_times), log, row);
    if (jobs.empty()) throw FileError(path, "no line of a job, only of steps or none");
    return jobs;
}

} // namespace cpl_lb
