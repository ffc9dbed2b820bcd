// Job logs as text: the output of Slurm's sacct, and Autosubmit's table of an experiment's jobs.
#pragma once

#include "data/job_log.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct JobLogOptions {
    // Shell patterns for the names of jobs: which simulate, which bring results to the archive. Empty: all, and none;
    // of Autosubmit "*_SIM" and "*_TRANSFER".
    std::string simulation_jobs, transfer_jobs;
    double cpus_per_core = 1; // Slurm counts hardware threads
    bool times_needed = true; // if false, Slurm's JobID and ConsumedEnergyRaw are enough
};

// One for each readable log format.
struct JobLogFormat {
    const char *name, *energy_from; // in words
    std::vector<LoggedJob> (*read)(const std::string &path, std::string_view text, const JobLogOptions &options);
};
// By the line of names. The text is read once: it may come through a pipe.
[[nodiscard]] const JobLogFormat &format_of_log(std::string_view text);

// sacct --parsable2 with its line of names. Steps of jobs are left out; parts of a heterogeneous job ("11+0", "11+1")
// are one job. Errors are FileError with file, line, column and job.
[[nodiscard]] std::vector<LoggedJob> read_sacct(const std::string &path, std::string_view text,
                                                const JobLogOptions &options);

// sqlite3 -header -csv job_data_EXPID.db "select * from job_data": one line for each attempt of each job.
[[nodiscard]] std::vector<LoggedJob> read_autosubmit(const std::string &path, std::string_view text,
                                                     const JobLogOptions &options);

[[nodiscard]] inline bool has_simulated(const LoggedJob &job) {
    return job.role == JobRole::simulation && job.end == JobEnd::completed;
}

// Throws for jobs of a chain that overlap.
void refuse_overlaps(const std::string &path, const std::vector<LoggedJob> &jobs);

// Throws for a completed simulation job without run time or cores: speed and cost by it would be false.
void refuse_empty_jobs(const std::string &path, const std::vector<LoggedJob> &jobs);

// "1y", "3mo", "30d". Throws cli::WrongUsage.
[[nodiscard]] double simulated_length_in_years(std::string_view length);

// The same, or one length for each completed simulation job in the order of their starts, "1y,1y,6mo".
void enter_simulated_years(std::vector<LoggedJob> &jobs, const std::string &lengths);

} // namespace cpl_lb
