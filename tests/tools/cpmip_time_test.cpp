// cpl-lb cpmip jobs: where the time between SYPD and ASYPD went, by job logs alone.
#include "io/files/result_file.hpp"
#include "tests/json.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

const std::string names = "JobID|JobName|Submit|Start|End|ElapsedRaw|AllocCPUS|State\n";

// Hours: submit, start, end. 1 was suspended for half an hour; 2 was submitted while 1 ran, and failed.
// 1: 0 10 22   2: 20 30 36   3: 112.8 114.8 126.8   4: 132.8 136.8 148.8
// post: 126.8 127.8 130.8   archive: 149.8 150.8 151.8
const std::string chain = names + "1|esm|0|36000|79200|41400|96|COMPLETED\n"
                                  "2|esm|72000|108000|129600|21600|96|TIMEOUT\n"
                                  "3|esm|406080|413280|456480|43200|96|COMPLETED\n"
                                  "7|post|456480|460080|470880|10800|4|COMPLETED\n"
                                  "4|esm|478080|492480|535680|43200|96|COMPLETED\n"
                                  "8|archive|539280|542880|546480|3600|1|COMPLETED\n";
const std::string asked = "--simulated-per-job 1y --simulation-jobs esm --transfer-jobs archive ";

test::Result cpmip(const TemporaryFolder &folder, const std::string &log, const std::string &arguments) {
    write_result_file(folder / "log.txt", log);
    return command(folder, "cpmip jobs " + arguments + " --log " + (folder / "log.txt"));
}

json time_of(const TemporaryFolder &folder, const std::string &log, const std::string &arguments) {
    const auto r = cpmip(folder, log, "--json " + arguments);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output).at("actual_time");
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

std::string replaced(std::string text, const std::string &what, const std::string &with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

} // namespace

TEST_CASE("run, queue, failed jobs, other jobs and pauses add up to the time from submission to result") {
    const TemporaryFolder folder;
    const json t = time_of(folder, chain, asked);
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

    const std::string text = cpmip(folder, chain, asked).output;
    INFO(text);
    CHECK_THAT(text, Catch::Contains("From the first submission to the last result (ASYPD)\n\n"
                                     "In jobs that completed             35.500  hours   23.39 %\n"
                                     "In jobs that failed or ran again    6.000  hours    3.95 %\n"
                                     "Suspended                           0.500  hours    0.33 %\n"
                                     "In the queue                       24.000  hours   15.81 %\n"
                                     "In other jobs of the log            6.000  hours    3.95 %\n"
                                     "Pauses between jobs                79.800  hours   52.57 %\n"
                                     "All                               151.800  hours  100.00 %\n"
                                     "Longest pause: after job 2, 3.2 days, before job 3.\n"
                                     "n/a: In the model; Outside the model, in jobs that completed (a job log alone\n"
                                     "does not tell when the model ran: give DIR, too)\n"));
    const std::string csv = cpmip(folder, chain, asked + "--csv").output;
    CHECK_THAT(csv, Catch::Contains(",platform,ASYPD_whole_h,ASYPD_in_model_h,ASYPD_outside_model_h,"
                                    "ASYPD_completed_jobs_h,ASYPD_failed_jobs_h,ASYPD_suspended_h,ASYPD_queue_h,"
                                    "ASYPD_other_jobs_h,ASYPD_pauses_h,ASYPD_queue_or_pauses_h,"
                                    "ASYPD_longest_pause_h,ASYPD_longest_pause_after\n"));
    CHECK_THAT(csv, Catch::EndsWith(",151.8,,,35.5,6,0.5,24,6,79.8,103.8,76.8,2\n"));
    // Such rows are read again, beside those without these columns.
    write_result_file(folder / "rows.csv", csv + "OLD,1e6,10,5,100,10,0,0,1,3,somewhere\n");
    CHECK(command(folder,
                  "cpmip models " + asked + "--models " + (folder / "rows.csv") + " --log " + (folder / "log.txt"))
              .status == 0);
}

TEST_CASE("a submission that the log does not tell leaves queue and pauses together") {
    const TemporaryFolder folder;
    const std::string log = replaced(chain, "3|esm|406080|", "3|esm|Unknown|");
    const json t = time_of(folder, log, asked);
    CHECK(t.at("queue_s").is_null());
    CHECK(t.at("pauses_s").is_null());
    CHECK(hours(t, "queue_or_pauses_s") == Approx(103.8)); // 24 + 79.8 as before
    CHECK(sum_h(t) == Approx(151.8));
    CHECK(t.at("longest_pause_s").is_null());
    CHECK(t.at("why_not").at("queue") == "it is not known when 3 was submitted");
    CHECK_THAT(cpmip(folder, log, asked).output,
               Catch::Contains("In the queue or in pauses         103.800  hours   68.38 %\n") &&
                   Catch::Contains("n/a: In the queue; Pauses between jobs (it is not known when 3 was submitted)"));
    // Without the first submission there is no ASYPD: that of job 2 would make it too fast.
    const auto none = cpmip(folder, replaced(chain, "1|esm|0|", "1|esm|Unknown|"), asked + "--json");
    const json all = json::parse(none.output);
    CHECK(all.at("cpmip").at("asypd").is_null());
    CHECK(all.at("why_not").at("Actual speed ASYPD") ==
          "the log does not tell when job 1, the first that ran, was submitted");
    CHECK_FALSE(all.contains("actual_time"));
}

TEST_CASE("hours of jobs side by side count once; a job that still runs is no pause") {
    const TemporaryFolder folder;
    // Hours: 0 0 12 and 0 2 14; from 20 on a third runs, submitted at 15; a fourth completes from 24 to 36.
    const json t = time_of(folder,
                           names + "1|a|0|0|43200|43200|96|COMPLETED\n2|b|0|7200|50400|43200|96|COMPLETED\n"
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
    const auto r = command(folder, "cpmip jobs --simulated-per-job 1y --json --log " + (folder / "log.csv"));
    REQUIRE(r.status == 0);
    const json t = json::parse(r.output).at("actual_time");
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
