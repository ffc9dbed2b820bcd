// Adds up the jobs of a log, and the runs of a chain.
#include "analysis/job_log.hpp"

#include "analysis/cpmip.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr double day_s = 86400, hour_s = 3600;
constexpr double clock_step_s = 1; // logs have whole seconds

double earlier(double a, double b) {
    return is_known(a) && !(b < a) ? a : b;
}
double later(double a, double b) {
    return is_known(a) && !(b > a) ? a : b;
}

// The clocks of two machines may differ by seconds, so the result is at least 0.
double queued_s(const LoggedJob &job) {
    const double left_s = is_known(job.started_s) ? job.started_s : job.ended_s;
    return left_s < job.submitted_s ? 0 : left_s - job.submitted_s;
}

void add_simulation(JobLogFigures &f, const LoggedJob &job) {
    if (is_known(job.started_s) && is_known(job.submitted_s)) f.submitted_s = earlier(f.submitted_s, job.submitted_s);
    const double hours = job.cores * job.elapsed_s / hour_s;
    switch (job.end) {
    case JobEnd::not_yet:
        ++f.not_yet;
        return;
    case JobEnd::lost:
        ++f.lost;
        if (const double queued = queued_s(job); is_known(queued)) f.lost_queued_s += queued;
        if (job.elapsed_s > 0) { // one that never started costs nothing
            f.lost_core_hours += hours;
            f.lost_energy_J += job.energy_J;
        }
        return;
    case JobEnd::completed:
        ++f.completed;
        f.years += job.years;
        f.wall_s += job.elapsed_s;
        f.core_hours += hours;
        f.energy_J += job.energy_J;
        f.queued_s += queued_s(job);
        f.started_s = earlier(f.started_s, job.started_s);
        f.ended_s = later(f.ended_s, job.ended_s);
    }
}

double last_end_of(const std::vector<LoggedJob> &jobs, JobRole role) {
    double last = unknown;
    for (const LoggedJob &job : jobs)
        if (job.role == role && job.end == JobEnd::completed && is_known(job.ended_s))
            last = later(last, job.ended_s);
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
    constexpr double clocks_apart_s = 60; // as in the log of Autosubmit
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

} // namespace

JobLogFigures job_log_figures(const std::vector<LoggedJob> &jobs) {
    JobLogFigures f;
    for (const LoggedJob &job : jobs)
        if (job.role == JobRole::simulation) add_simulation(f, job);
    if (const double arrived = last_end_of(jobs, JobRole::transfer); is_known(arrived))
        f.ended_s = later(f.ended_s, arrived);
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
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(jobs[a].chain, jobs[a].started_s) < std::pair(jobs[b].chain, jobs[b].started_s);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const LoggedJob &a = jobs[order[i - 1]], &b = jobs[order[i]];
        if (a.chain == b.chain && b.started_s < a.ended_s - clock_step_s) return Overlap{order[i - 1], order[i]};
    }
    return std::nullopt;
}

namespace {

double years_of(const CoupledRun &job) {
    return simulated_years(job.run.simulated_s, job.run.year_days);
}
double core_hours(const CoupledRun &job) {
    return job.cpmip.chsy * years_of(job);
}

// Mean of a row over the jobs, weighted by their core hours.
double by_core_hours(const std::vector<CoupledRun> &jobs, double Cpmip::*row) {
    double sum = 0, weight = 0;
    for (const CoupledRun &job : jobs) {
        sum += job.cpmip.*row * core_hours(job);
        weight += core_hours(job);
    }
    return sum / weight;
}

} // namespace

CoupledRun chain_of(const std::vector<CoupledRun> &jobs) {
    CoupledRun chain = jobs.back();
    if (jobs.size() == 1) return chain;
    double years = 0, wall_s = 0, hours = 0, joules = 0, largest_bloat = 0, node_hours = 0, gpu_hours = 0;
    for (const CoupledRun &job : jobs) {
        years += years_of(job);
        wall_s += job.run.wall_s;
        hours += core_hours(job);
        joules += job.cpmip.ajpsy * years_of(job);
        node_hours += job.cpmip.node_hours * years_of(job);
        gpu_hours += job.cpmip.gpu_hours * years_of(job);
        const double bloat = job.cpmip.memory_bloat;
        largest_bloat = is_known(bloat) && is_known(largest_bloat) ? std::max(largest_bloat, bloat) : unknown;
    }
    Cpmip &c = chain.cpmip;
    c.sypd = years / (wall_s / 86400);
    c.chsy = hours / years;
    c.parallelization = c.chsy * c.sypd / 24;
    c.ajpsy = joules / years;
    c.node_hours = node_hours / years;
    c.gpu_hours = gpu_hours / years;
    c.memory_bloat = largest_bloat;
    for (double Cpmip::*row : {&Cpmip::coupling_cost, &Cpmip::coupling_cost_with_operations, &Cpmip::data_output_cost,
                               &Cpmip::data_intensity})
        c.*row = by_core_hours(jobs, row);
    c.asypd = c.jpsy = unknown;
    chain.run.simulated_s = years * chain.run.year_days * 86400;
    chain.run.wall_s = wall_s;
    chain.run.submitted = jobs.front().run.submitted;
    chain.run.started = jobs.front().run.started;
    return chain;
}

} // namespace cpl_lb
