// Job times of Autosubmit and cylc.
#include "data/time.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

const std::string job_stats = "20200101120000 20200101120500 20200101121000 FAILED\n"
                              "20200101121500 20200101122000 20200101132030 COMPLETED\n";

const std::string job_data = "id,job_name,submit,start,finish,status,ncpus,platform\n"
                             "1,a000_1_SIM,1577880000,1577880300,1577880400,FAILED,48,mn5\n"
                             "2,a000_1_SIM,1577880900,1577881200,1577884830,COMPLETED,48,mn5\n"
                             "3,a000_2_SIM,1577885000,0,0,WAITING,48,mn5\n";

const std::string cylc_8 =
    "CYLC_JOB_RUNNER_NAME=slurm\nCYLC_JOB_ID=77\nCYLC_JOB_RUNNER_SUBMIT_TIME=2020-01-01T12:00:00Z\n"
    "CYLC_JOB_PID=1\nCYLC_JOB_INIT_TIME=2020-01-01T12:05:00Z\nCYLC_JOB_EXIT=SUCCEEDED\n"
    "CYLC_JOB_EXIT_TIME=2020-01-01T13:05:30Z\n";

} // namespace

TEST_CASE("Autosubmit: TOTAL_STATS of one job") {
    const TimedRun run = only_run(read_job_times, "tmp/a000_1_SIM_TOTAL_STATS", job_stats);
    CHECK(run.id == "a000_1_SIM");
    CHECK(run.submitted == "2020-01-01T12:15:00Z");
    CHECK(run.started == "2020-01-01T12:20:00Z");
    CHECK(run.ended == "2020-01-01T13:20:30Z");
    CHECK(run.wall_s.value == 3630.0);
    CHECK(run.remarks.at(0).find("a000_1_SIM before the one that completed: 1.") != std::string::npos);
    CHECK(run.remarks.at(1).find("taken as UTC") != std::string::npos);
    const CoupledRun coupled = run_of_timers(run);
    CHECK(coupled.components.empty());
    CHECK(coupled.run.wall_s == 3630.0);
}

TEST_CASE("Autosubmit: job_data, a run for each job that completed") {
    const std::vector<TimedRun> runs = read_job_times(TimerText("jobs.csv", job_data));
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].wall_s.value == 3630.0);
    CHECK(runs[0].submitted == "2020-01-01T12:15:00Z"); // 1577880900
    CHECK(runs[0].cores.value == 48.0);
    CHECK(runs[0].machine == "mn5");
    CHECK(runs[0].wall_s.from == "end - start of a000_1_SIM (jobs.csv, line 3)");
}

TEST_CASE("cylc: job.status of 7 and 8, and report-timings") {
    const TimedRun eight = only_run(read_job_times, "run1/log/job/20200101T00/ocean/02/job.status", cylc_8);
    CHECK(eight.id == "20200101T00.ocean.02");
    CHECK(eight.submitted == "2020-01-01T12:00:00Z");
    CHECK(eight.wall_s.value == 3630.0);
    const TimedRun seven = only_run(read_job_times, "job.status",
                                    replaced(replaced(cylc_8, "CYLC_JOB_RUNNER_SUBMIT", "CYLC_BATCH_SYS_JOB_SUBMIT"),
                                             "12:05:00Z", "13:05:00+01"));
    CHECK(seven.id == "job.status");
    CHECK(seven.started == "2020-01-01T12:05:00Z");
    const std::vector<TimedRun> table = read_job_times(
        TimerText("timings",
                  "name  cycle    host job_runner submit_time          start_time           succeed_time\n"
                  "ocean 20200101 hpc  slurm      2020-01-01T12:00:00Z 2020-01-01T12:05:00Z 2020-01-01T13:05:30Z\n"
                  "atm   20200101 hpc  slurm      None                 2020-01-01T12:05:00Z 2020-01-01T12:06:00Z\n"));
    REQUIRE(table.size() == 2);
    CHECK(table[0].id == "20200101.ocean");
    CHECK(table[0].wall_s.value == 3630.0);
    CHECK(table[1].submitted.empty());
}

TEST_CASE("job times: what is wrong is told with its line") {
    check_damaged(read_job_times, job_stats,
                  {{"20200101122000", "20200101142000", "log: line 2: job log ended before it started"},
                   {"20200101122000", "20200101110000", "started before it was submitted"},
                   {"20200101122000", "20201301122000", "line 2: the start is '20201301122000'"}});
    check_damaged(read_job_times, job_data,
                  {{"1577884830", "0", "line 3: job a000_1_SIM completed, but its start or its end"},
                   {"1577884830", "15778,84830", "log:3: "}});
    check_damaged(read_job_times, cylc_8, {{"12:05:00Z", "noon", "line 5: CYLC_JOB_INIT_TIME is '2020-01-01Tnoon'"}});
    check_cut(read_job_times, job_stats, {{"20200101121500", "no job in this file completed"}});
    check_cut(read_job_times, cylc_8, {{"CYLC_JOB_EXIT", "no job in this file completed"}});
    CHECK_THAT(refusal(read_job_times, cylc_8 + cylc_8), Catch::Contains("line 12: a second run begins here"));
}
