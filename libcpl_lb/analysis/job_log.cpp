// Adds up the jobs of a log, and the runs of a chain. Cuts the time of a chain of jobs by a sweep over the starts and
// ends of all that ran or waited.
#include "analysis/job_log.hpp"

#include "analysis/cpmip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace cpl_lb {
namespace {

constexpr double day_s = 86400, hour_s = 3600;
constexpr double log_step_s = 1; // logs have whole seconds

// The clocks of two machines may differ by seconds, so the result is at least 0.
double queued_s(const LoggedJob &job) {
    const double left_s = is_known(job.started_s) ? job.started_s : job.ended_s;
    return left_s < job.submitted_s ? 0 : left_s - job.submitted_s;
}

void add_simulation(JobLogFigures &f, const LoggedJob &job) {
    if (is_known(job.started_s) && is_known(job.submitted_s))
        f.submitted_s = std::fmin(f.submitted_s, job.submitted_s);
    const double hours = job.cores * job.elapsed_s / hour_s;
    switch (job.end) {
    case JobEnd::not_yet:
        ++f.not_yet;
        return;
    case JobEnd::lost:
        ++f.lost;
        if (const double queued = queued_s(job); is_known(queued)) f.lost_queued_s += queued;
        if (job.elapsed_s > 0) f.lost_core_hours += hours; // one that never started costs nothing
        return;
    case JobEnd::completed:
        ++f.completed;
        f.years += job.years;
        f.wall_s += job.elapsed_s;
        f.core_hours += hours;
        f.energy_J += job.energy_J;
        f.queued_s += queued_s(job);
        f.started_s = std::fmin(f.started_s, job.started_s);
        f.ended_s = std::fmax(f.ended_s, job.ended_s);
    }
}

double last_end_of(const std::vector<LoggedJob> &jobs, JobRole role) {
    double last = unknown;
    for (const LoggedJob &job : jobs)
        if (job.role == role && job.end == JobEnd::completed && is_known(job.ended_s))
            last = std::fmax(last, job.ended_s);
    return last;
}

// Queue and run of the jobs after the model: the mean over them, as Autosubmit counts it. 0 without any.
double mean_post_s(const std::vector<LoggedJob> &jobs) {
    double sum = 0, count = 0;
    for (const LoggedJob &job : jobs) {
        if (job.role != JobRole::post || job.end != JobEnd::completed) continue;
        sum += queued_s(job) + job.elapsed_s;
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

// If the submission of the first job that started is not known, the time before it is missing and ASYPD is unknown.
void enter_asypd(JobLogFigures &f, const std::vector<LoggedJob> &jobs) {
    const LoggedJob *first = nullptr;
    for (const LoggedJob &job : jobs) {
        if (job.role == JobRole::simulation &&
            (first == nullptr || job.started_s < first->started_s || !is_known(first->started_s)))
            first = &job;
    }
    if (!(f.submitted_s <= first->started_s + clocks_apart_s)) {
        f.why_no_asypd = "the log does not tell when job " + first->id + ", the first that ran, was submitted";
        return;
    }
    f.asypd = asypd(f.years, f.submitted_s, f.ended_s);
    f.time = actual_time(jobs, f.submitted_s, f.ended_s);
}

void enter_rsypd(JobLogFigures &f, const std::vector<LoggedJob> &jobs) {
    double last = last_end_of(jobs, JobRole::transfer);
    if (!is_known(last)) last = last_end_of(jobs, JobRole::clean);
    if (!is_known(last))
        f.why_no_rsypd = "needs a completed transfer or clean job";
    else if (!(last > f.started_s))
        f.why_no_rsypd = "the last transfer or clean job ended before the first simulation started";
    else
        f.rsypd = f.years / ((last - f.started_s) / day_s);
}

double years_of(const CoupledRun &job) {
    return simulated_years(job.run.simulated_s, job.run.year_days);
}
double core_hours(const CoupledRun &job) {
    return job.cpmip.chsy * years_of(job);
}

// Mean of a row over the jobs, weighted by their years or their core hours.
double weighted_mean(const std::vector<CoupledRun> &jobs, double Cpmip::*row,
                     double (*weight)(const CoupledRun &job)) {
    double sum = 0, weights = 0;
    for (const CoupledRun &job : jobs) {
        sum += job.cpmip.*row * weight(job);
        weights += weight(job);
    }
    return sum / weights;
}

// What can go on at a moment. If several do, the first in this list counts.
enum JobPart : std::size_t { part_ran, part_failed, part_queued, part_not_told, part_others, job_parts };

struct JobEdge {
    double at_s;
    bool is_end;
    JobPart part;
    std::size_t job;
};

struct TimeSweep {
    const std::vector<LoggedJob> &jobs;
    double from_s, to_s;
    std::vector<JobEdge> edges = {};

    void add(JobPart part, std::size_t job, double begin_s, double end_s) {
        begin_s = std::max(begin_s, from_s);
        end_s = std::min(end_s, to_s);
        if (!(end_s > begin_s)) return;
        edges.push_back({begin_s, false, part, job});
        edges.push_back({end_s, true, part, job});
    }

    void fill(ActualTime &time) {
        // At one time, begins come before ends, and the simulation's ends come last: a pause begins after its job.
        std::ranges::sort(edges, [](const JobEdge &a, const JobEdge &b) {
            return std::tuple(a.at_s, a.is_end, b.part, a.job) < std::tuple(b.at_s, b.is_end, a.part, b.job);
        });
        std::array<std::size_t, job_parts> open{};
        const std::array<double *, job_parts> sums = {&time.ran_s, &time.failed_s, &time.queued_s, &time.not_told_s,
                                                      &time.other_jobs_s};
        double before_s = from_s;
        std::size_t last_job = jobs.size();
        for (const JobEdge &edge : edges) {
            const double length_s = edge.at_s - before_s;
            before_s = edge.at_s;
            const auto going_on = std::ranges::find_if(open, [](std::size_t n) { return n > 0; });
            if (going_on != open.end()) {
                *sums[static_cast<std::size_t>(going_on - open.begin())] += length_s;
            } else if (length_s > 0) {
                time.pauses_s += length_s;
                time.pauses.push_back({last_job < jobs.size() ? jobs[last_job].id : "", jobs[edge.job].id, length_s});
            }
            time.side_by_side =
                time.side_by_side || (open[part_ran] + open[part_failed] > 1 && length_s > log_step_s);
            if (!edge.is_end) {
                ++open[edge.part];
                continue;
            }
            --open[edge.part];
            last_job = edge.job;
        }
    }
};

// The last end of a simulation job that is not after this start; what came before is from_s.
double end_before(const std::vector<double> &ends, double started_s, double from_s) {
    const auto next = std::ranges::upper_bound(ends, started_s);
    return next == ends.begin() ? from_s : *(next - 1);
}

bool is_submission_known(const LoggedJob &job) {
    return is_known(job.submitted_s) && !(job.submitted_s > job.started_s + clocks_apart_s);
}

} // namespace

JobLogFigures job_log_figures(const std::vector<LoggedJob> &jobs) {
    JobLogFigures f;
    for (const LoggedJob &job : jobs)
        if (job.role == JobRole::simulation) add_simulation(f, job);
    if (const double arrived = last_end_of(jobs, JobRole::transfer); is_known(arrived))
        f.ended_s = std::fmax(f.ended_s, arrived);
    if (!(f.years > 0)) return f;
    f.sypd = f.years / (f.wall_s / day_s);
    f.chsy = f.core_hours / f.years;
    f.chsy_with_lost = (f.core_hours + f.lost_core_hours) / f.years;
    f.ajpsy = f.energy_J / f.years;
    enter_asypd(f, jobs);
    f.autosubmit_asypd = f.years / ((f.wall_s + f.queued_s + mean_post_s(jobs)) / day_s);
    enter_rsypd(f, jobs);
    return f;
}

CoupledRun run_of(const JobLogFigures &f) {
    CoupledRun run;
    run.run.simulated_s = f.years * run.run.year_days * day_s;
    run.run.wall_s = f.wall_s;
    run.cpmip.sypd = f.sypd;
    run.cpmip.chsy = f.chsy;
    run.cpmip.parallelization = f.chsy * f.sypd / 24;
    run.cpmip.asypd = f.asypd;
    run.cpmip.why_no_asypd = f.why_no_asypd;
    run.cpmip.ajpsy = f.ajpsy;
    return run;
}

std::optional<Overlap> first_overlap(const std::vector<LoggedJob> &jobs) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (jobs[i].role == JobRole::simulation && jobs[i].end != JobEnd::not_yet && is_known(jobs[i].started_s))
            order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::tie(jobs[i].chain, jobs[i].started_s); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const LoggedJob &a = jobs[order[i - 1]], &b = jobs[order[i]];
        if (a.chain == b.chain && b.started_s < a.ended_s - log_step_s) return Overlap{order[i - 1], order[i]};
    }
    return std::nullopt;
}

CoupledRun chain_of(const std::vector<CoupledRun> &jobs) {
    CoupledRun chain = jobs.back();
    if (jobs.size() == 1) return chain;
    double years = 0, wall_s = 0, hours = 0, largest_bloat = 0;
    for (const CoupledRun &job : jobs) {
        years += years_of(job);
        wall_s += job.run.wall_s;
        hours += core_hours(job);
        const double bloat = job.cpmip.memory_bloat;
        largest_bloat = is_known(bloat) && is_known(largest_bloat) ? std::max(largest_bloat, bloat) : unknown;
    }
    Cpmip &c = chain.cpmip;
    c.sypd = years / (wall_s / 86400);
    c.chsy = hours / years;
    c.parallelization = c.chsy * c.sypd / 24;
    for (double Cpmip::*row : {&Cpmip::ajpsy, &Cpmip::node_hours, &Cpmip::gpu_hours})
        c.*row = weighted_mean(jobs, row, years_of);
    c.memory_bloat = largest_bloat;
    for (double Cpmip::*row : {&Cpmip::coupling_cost, &Cpmip::coupling_cost_with_operations, &Cpmip::data_output_cost,
                               &Cpmip::data_intensity})
        c.*row = weighted_mean(jobs, row, core_hours);
    c.asypd = c.jpsy = unknown;
    chain.run.simulated_s = years * chain.run.year_days * 86400;
    chain.run.wall_s = wall_s;
    chain.run.submitted = jobs.front().run.submitted;
    chain.run.started = jobs.front().run.started;
    return chain;
}

const Pause *ActualTime::longest_pause() const {
    const auto longest = std::ranges::max_element(pauses, {}, &Pause::length_s);
    return longest == pauses.end() || !not_told_before.empty() ? nullptr : &*longest;
}

ActualTime actual_time(const std::vector<LoggedJob> &jobs, double submitted_s, double last_result_s) {
    ActualTime time;
    std::vector<double> ends;
    for (const LoggedJob &job : jobs) {
        if (job.role != JobRole::simulation || job.end == JobEnd::not_yet) continue;
        if (job.end == JobEnd::completed && !is_known(job.started_s + job.ended_s)) {
            time.why_not_cut = "nobody tells when " + job.id + " started and ended";
            return time;
        }
        if (is_known(job.ended_s)) ends.push_back(job.ended_s);
    }
    std::ranges::sort(ends);
    if (!(last_result_s > submitted_s)) return time;
    time.whole_s = last_result_s - submitted_s;
    TimeSweep sweep{jobs, submitted_s, last_result_s};
    double suspended_s = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const LoggedJob &job = jobs[i];
        const bool has_started = is_known(job.started_s), goes_on = job.end == JobEnd::not_yet;
        const double end_s = goes_on ? last_result_s : job.ended_s;
        if (job.role != JobRole::simulation) {
            if (!goes_on)
                sweep.add(part_others, i, is_submission_known(job) ? job.submitted_s : job.started_s, end_s);
            continue;
        }
        if (has_started) sweep.add(job.end == JobEnd::lost ? part_failed : part_ran, i, job.started_s, end_s);
        if (is_submission_known(job)) {
            sweep.add(part_queued, i, job.submitted_s, has_started ? job.started_s : end_s);
        } else if (has_started && job.started_s < last_result_s) {
            if (time.not_told_before.empty()) time.not_told_before = job.id;
            sweep.add(part_not_told, i, end_before(ends, job.started_s, submitted_s), job.started_s);
        }
        const double stopped_s = job.ended_s - job.started_s - job.elapsed_s;
        if (job.end == JobEnd::completed && stopped_s > log_step_s) suspended_s += stopped_s;
    }
    sweep.fill(time);
    if (!time.side_by_side) time.suspended_s = std::min(suspended_s, time.ran_s);
    time.ran_s -= time.suspended_s;
    return time;
}

void enter_model_time(ActualTime &time, double models_s, std::size_t models) {
    const double rounded_s = 2 * log_step_s * static_cast<double>(models); // a start and an end for each
    if (time.side_by_side) {
        time.why_no_model = "jobs ran side by side";
    } else if (!is_known(models_s)) {
        time.why_no_model = "the wall time of a model is not known";
    } else if (models_s > time.ran_s + rounded_s) {
        time.why_no_model = "the models ran longer than the jobs of the log";
    } else {
        time.in_model_s = std::min(models_s, time.ran_s);
        time.outside_model_s = time.ran_s - time.in_model_s;
    }
}

} // namespace cpl_lb
