// Adds up the jobs of a chain: simulated years, core hours, and the time from first submission to last result.
#include "analysis/job_chain.hpp"

#include "analysis/cpmip.hpp"

#include <algorithm>

namespace cpl_lb {
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
    double years = 0, wall_s = 0, hours = 0, joules = 0, largest_bloat = 0;
    for (const CoupledRun &job : jobs) {
        years += years_of(job);
        wall_s += job.run.wall_s;
        hours += core_hours(job);
        joules += job.cpmip.ajpsy * years_of(job);
        const double bloat = job.cpmip.memory_bloat;
        largest_bloat = is_known(bloat) && is_known(largest_bloat) ? std::max(largest_bloat, bloat) : unknown;
    }
    Cpmip &c = chain.cpmip;
    c.sypd = years / (wall_s / 86400);
    c.chsy = hours / years;
    c.parallelization = c.chsy * c.sypd / 24;
    c.ajpsy = joules / years;
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
