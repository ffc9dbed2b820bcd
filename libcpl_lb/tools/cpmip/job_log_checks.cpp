// The format of a job log, checks that apply to all of them, and the simulated time of their jobs.
#include "analysis/job_log.hpp"
#include "io/files/file_error.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/command_line.hpp"
#include "tools/cpmip/job_log_files.hpp"

#include <algorithm>
#include <charconv>
#include <fnmatch.h>
#include <sstream>

namespace cpl_lb {
namespace {

std::vector<double> years_of_list(const std::string &lengths) {
    std::vector<double> years;
    std::istringstream list(lengths + ","); // the comma: an empty length is refused, too
    for (std::string length; std::getline(list, length, ',');)
        years.push_back(simulated_length_in_years(length));
    return years;
}

constexpr JobLogFormat slurm = {"Slurm", "Slurm's ConsumedEnergyRaw", read_sacct};
constexpr JobLogFormat autosubmit = {"Autosubmit", "Autosubmit", read_autosubmit};

} // namespace

const JobLogFormat &format_of_log(std::string_view text) {
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

bool is_like(const std::string &name, const std::string &pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

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
