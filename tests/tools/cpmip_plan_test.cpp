// cpl-lb cpmip plan.
#include "io/files/result_file.hpp"
#include "tests/json.hpp"
#include "tests/svg_boxes.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

// 160 years: 16, 10 and 8 days; 38400, 48000 and 76800 core hours. 3.6e6 J: 1 kWh for a year.
const std::string study = "cores,SYPD,AJPSY\n100,10,3.6e6\n200,16,3.6e6\n400,20,\n";
// On 200 cores 10 years each; they wait 1 day, and 0.5 from the end of the one before.
const std::string log_of_jobs = "JobID|Submit|Start|End|ElapsedRaw|AllocCPUS|State\n"
                                "1|2026-01-01T00:00:00|2026-01-02T00:00:00|2026-01-03T00:00:00|86400|200|COMPLETED\n"
                                "2|2026-01-01T00:00:00|2026-01-03T12:00:00|2026-01-04T12:00:00|86400|200|COMPLETED\n";

test::Result plan(const TemporaryFolder &folder, const std::string &arguments, const std::string &table = study) {
    write_result_file(folder / "t.csv", table);
    write_result_file(folder / "jobs.txt", log_of_jobs);
    return command(folder, "cpmip plan " + (folder / "t.csv") + " --start 2027-01-01 " + arguments);
}

json plan_json(const TemporaryFolder &folder, const std::string &arguments) {
    const auto r = plan(folder, arguments + " --json");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output);
}

std::string queue(const TemporaryFolder &folder) {
    return " --simulated-per-job 10y --log " + (folder / "jobs.txt");
}

} // namespace

TEST_CASE("a plan in words and as json") {
    const TemporaryFolder folder;
    const auto r = plan(folder, "--years 160 --deadline 2027-01-13");
    INFO(r.output << r.errors);
    CHECK(r.status == 0);
    for (const char *said :
         {"160 years, by 3 runs", "Start 2027-01-01T00:00:00Z, deadline 2027-01-13T00:00:00Z",
          "S, the first to end: 400 cores: 8 days of running, ends after 2027-01-09, 76800\ncore hours.",
          "T, the fewest core hours in time: 200 cores: 10 days of running, ends after\n2027-01-11, 48000 core",
          "too late", "n/a: the time in the queue on 100, 200, 400 cores (no job log is given)",
          "n/a: the energy on 400 cores (AJPSY was not measured)"})
        CHECK_THAT(r.output, Catch::Contains(said));
    const json j = plan_json(folder, "--years 160 --members 3");
    CHECK(j.at("schema") == "cpl_lb_plan/1");
    CHECK(j.at("speed").at("cores") == 400.0);
    CHECK(j.at("speed").at("energy_J").is_null());
    CHECK(j.at("speed").at("end").is_null());
    CHECK(j.at("speed").at("not_before") == "2027-01-09T00:00:00Z");
    CHECK(j.at("throughput").at("core_hours").get<double>() == Approx(3 * 38400));
    CHECK(j.at("throughput").at("energy_J").get<double>() == Approx(3 * 160 * 3.6e6));
    CHECK(j.at("counts").size() == 3);
}

TEST_CASE("with the queue of a job log") {
    const TemporaryFolder folder;
    // 10 days of running and 16 x 0.75 days in the queue: 22 days.
    const json j = plan_json(folder, "--years 160" + queue(folder));
    CHECK(j.at("counts").at(1).at("end") == "2027-01-23T00:00:00Z");
    CHECK(j.at("counts").at(1).at("jobs_of_a_member") == 16);
    CHECK(j.at("counts").at(0).at("why_no_queue") ==
          "no completed job of the log had about as many cores; its jobs have 200");
    CHECK(j.at("chosen_with_queue") == false);
    const std::string text = plan(folder, "--years 160" + queue(folder)).output;
    CHECK_THAT(text, Catch::Contains("Note: S is chosen by the time of running alone"));
    const std::string alone = plan(folder, "--years 160" + queue(folder), "cores,SYPD\n200,16\n").output;
    CHECK_THAT(alone, Catch::Contains("and 12 +- ") && Catch::Contains("(16 jobs for each member), ends"));
    CHECK_THAT(text, !Catch::Contains("side by side"));
}

TEST_CASE("jobs of the log that ran side by side are named") {
    const TemporaryFolder folder;
    write_result_file(folder / "members.txt",
                      log_of_jobs +
                          "7|2026-01-01T00:00:00|2026-01-02T12:00:00|2026-01-03T12:00:00|86400|200|COMPLETED\n");
    const auto r = plan(folder, "--years 160 --simulated-per-job 10y --json --log " + (folder / "members.txt"));
    INFO(r.errors);
    CHECK_THAT(r.output, Catch::Contains("side by side, such as 1 and 7 (lines 2 and 4)"));
}

TEST_CASE("limits that nothing measured can keep") {
    const TemporaryFolder folder;
    CHECK_THAT(plan(folder, "--years 160 --core-hours 1000").output,
               Catch::Contains("S, the first to end: n/a (no count is within 1000 core hours: the cheapest takes\n"
                               "38400)."));
    CHECK_THAT(plan(folder, "--years 160 --cores 50").output,
               Catch::Contains("nothing was measured on 50 cores or fewer: the fewest"));
    CHECK_THAT(
        plan(folder, "--years 160 --deadline 2027-01-02").output,
        Catch::Contains("T, the fewest core hours in time: n/a (no possible count ends before the\ndeadline)."));
    const std::string turns = plan(folder, "--years 160 --members 3 --cores 400").output;
    CHECK_THAT(turns, Catch::Contains("~133") && Catch::Contains("counts with ~ were not measured"));
    CHECK_THAT(plan(folder, "--years 160 --members 3").output,
               Catch::Contains("Note: no --cores is given, so all members run side by side"));
}

TEST_CASE("the pictures: cost over time, and where the model stands among published rows") {
    const TemporaryFolder folder;
    const std::string x = folder / "x.svg", y = folder / "y.svg";
    const auto r = plan(folder, "--years 160 --deadline 2027-01-13 --core-hours 70000 --svg " + x + "");
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const auto compared = [&](const std::string &arguments) {
        return command(folder, "cpmip study " + (folder / "t.csv") + arguments + " --compare-svg " + y);
    };
    CHECK(compared(" --resolution 1e7").status == 0);
    const std::string cost = test::contents(x), standing = test::contents(y);
    CHECK_THAT(test::unreadable_texts(cost, 13), Catch::Equals(""));
    CHECK_THAT(test::unreadable_texts(standing, 13), Catch::Equals(""));
    for (const char *words :
         {">days of running from 2027-01-01, without the queue<", ">cost (core hours)<", ">deadline 2027-01-13<",
          ">T, cheapest in time: 200 cores<", ">at most 70000 core hours<", ">not possible, or too late<"})
        CHECK_THAT(cost, Catch::Contains(words));
    for (const char *words :
         {"among 18 rows of table 1, Balaji et al. 2017", ">this model<", ">published, for speed (S)<"})
        CHECK_THAT(standing, Catch::Contains(words));
    const auto unknown_grid = compared("");
    CHECK(unknown_grid.status == 1);
    CHECK_THAT(unknown_grid.errors, Catch::Contains("--compare-svg needs the grid points"));
}

TEST_CASE("wrong usage of a plan") {
    const TemporaryFolder folder;
    for (const auto &[arguments, said] : std::vector<std::pair<std::string, std::string>>{
             {"", "--years is required"},
             {"--years 0", "--years"},
             {"--years 160 --members 0", "--members"},
             {"--years 160 --deadline 2026-12-31",
              "--deadline: 2026-12-31T00:00:00Z has passed at the start, 2027-01-01T00:00:00Z"},
             {"--years 160 --deadline soon", "--deadline: not a date like 2027-03-01: soon"},
             {"--years 160 --deadline 2027-02-30", "--deadline: not a date like 2027-03-01: 2027-02-30"},
             {"--years 160 --core-hours -1", "--core-hours"},
             {"--years 160 --csv", "not expected: --csv"},
             {"--years 160 --simulation-jobs a", "--simulation-jobs requires --log"},
             {"--years 160 --cpus-per-core 2", "--cpus-per-core requires --log"},
             {"--years 160 --log " + (folder / "jobs.txt"), "the queue of a plan needs --simulated-per-job"}}) {
        const auto r = plan(folder, arguments);
        INFO(arguments << ": " << r.errors);
        CHECK(r.status == 2);
        CHECK_THAT(r.errors, Catch::Contains(said));
    }
    CHECK(command(folder, "cpmip plan --years 5").status == 2); // no runs
    CHECK(command(folder, "cpmip --years 5 " + (folder / "x")).status == 2);
    CHECK(command(folder, "cpmip study " + (folder / "t.csv") + " --models " + (folder / "t.csv")).status == 2);
    CHECK_THAT(plan(folder, (folder / "t.csv") + " --years 5").errors,
               Catch::Contains("is no folder: give the folders of the runs, or one table alone"));
    // 0.1 core hours x 0.1 years a day / 24 hours a day = 0.0004 cores.
    const auto tiny = plan(folder, "--years 160 --members 3 --cores 10", "SYPD,CHSY\n0.1,0.1\n0.2,0.1\n");
    CHECK(tiny.status == 1);
    CHECK_THAT(tiny.errors, Catch::Contains("0.1 core hours at 0.1 SYPD are less than one core"));
    CHECK_THAT(plan(folder, "--years 160", "cores,SYPD\n1,1e-12\n").output, Catch::Contains("after n/a"));
    const auto timed = plan(folder, "--years 160" + queue(folder), "cores,seconds\n200,16\n");
    CHECK(timed.status == 1);
    CHECK_THAT(timed.errors, Catch::Contains("column seconds: with a job log give SYPD instead"));
}
