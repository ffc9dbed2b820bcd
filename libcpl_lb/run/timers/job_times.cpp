// Times of jobs, without what their models did: when they were submitted, started and ended. One run for each job.
//   Autosubmit: JOB_TOTAL_STATS, a line for each attempt: submitted started ended COMPLETED, times as YYYYMMDDhhmmss
//   of
//     its machine's clock, without a zone; FAILED instead, or fewer words while the job goes on
//   Autosubmit: sqlite3 -header -csv job_data_EXPID.db "select * from job_data": columns job_name, submit, start,
//     finish (seconds since 1970; 0: not yet), status, ncpus, platform and others; a line for each attempt
//   cylc 7 and 8: job.status of an attempt, NAME=VALUE: CYLC_BATCH_SYS_JOB_SUBMIT_TIME (8:
//     CYLC_JOB_RUNNER_SUBMIT_TIME), CYLC_JOB_INIT_TIME, CYLC_JOB_EXIT=SUCCEEDED, CYLC_JOB_EXIT_TIME; its folder is
//     .../log/job/CYCLE/TASK/NN
//   cylc 7 and 8: cylc report-timings --raw: a table with the columns name cycle host job_runner (7: batch_system)
//     submit_time start_time succeed_time, of jobs that succeeded
// Jobs that did not complete simulate nothing: earlier attempts are counted, other jobs are left out.
#include "run/timers/readers.hpp"

#include "io/files/csv_table.hpp"
#include "support/fmt.hpp"
#include "support/utc.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <map>

namespace cpl_lb {
namespace {

struct JobAttempt {
    std::string name, machine;
    std::size_t line = 0;                                                 // of the file, from 0
    double submitted_s = unknown, started_s = unknown, ended_s = unknown; // since 1970
    double cores = unknown;
    bool completed = false;
};

void check_attempt(const TimerText &text, const JobAttempt &job) {
    if (!is_known(job.started_s) || !is_known(job.ended_s))
        throw text.wrong(job.line,
                         fmt::format("job {} completed, but its start or its end is missing", excerpt(job.name)));
    if (job.ended_s < job.started_s)
        throw text.wrong(job.line, fmt::format("job {} ended before it started", excerpt(job.name)));
    constexpr double clocks_apart_s = 60; // of the machine that submitted and of the one that ran it
    if (job.started_s < job.submitted_s - clocks_apart_s)
        throw text.wrong(job.line, fmt::format("job {} started before it was submitted", excerpt(job.name)));
}

TimedRun job_run(const TimerText &text, const JobAttempt &job, std::int64_t earlier) {
    check_attempt(text, job);
    TimedRun run;
    run.id = job.name;
    run.machine = job.machine;
    run.submitted = timer_utc(job.submitted_s);
    run.started = timer_utc(job.started_s);
    run.ended = timer_utc(job.ended_s);
    run.wall_s = {job.ended_s - job.started_s, text.at(job.line, "end - start of " + job.name)};
    if (job.cores > 0) run.cores = {job.cores, text.at(job.line, "ncpus of " + job.name)};
    if (earlier > 0)
        run.remark(Sentence::timers_attempts, {{"job", job.name}, {"attempts", std::to_string(earlier)}});
    return run;
}

// The last attempt of each job that completed, in the file's order.
std::vector<TimedRun> job_runs(const TimerText &text, const std::vector<JobAttempt> &attempts) {
    std::map<std::string, std::pair<std::size_t, std::int64_t>> last; // place of the last completed, and all attempts
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        auto &job = last.try_emplace(attempts[i].name, attempts.size(), 0).first->second;
        ++job.second;
        if (attempts[i].completed) job = {i, job.second};
    }
    std::vector<TimedRun> runs;
    for (std::size_t i = 0; i < attempts.size(); ++i)
        if (const auto &job = last[attempts[i].name]; job.first == i)
            runs.push_back(job_run(text, attempts[i], job.second - 1));
    if (runs.empty()) throw text.ends_without("no job in this file completed");
    return runs;
}

// 20200101120500, without a zone.
double autosubmit_time(const TimerText &text, std::size_t i, std::string_view word, std::string_view what) {
    const double seconds = unix_seconds_or_unknown(iso_of_digits(word));
    if (!is_known(seconds))
        throw text.wrong(i, fmt::format("{} is '{}': YYYYMMDDhhmmss is expected", what, excerpt(word)));
    return seconds;
}

bool is_total_stats(const TimerText &text) {
    const auto is_time = [](std::string_view word) { return word.size() == 14 && is_digits(word); };
    const auto fits = [&](std::string_view word) { return is_time(word) || word == "COMPLETED" || word == "FAILED"; };
    for (const std::string_view line : text.lines()) {
        const std::vector<std::string_view> words = words_of(line);
        if (!words.empty()) return is_time(words[0]) && words.size() <= 4 && std::ranges::all_of(words, fits);
    }
    return false;
}

std::vector<TimedRun> read_total_stats(const TimerText &text) {
    std::string name = text.name();
    if (name.ends_with("_TOTAL_STATS")) name.resize(name.size() - std::string_view("_TOTAL_STATS").size());
    std::vector<JobAttempt> attempts;
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.empty()) continue;
        attempts.push_back({name, "", i});
        JobAttempt &job = attempts.back();
        job.submitted_s = autosubmit_time(text, i, words[0], "the time of submission");
        if (words.size() > 1) job.started_s = autosubmit_time(text, i, words[1], "the start");
        if (words.size() > 2) job.ended_s = autosubmit_time(text, i, words[2], "the end");
        if (words.size() > 3 && words[3] != "COMPLETED" && words[3] != "FAILED")
            throw text.wrong(i, fmt::format("'{}' is neither COMPLETED nor FAILED", excerpt(words[3])));
        job.completed = words.size() > 3 && words[3] == "COMPLETED";
    }
    std::vector<TimedRun> runs = job_runs(text, attempts);
    for (TimedRun &run : runs)
        run.remark(Sentence::timers_no_zone, {{"file", text.name()}});
    return runs;
}

bool is_job_data(const TimerText &text) {
    if (text.lines().empty()) return false;
    const std::string_view head = text.lines().front();
    for (const std::string_view column : {"job_name", "submit", "start", "finish", "status"})
        if (head.find(column) == std::string_view::npos) return false;
    return head.find(',') != std::string_view::npos;
}

std::vector<TimedRun> read_job_data(const TimerText &text) {
    const CsvTable table(text.path(), text.text());
    table.require({"job_name", "submit", "start", "finish", "status"});
    const auto time = [&](std::size_t row, std::string_view column) {
        const double seconds = table.known_or_nan(row, column);
        return seconds > 0 ? seconds : unknown;
    };
    std::vector<JobAttempt> attempts;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        JobAttempt &job = attempts.emplace_back();
        job.name = table.text(row, "job_name");
        job.line = table.line(row) - 1;
        job.completed = table.text(row, "status") == "COMPLETED";
        if (!job.completed) continue; // its times may still be those of before
        job.submitted_s = time(row, "submit");
        job.started_s = time(row, "start");
        job.ended_s = time(row, "finish");
        job.cores = table.known_or_nan(row, "ncpus");
        if (table.has("platform") && !table.is_empty(row, "platform")) job.machine = table.text(row, "platform");
    }
    return job_runs(text, attempts);
}

// ISO 8601 as cylc writes it: its offset may be hours alone, "+01".
double cylc_time(const TimerText &text, std::size_t i, std::string_view word, std::string_view what) {
    if (word.empty() || word == "None") return unknown;
    std::string iso(word);
    const std::size_t sign = iso.find_last_of("+-");
    if (sign != std::string::npos && sign > 10 && iso.size() == sign + 3) iso += ":00";
    const double seconds = unix_seconds_or_unknown(iso);
    if (!is_known(seconds)) throw text.wrong(i, fmt::format("{} is '{}': no time of day", what, excerpt(word)));
    return seconds;
}

bool is_cylc_status(const TimerText &text) {
    return text.has([](std::string_view line) {
        line = trimmed_line(line);
        return line.starts_with("CYLC_JOB_") || line.starts_with("CYLC_BATCH_SYS_");
    });
}

// .../log/job/20200101T0000Z/ocean/02/job.status -> 20200101T0000Z.ocean.02; else the name of the file.
std::string cylc_job_name(const TimerText &text) {
    const std::vector<std::string_view> folders = pieces_of(text.path(), '/');
    const std::size_t n = folders.size();
    if (n < 4 || !is_digits(folders[n - 2])) return text.name();
    return fmt::format("{}.{}.{}", folders[n - 4], folders[n - 3], folders[n - 2]);
}

std::vector<TimedRun> read_cylc_status(const TimerText &text) {
    JobAttempt job;
    job.name = cylc_job_name(text);
    std::map<std::string, std::string_view> values;
    for (std::size_t i = 0; i < text.lines().size(); ++i) {
        const std::string_view line = trimmed_line(text.lines()[i]);
        const std::size_t equals = line.find('=');
        if (!line.starts_with("CYLC_") || equals == std::string_view::npos) continue;
        const std::string name(line.substr(0, equals));
        const std::string_view value = line.substr(equals + 1);
        if (name == "CYLC_JOB_EXIT_TIME" || name == "CYLC_JOB_INIT_TIME")
            if (!values.try_emplace(name, value).second) throw text.second_run(i);
        if (name.ends_with("_SUBMIT_TIME")) job.submitted_s = cylc_time(text, i, value, name);
        if (name == "CYLC_JOB_INIT_TIME") job.started_s = cylc_time(text, i, value, name);
        if (name == "CYLC_JOB_EXIT_TIME") job.ended_s = cylc_time(text, i, value, name);
        if (name == "CYLC_JOB_EXIT") job.completed = value == "SUCCEEDED";
        job.line = i;
    }
    return job_runs(text, {job});
}

bool is_cylc_timings(const TimerText &text) {
    if (text.lines().empty()) return false;
    const std::vector<std::string_view> words = words_of(text.lines().front());
    return words.size() == 7 && words[0] == "name" && words[1] == "cycle" && words[4] == "submit_time" &&
           words[5] == "start_time" && words[6] == "succeed_time";
}

std::vector<TimedRun> read_cylc_timings(const TimerText &text) {
    std::vector<JobAttempt> attempts;
    for (std::size_t i = 1; i < text.lines().size(); ++i) {
        const std::vector<std::string_view> words = words_of(text.lines()[i]);
        if (words.empty()) continue;
        if (words.size() != 7) throw text.wrong(i, "a job's line needs 7 words, as the first line names them");
        JobAttempt &job = attempts.emplace_back();
        job.name = std::string(words[1]) + "." + std::string(words[0]);
        job.machine = words[2];
        job.line = i;
        job.submitted_s = cylc_time(text, i, words[4], "submit_time");
        job.started_s = cylc_time(text, i, words[5], "start_time");
        job.ended_s = cylc_time(text, i, words[6], "succeed_time");
        job.completed = true;
    }
    return job_runs(text, attempts);
}

} // namespace

bool is_job_times(const TimerText &text) {
    return is_cylc_timings(text) || is_cylc_status(text) || is_job_data(text) || is_total_stats(text);
}

std::vector<TimedRun> read_job_times(const TimerText &text) {
    if (is_cylc_timings(text)) return read_cylc_timings(text);
    if (is_cylc_status(text)) return read_cylc_status(text);
    if (is_job_data(text)) return read_job_data(text);
    if (is_total_stats(text)) return read_total_stats(text);
    throw text.wrong(0, "no job times of Autosubmit or cylc");
}

} // namespace cpl_lb
