// Speed and cost of an experiment from literals of jobs; the sums stand beside.
#include "analysis/job_log.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

constexpr double hour = 3600, day = 24 * hour;

// On 96 cores, a year in the time from start to end.
LoggedJob job(double submitted_s, double started_s, double ended_s, JobEnd end = JobEnd::completed) {
    LoggedJob j;
    j.end = end;
    j.submitted_s = submitted_s;
    j.started_s = started_s;
    j.ended_s = ended_s;
    j.elapsed_s = ended_s - started_s;
    j.cores = 96;
    j.energy_J = 1e6;
    j.years = end == JobEnd::completed ? 1 : 0;
    return j;
}

LoggedJob of_role(JobRole role, LoggedJob j) {
    j.role = role;
    return j;
}

} // namespace

TEST_CASE("two years of a chain with a job that failed between them") {
    // Days:          submit start end
    const auto f =
        job_log_figures({job(0, 1 * day, 1.5 * day), job(1.5 * day, 2 * day, 2.25 * day, JobEnd::lost),
                         job(2.25 * day, 3 * day, 3.5 * day), job(3.5 * day, unknown, unknown, JobEnd::not_yet)});
    CHECK(f.completed == 2);
    CHECK(f.lost == 1);
    CHECK(f.not_yet == 1);
    CHECK(f.sypd == Approx(2));                    // 2 years in 2 x half a day
    CHECK(f.chsy == Approx(1152));                 // 96 x 24 h / 2 years
    CHECK(f.chsy_with_lost == Approx(1152 + 288)); // and 96 x 6 h / 2 years
    CHECK(f.asypd == Approx(2 / 3.5));             // from 0 to 3.5 days
    CHECK(f.ajpsy == Approx(1e6));                 // of the completed jobs
    CHECK(f.queued_s == Approx(1.75 * day));       // 1 and 0.75
    CHECK(f.lost_queued_s == Approx(0.5 * day));   // from 1.5 to 2
    CHECK(f.autosubmit_asypd == Approx(2 / 2.75)); // 1 day of running and 1.75 in the queue
    CHECK_FALSE(is_known(f.rsypd));
    const CoupledRun run = run_of(f);
    CHECK(run.cpmip.chsy * run.cpmip.sypd == Approx(24 * run.cpmip.parallelization));
    CHECK(run.cpmip.parallelization == Approx(96));
}

TEST_CASE("a job that was cancelled before it started was in the queue until then") {
    LoggedJob cancelled = job(2 * day, unknown, 5 * day, JobEnd::lost);
    const auto f = job_log_figures({job(0, 1 * day, 1.5 * day), cancelled});
    CHECK(f.lost_queued_s == Approx(3 * day));
    CHECK(f.queued_s == Approx(1 * day));
    CHECK(f.lost_core_hours == 0);
}

TEST_CASE(
    "jobs after the model: RSYPD to the last transfer, else to the last clean job; ASYPD until the results arrive") {
    const std::vector<LoggedJob> model = {job(0, 1 * day, 1.5 * day), job(1.5 * day, 2 * day, 2.5 * day)};
    auto jobs = model;
    jobs.push_back(of_role(JobRole::clean, job(5 * day, 5 * day, 6 * day)));
    CHECK(job_log_figures(jobs).rsypd == Approx(2. / 5));  // from day 1 to day 6
    CHECK(job_log_figures(jobs).asypd == Approx(2 / 2.5)); // cleaning brings nothing
    jobs.push_back(of_role(JobRole::transfer, job(3 * day, 3 * day, 4 * day)));
    CHECK(job_log_figures(jobs).rsypd == Approx(2. / 3)); // from day 1 to day 4
    CHECK(job_log_figures(jobs).asypd == Approx(2. / 4)); // from day 0 to day 4
    CHECK(job_log_figures(jobs).chsy == Approx(1152));    // the model's jobs alone
    // Queue and run of two POST jobs, 2 and 4 hours: 3 in the mean. 2 years / (1 + 1.5 + 0.125 days).
    jobs.push_back(of_role(JobRole::post, job(day, day + hour, day + 2 * hour)));
    jobs.push_back(of_role(JobRole::post, job(day, day + hour, day + 4 * hour)));
    CHECK(job_log_figures(jobs).autosubmit_asypd == Approx(2 / 2.625));
    // One that ended before the model started says nothing.
    auto early = model;
    early.push_back(of_role(JobRole::clean, job(0, 0, 0.5 * day)));
    CHECK_FALSE(is_known(job_log_figures(early).rsypd));
    CHECK(job_log_figures(early).why_no_rsypd ==
          "the last transfer or clean job ended before the first simulation started");
}

TEST_CASE("what is not known stays so: energy of one job, no job that completed") {
    auto jobs = std::vector{job(0, 0, day), job(day, day, 2 * day)};
    jobs[1].energy_J = unknown;
    CHECK_FALSE(is_known(job_log_figures(jobs).ajpsy));
    const auto none = job_log_figures({job(0, 0, day, JobEnd::lost)});
    CHECK_FALSE(is_known(none.sypd));
    CHECK_FALSE(is_known(none.asypd));
    CHECK(none.lost_core_hours == Approx(96 * 24));
    // One that was cancelled before it started cost nothing, and is no submission.
    auto cancelled = job(-9 * day, unknown, unknown, JobEnd::lost);
    const auto f = job_log_figures({cancelled, job(0, 0, day)});
    CHECK(f.lost_core_hours == 0);
    CHECK(f.asypd == Approx(1));
}

TEST_CASE("jobs of one chain follow each other") {
    auto jobs = std::vector{job(0, 2 * day, 3 * day), job(0, 1 * day, 2 * day)};
    CHECK_FALSE(first_overlap(jobs));
    jobs.push_back(job(0, 2.5 * day, 4 * day));
    const auto overlap = first_overlap(jobs);
    REQUIRE(overlap);
    CHECK(overlap->earlier == 0);
    CHECK(overlap->later == 2);
    jobs[2].chain = "other member";
    CHECK_FALSE(first_overlap(jobs));
}
