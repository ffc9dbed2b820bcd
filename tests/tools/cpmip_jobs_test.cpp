// cpl-lb cpmip jobs, on job logs alone, and where the time between SYPD and ASYPD went. The columns are those of the
// manual of sacct (Slurm 22.05) with --parsable2, and of Autosubmit's table job_data.
#include "tests/tools/told.hpp"

#include <array>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// A year in half a day on 96 cores, twice; between them one that ran out of time after 6 hours.
const std::string names = "JobID|JobName|Submit|Start|End|ElapsedRaw|AllocCPUS|State|ConsumedEnergyRaw\n";
const std::string chain =
    names + "11|esm_1|2026-03-01T00:00:00|2026-03-02T00:00:00|2026-03-02T12:00:00|43200|96|COMPLETED|4000000\n"
            "11.batch|batch|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T12:00:00|43200|48|COMPLETED|\n"
            "11.0|ocean|2026-03-02T00:00:02|2026-03-02T00:00:02|2026-03-02T11:59:00|43138|96|COMPLETED|3999000\n"
            "12|esm_2|2026-03-02T12:00:00|2026-03-03T00:00:00|2026-03-03T06:00:00|21600|96|TIMEOUT|2000000\n"
            "13|esm_2|2026-03-03T06:00:00|2026-03-04T12:00:00|2026-03-05T00:00:00|43200|96|COMPLETED|6000000\n";

Result cpmip(const TemporaryFolder &folder, const std::string &log, const std::string &arguments) {
    write_result_file(folder / "log.txt", log);
    return command(folder, "cpmip jobs " + arguments + " --log " + (folder / "log.txt"));
}

json figures(const TemporaryFolder &folder, const std::string &log, const std::string &arguments) {
    return json::parse(
        answer_to(folder, "cpmip jobs --json " + arguments + " --log " + write(folder, "log.txt", log)));
}

const std::string time_names = "JobID|JobName|Submit|Start|End|ElapsedRaw|AllocCPUS|State\n";

// Hours: submit, start, end. 1 was suspended for half an hour; 2 was submitted while 1 ran, and failed.
// 1: 0 10 22   2: 20 30 36   3: 112.8 114.8 126.8   4: 132.8 136.8 148.8
// post: 126.8 127.8 130.8   archive: 149.8 150.8 151.8
const std::string paused = time_names + "1|esm|0|36000|79200|41400|96|COMPLETED\n"
                                        "2|esm|72000|108000|129600|21600|96|TIMEOUT\n"
                                        "3|esm|406080|413280|456480|43200|96|COMPLETED\n"
                                        "7|post|456480|460080|470880|10800|4|COMPLETED\n"
                                        "4|esm|478080|492480|535680|43200|96|COMPLETED\n"
                                        "8|archive|539280|542880|546480|3600|1|COMPLETED\n";
const std::string asked = "--simulated-per-job 1y --simulation-jobs esm --transfer-jobs archive ";

json time_of(const TemporaryFolder &folder, const std::string &log, const std::string &arguments) {
    return figures(folder, log, arguments).at("actual_time");
}

double hours(const json &time, const char *name) {
    return time.at(name).get<double>() / 3600;
}

// The parts that add up to the whole, where all are known.
double sum_h(const json &time) {
    double sum = 0;
    for (const char *part : {"completed_jobs_s", "suspended_s", "failed_jobs_s", "other_jobs_s", "queue_or_pauses_s"})
        sum += hours(time, part);
    return sum;
}

} // namespace

TEST_CASE("a chain of jobs from sacct alone") {
    const TemporaryFolder folder;
    const json j = figures(folder, chain, "--simulated-per-job 1y");
    CHECK(j.at("jobs") == 2);
    CHECK(j.at("cpmip").at("sypd").get<double>() == Approx(2));
    CHECK(j.at("cpmip").at("chsy").get<double>() == Approx(1152)); // 96 x 12 h for a year
    CHECK(j.at("cpmip").at("parallelization").get<double>() == Approx(96));
    CHECK(j.at("cpmip").at("asypd").get<double>() == Approx(0.5)); // 2 years from the 1st to the 5th
    CHECK(j.at("cpmip").at("ajpsy").get<double>() == Approx(5e6)); // (4e6 + 6e6) / 2
    CHECK(j.at("cpmip").at("resolution").is_null());
    const json given = figures(folder, chain, "--simulated-per-job 1y --resolution 1e6 --complexity 10");
    CHECK(given.at("cpmip").at("degrees_of_freedom").get<double>() == Approx(1e7));
    CHECK(j.at("job_log").at("lost") == 1);
    CHECK(j.at("job_log").at("lost_core_hours").get<double>() == Approx(576)); // 96 x 6 h
    CHECK(j.at("job_log").at("chsy_with_lost").get<double>() == Approx(1152 + 288));
    CHECK(j.at("job_log").at("queued_s").get<double>() == Approx((24 + 30) * 3600));
    CHECK(j.at("job_log").at("lost_queued_s").get<double>() == Approx(12 * 3600)); // noon to midnight
    CHECK(j.at("job_log").at("rsypd").is_null());
    CHECK(j.at("remarks").at(0) == "1 job failed or ran again: 576 core hours without simulated years, not in CHSY; "
                                   "with them it is 1440");
    // What the log does not tell can be given: the run is drawn among the models.
    const std::string told = "--simulated-per-job 1y --resolution 1.2e8 --complexity 57 --name ESM";
    shows(cpmip(folder, chain, told + " --csv").output, "\nESM,1.2e+08,57,2,1152,");
    const auto drawn =
        command(folder, "cpmip models " + told + " --svg " + (folder / "x.svg") + " --log " + (folder / "log.txt"));
    shows(drawn.output, "* ESM");
    shows(contents(folder / "x.svg"), ">this run</text>");
    // A log is read once: it may come through a pipe.
    const std::string pipe = " | " CPL_LB_COMMAND " cpmip jobs --csv --simulated-per-job 1y --log /dev/stdin";
    shows(shell(folder, "cat " + (folder / "log.txt") + pipe).output, ",,,2,1152,");
    // Lengths and CPUs that no model has.
    for (const char *wrong :
         {"--simulated-per-job infy", "--simulated-per-job 1e308y", "--simulated-per-job 1y --cpus-per-core 1e-300"})
        CHECK(cpmip(folder, chain, wrong).status == 2);
    // Three months and a month: 1/3 year in a day. Hardware threads: 48 cores.
    const json months = figures(folder, chain, "--simulated-per-job 3mo,1mo --cpus-per-core 2");
    CHECK(months.at("cpmip").at("sypd").get<double>() == Approx(1. / 3));
    CHECK(months.at("cpmip").at("chsy").get<double>() == Approx(48 * 24 * 3));
    const auto text = cpmip(folder, chain, "--simulated-per-job 365d");
    shows(text.output, "Jobs, by the log of Slurm", "Cost CHSY with the others",
          "\nTime in the queue of the completed jobs    54.000  hours\n"
          "Time in the queue of the others            12.000  hours\n");
}

TEST_CASE("forms of sacct's text: --parsable, seconds, Elapsed with days, heterogeneous and requeued jobs") {
    const TemporaryFolder folder;
    // 1-12:00:00 is 129600 s; 0 = 1970. A bar at the end of each line; another order of columns; a second header.
    const std::string parsable = "State|NCPUS|Elapsed|End|Start|Submit|JobID|\n"
                                 "COMPLETED|10|1-12:00:00|129600|0|0|7|\n"
                                 "State|NCPUS|Elapsed|End|Start|Submit|JobID|\n"
                                 "CANCELLED by 1000|10|00:00:00|129700|None|129650|8|\n"
                                 "RUNNING|10|00:10:00|Unknown|129700|129650|9|\n";
    const json p = figures(folder, parsable, "--simulated-per-job 1y");
    CHECK(p.at("cpmip").at("sypd").get<double>() == Approx(1 / 1.5));
    CHECK(p.at("cpmip").at("chsy").get<double>() == Approx(360));
    CHECK(p.at("job_log").at("lost") == 1);
    CHECK(p.at("job_log").at("lost_core_hours") == 0.0);
    CHECK(p.at("job_log").at("not_ended") == 1);
    // The parts of a heterogeneous job run together: 64 + 32 cores for 12 hours, 3e6 + 1e6 J, one year.
    const std::string parts = "JobID|Submit|Start|End|Elapsed|AllocCPUS|State|ConsumedEnergyRaw\n"
                              "5+0|1000|1000|44200|12:00:00|64|COMPLETED|3000000\n"
                              "5+1|1000|1000|44200|12:00:00|32|COMPLETED|1000000\n";
    const json h = figures(folder, parts, "--simulated-per-job 1y");
    CHECK(h.at("jobs") == 1);
    CHECK(h.at("cpmip").at("chsy").get<double>() == Approx(1152));
    CHECK(h.at("cpmip").at("ajpsy").get<double>() == Approx(4e6));
    // With --duplicates a job that went back into the queue has several lines.
    const std::string again = "JobID|Submit|Start|End|AllocCPUS|State\n"
                              "5|1000|1000|4600|10|NODE_FAIL\n5|4600|5000|8600|10|COMPLETED\n";
    const json r = figures(folder, again, "--simulated-per-job 1y");
    CHECK(r.at("cpmip").at("chsy").get<double>() == Approx(10));
    CHECK(r.at("job_log").at("chsy_with_lost").get<double>() == Approx(20));
}

TEST_CASE("an ensemble, and jobs that bring the results home") {
    const TemporaryFolder folder;
    const std::string two = "JobID|JobName|Submit|Start|End|AllocCPUS|State\n"
                            "1|a_SIM|1000|1000|44200|96|COMPLETED\n2|b_SIM|1000|1000|44200|96|COMPLETED\n"
                            "3|b_TRANSFER|44200|44200|87400|1|COMPLETED\n";
    const auto refused = cpmip(folder, two, "--simulated-per-job 1y --simulation-jobs '*_SIM'");
    CHECK(refused.status == 1);
    shows(refused.errors, "log.txt:3: job 2 starts 43200 s before job 1 of line 2 ends");
    const json e = figures(
        folder, two, "--simulated-per-job 1y --ensemble --simulation-jobs '*_SIM' --transfer-jobs '*_TRANSFER'");
    CHECK(e.at("cpmip").at("sypd").get<double>() == Approx(2));  // of a member
    CHECK(e.at("cpmip").at("asypd").get<double>() == Approx(2)); // 2 years from 1000 to 87400: a day
    CHECK(e.at("job_log").at("rsypd").get<double>() == Approx(2));
}

TEST_CASE("what is wrong in sacct's text is told with file, line, column and job") {
    const TemporaryFolder folder;
    const auto by_log = [&](const std::string &log) {
        return "cpmip jobs --log " + write(folder, "log.txt", log) + " --simulated-per-job ";
    };
    for (const auto &[from, to, said] : std::vector<std::array<std::string, 3>>{
             {"|43200|96|COMPLETED|4000000", "|-1|96|COMPLETED|4000000",
              "log.txt:2: column ElapsedRaw: job 11: a negative time: -1 s"},
             {"|43200|96|COMPLETED|4000000", "|50000|96|COMPLETED|4000000",
              "log.txt:2: column ElapsedRaw: job 11: 50000 s are more than the 43200 s from its start to its end"},
             {"2026-03-02T12:00:00|43200", "2026-03-01T12:00:00|43200",
              "log.txt:2: column End: job 11: ends 43200 s before it starts"},
             {"2026-03-01T00:00:00|2026-03-02", "2026-03-03T00:00:00|2026-03-02",
              "log.txt:2: column Start: job 11: starts 86400 s before it is submitted"},
             {"2026-03-02T12:00:00|2026-03-03T00:00:00", "2026-03-02T00:00:00|2026-03-02T11:00:00",
              "log.txt:5: job 12 starts 3600 s before job 11 of line 2 ends: jobs of a chain follow each other."},
             {"COMPLETED|4000000", "COMPLETED|-4",
              "log.txt:2: column ConsumedEnergyRaw: job 11: negative energy: -4 J"},
             {"COMPLETED|4000000", "COMPLETED|4.0M", "log.txt:2: column ConsumedEnergyRaw: not a number: 4.0M"},
             {"|96|COMPLETED|4000000", "|-96|COMPLETED|4", "log.txt:2: column AllocCPUS: must not be negative: -96"},
             {"|96|COMPLETED|4000000", "|0|COMPLETED|4000000", "log.txt:2: job 11 completed on 0 CPUs: if it"},
             {"|43200|96|COMPLETED|4000000", "|0|96|COMPLETED|4000000", "log.txt:2: job 11 completed in 0 s: if it"},
             {"TIMEOUT", "TIRED", "log.txt:5: column State: job 12: not a state of a job: TIRED"},
             {"2026-03-05T00:00:00|43200", "Unknown|43200",
              "log.txt:6: column End: job 13: COMPLETED without a time"},
             {"2026-03-04T12:00:00", "Tue 12:00", "log.txt:6: column Start: job 13: not a time like"},
             {"|AllocCPUS|", "|Cores|", "log.txt:1: column AllocCPUS: missing"},
             {"|Submit|", "|Eligible|", "log.txt:1: column Submit: missing"}}) {
        shows(refused(folder, by_log(replaced(chain, from, to)) + "1y"), said);
    }
    const std::string elapsed = "JobID|Submit|Start|End|Elapsed|AllocCPUS|State\n1|0|0|10|-00:00:10|1|COMPLETED\n";
    shows(cpmip(folder, elapsed, "--simulated-per-job 1y").errors,
          "log.txt:2: column Elapsed: job 1: not a time like 1-02:03:04: -00:00:10");
    shows(cpmip(folder, names + "1|a|0|0|9|9|1|FAILED|\n", "--simulated-per-job 1y").errors,
          "no simulation job that completed");
    shows(cpmip(folder, chain, "--simulated-per-job 1y --simulation-jobs 'ocn*'").errors,
          "no simulation job that completed has a name like 'ocn*'");
    CHECK(command(folder, "cpmip jobs --simulated-per-job 1y").errors ==
          "cpl-lb: --log is required (see cpl-lb cpmip jobs --help)\n");
    for (const char *usage : {"", "--simulated-per-job 1", "--simulated-per-job -1y", "--simulated-per-job 1y,1y,1y",
                              "--simulated-per-job 1week", "--simulated-per-job 1y --submitted 2026-03-01T00:00:00Z"})
        CHECK(cpmip(folder, chain, usage).status == 2);
}

// The times of a real experiment, a007, whose figures Autosubmit itself tells in the tests of its API: 2 months x 4
// in 10 s without queue, 5 s of POST, and 54 s to the end of the transfer: SYPD 5760, ASYPD 3840, RSYPD 1066.6667.
TEST_CASE("Autosubmit's table of jobs") {
    const TemporaryFolder folder;
    const std::string log = "job_name,submit,start,finish,status,ncpus,energy\n"
                            "a007_REMOTE_SETUP,90,91,90,COMPLETED,1,0\n" // Autosubmit's own jobs have such times
                            "a007_20000101_fc0_1_SIM,100,0,0,SUBMITTED,8,0\n"
                            "a007_20000101_fc0_1_SIM,100,100,104,FAILED,8,0\n"
                            "a007_20000101_fc0_1_SIM,1000,1000,1005,COMPLETED,8,100\n"
                            "a007_20000101_fc0_2_SIM,1012,1012,1017,COMPLETED,8,300\n"
                            "a007_POST,1025,1025,1030,COMPLETED,1,0\n"
                            "\"a007_CLEAN\",1037,1037,1042,COMPLETED,1,0\n"
                            "a007_20000101_fc0_TRANSFER,1049,1049,1054,COMPLETED,1,0\n";
    const json j = figures(folder, log, "--simulated-per-job 4mo");
    CHECK(j.at("cpmip").at("sypd").get<double>() == Approx(5760));
    CHECK(j.at("job_log").at("autosubmit_asypd").get<double>() == Approx(3840));
    CHECK(j.at("job_log").at("rsypd").get<double>() == Approx(1066.6667).epsilon(1e-7));
    // Ours counts from the first submission, 100, to the arrival, 1054.
    CHECK(j.at("cpmip").at("asypd").get<double>() == Approx(8. / 12 * 86400 / 954));
    CHECK(j.at("cpmip").at("chsy").get<double>() == Approx(8 * 10 / 3600. / (8. / 12)));
    CHECK(j.at("cpmip").at("ajpsy").get<double>() == Approx(600)); // 400 J in 8 months
    CHECK(j.at("job_log").at("lost") == 1);
    CHECK(figures(folder, "# of a007\n\n" + log, "--simulated-per-job 4mo") == j); // the form is told by its names
    // Run again: the first year is simulated once.
    const json twice =
        figures(folder, log + "a007_20000101_fc0_1_SIM,2000,2000,2010,COMPLETED,8,0\n", "--simulated-per-job 4mo");
    CHECK(twice.at("jobs") == 2);
    CHECK(twice.at("job_log").at("lost") == 2);
    // Members side by side are Autosubmit's own way; chunks of one member are not.
    CHECK(cpmip(folder, log + "a007_20000101_fc1_1_SIM,1000,1000,1005,COMPLETED,8,0\n", "--simulated-per-job 4mo")
              .status == 0);
    const auto with_row = [&](const std::string &row) {
        return "cpmip jobs --simulated-per-job 4mo --log " + write(folder, "log.txt", log + row);
    };
    each_refused(
        folder, with_row, 1,
        {{"a007_20000101_fc0_3_SIM,1000,1001,1005,COMPLETED,8,0\n", "log.txt:10: job a007_20000101_fc0_3_SIM starts"},
         {"a_b_1_SIM,99,38,100,COMPLETED,8,0\n", "log.txt:10: column start: job a_b_1_SIM: starts 61 s before"},
         {"a_b_1_SIM,9,9,8,FAILED,8,0\n", "log.txt:10: column finish: job a_b_1_SIM: ends 1 s before it starts"},
         {"a_b_1_SIM,9,9,0,COMPLETED,8,0\n", "column finish: job a_b_1_SIM: COMPLETED without a time"},
         {"a_b_1_SIM,9,9,10,COMPLETED,8,-7\n", "log.txt:10: column energy: must not be negative: -7"},
         {"a_b_1_SIM,9,9,10,DONE,8,0\n", "log.txt:10: column status: job a_b_1_SIM: not a status of a job: DONE"}});
}

TEST_CASE("run, queue, failed jobs, other jobs and pauses add up to the time from submission to result") {
    const TemporaryFolder folder;
    const json t = time_of(folder, paused, asked);
    CHECK(hours(t, "whole_s") == Approx(151.8));
    CHECK(hours(t, "completed_jobs_s") == Approx(35.5)); // 11.5 + 12 + 12
    CHECK(hours(t, "suspended_s") == Approx(0.5));
    CHECK(hours(t, "failed_jobs_s") == Approx(6));
    CHECK(hours(t, "queue_s") == Approx(24));     // 0-10, 22-30 (2 waited while 1 ran), 112.8-114.8, 132.8-136.8
    CHECK(hours(t, "other_jobs_s") == Approx(6)); // 126.8-130.8, 149.8-151.8
    CHECK(hours(t, "pauses_s") == Approx(79.8));  // 36-112.8, 130.8-132.8, 148.8-149.8
    CHECK(sum_h(t) == Approx(151.8));             // 35.5 + 0.5 + 6 + 24 + 6 + 79.8
    REQUIRE(t.at("pauses").size() == 3);
    CHECK(t.at("pauses").at(1).at("after") == "7"); // the post-processing
    CHECK(t.at("pauses").at(1).at("before") == "4");
    CHECK(t.at("longest_pause_s").get<double>() == Approx(276480)); // 76.8 h
    CHECK(t.at("longest_pause_after") == "2");
    CHECK(t.at("in_model_s").is_null());
    CHECK(t.at("why_not").at("outside_model") == "a job log alone does not tell when the model ran: give DIR, too");

    const std::string text = cpmip(folder, paused, asked).output;
    INFO(text);
    shows(text, "From the first submission to the last result (ASYPD)\n\n"
                "In jobs that completed             35.500  hours   23.39 %\n"
                "In jobs that failed or ran again    6.000  hours    3.95 %\n"
                "Suspended                           0.500  hours    0.33 %\n"
                "In the queue                       24.000  hours   15.81 %\n"
                "In other jobs of the log            6.000  hours    3.95 %\n"
                "Pauses between jobs                79.800  hours   52.57 %\n"
                "All                               151.800  hours  100.00 %\n"
                "Longest pause: after job 2, 3.2 days, before job 3.\n"
                "n/a: In the model; Outside the model, in jobs that completed (a job log alone\n"
                "does not tell when the model ran: give DIR, too)\n");
    const std::string csv = cpmip(folder, paused, asked + "--csv").output;
    shows(csv, ",platform,ASYPD_whole_h,ASYPD_in_model_h,ASYPD_outside_model_h,"
               "ASYPD_completed_jobs_h,ASYPD_failed_jobs_h,ASYPD_suspended_h,ASYPD_queue_h,"
               "ASYPD_other_jobs_h,ASYPD_pauses_h,ASYPD_queue_or_pauses_h,"
               "ASYPD_longest_pause_h,ASYPD_longest_pause_after\n");
    CHECK_THAT(csv, Catch::EndsWith(",151.8,,,35.5,6,0.5,24,6,79.8,103.8,76.8,2\n"));
    // Such rows are read again, beside those without these columns.
    write_result_file(folder / "rows.csv", csv + "OLD,1e6,10,5,100,10,0,0,1,3,somewhere\n");
    CHECK(command(folder,
                  "cpmip models " + asked + "--models " + (folder / "rows.csv") + " --log " + (folder / "log.txt"))
              .status == 0);
}

TEST_CASE("a submission that the log does not tell leaves queue and pauses together") {
    const TemporaryFolder folder;
    const std::string log = replaced(paused, "3|esm|406080|", "3|esm|Unknown|");
    const json t = time_of(folder, log, asked);
    CHECK(t.at("queue_s").is_null());
    CHECK(t.at("pauses_s").is_null());
    CHECK(hours(t, "queue_or_pauses_s") == Approx(103.8)); // 24 + 79.8 as before
    CHECK(sum_h(t) == Approx(151.8));
    CHECK(t.at("longest_pause_s").is_null());
    CHECK(t.at("why_not").at("queue") == "it is not known when 3 was submitted");
    shows(cpmip(folder, log, asked).output, "In the queue or in pauses         103.800  hours   68.38 %\n",
          "n/a: In the queue; Pauses between jobs (it is not known when 3 was submitted)");
    // Without the first submission there is no ASYPD: that of job 2 would make it too fast.
    const auto none = cpmip(folder, replaced(paused, "1|esm|0|", "1|esm|Unknown|"), asked + "--json");
    const json all = json::parse(none.output);
    CHECK(all.at("cpmip").at("asypd").is_null());
    CHECK(all.at("why_not").at("Actual speed ASYPD") ==
          "the log does not tell when job 1, the first that ran, was submitted");
    CHECK_FALSE(all.contains("actual_time"));
}

TEST_CASE("hours of jobs side by side count once; a job that still runs is no pause") {
    const TemporaryFolder folder;
    // Hours: 0 0 12 and 0 2 14; from 20 on a third runs, submitted at 15; a fourth completes from 24 to 36.
    const json t =
        time_of(folder,
                time_names + "1|a|0|0|43200|43200|96|COMPLETED\n2|b|0|7200|50400|43200|96|COMPLETED\n"
                             "3|c|54000|72000|Unknown|0|96|RUNNING\n4|d|0|86400|129600|43200|96|COMPLETED\n",
                "--simulated-per-job 1y --ensemble");
    CHECK(t.at("side_by_side") == true);
    CHECK(hours(t, "whole_s") == Approx(36));
    CHECK(hours(t, "completed_jobs_s") == Approx(30)); // 0-14 and 20-36
    CHECK(hours(t, "queue_s") == Approx(6));           // 14-20: 4 waits
    CHECK(hours(t, "pauses_s") == Approx(0));
}

TEST_CASE("pauses between attempts of Autosubmit") {
    const TemporaryFolder folder;
    // Seconds: queue 100-110, failed 110-140, pause 140-200, queue 200-230, run 230-330, transfer 335-360.
    write_result_file(folder / "log.csv", "job_name,submit,start,finish,status,ncpus\n"
                                          "a_fc0_1_SIM,100,110,140,FAILED,8\n"
                                          "a_fc0_1_SIM,200,230,330,COMPLETED,8\n"
                                          "a_fc0_TRANSFER,335,340,360,COMPLETED,1\n");
    const json t = told(folder, "cpmip jobs --simulated-per-job 1y --log " + (folder / "log.csv")).at("actual_time");
    const auto is = [&](const char *name, double seconds) {
        INFO(name);
        CHECK(t.at(name).get<double>() == Approx(seconds));
    };
    is("whole_s", 260);
    is("queue_s", 40);
    is("failed_jobs_s", 30);
    is("completed_jobs_s", 100);
    is("pauses_s", 65); // 60 + 5
    is("other_jobs_s", 25);
    CHECK(t.at("longest_pause_after") == "a_fc0_1_SIM");
}
