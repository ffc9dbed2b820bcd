// cpl-lb cpmip study and plan.
#include "analysis/cpmip.hpp"
#include "tests/report/example_run.hpp"
#include "tests/svg_boxes.hpp"
#include "tests/tools/told.hpp"

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// CHSY 24 cores / SYPD: 685.7, 738.5, 822.9, 1010.5.
const std::string table = "# a study\ncores,SYPD\n1600,38\n400,14\n1200,35\n800,26\n";

Result scaling(const TemporaryFolder &folder, const std::string &text, const std::string &arguments = "") {
    write_result_file(folder / "t.csv", text);
    return command(folder, "cpmip study " + (folder / "t.csv") + " " + arguments);
}

json figures(const TemporaryFolder &folder, const std::string &text, const std::string &arguments = "") {
    return told(folder, "cpmip study " + write(folder, "t.csv", text) + " " + arguments);
}

// 160 years: 16, 10 and 8 days; 38400, 48000 and 76800 core hours. 3.6e6 J: 1 kWh for a year.
const std::string study = "cores,SYPD,AJPSY\n100,10,3.6e6\n200,16,3.6e6\n400,20,\n";
// On 200 cores 10 years each; they wait 1 day, and 0.5 from the end of the one before.
const std::string log_of_jobs = "JobID|Submit|Start|End|ElapsedRaw|AllocCPUS|State\n"
                                "1|2026-01-01T00:00:00|2026-01-02T00:00:00|2026-01-03T00:00:00|86400|200|COMPLETED\n"
                                "2|2026-01-01T00:00:00|2026-01-03T12:00:00|2026-01-04T12:00:00|86400|200|COMPLETED\n";

Result plan(const TemporaryFolder &folder, const std::string &arguments, const std::string &table = study) {
    write_result_file(folder / "t.csv", table);
    write_result_file(folder / "jobs.txt", log_of_jobs);
    return command(folder, "cpmip plan " + (folder / "t.csv") + " --start 2027-01-01 " + arguments);
}

json plan_json(const TemporaryFolder &folder, const std::string &arguments) {
    return json::parse(plan(folder, arguments + " --json").output);
}

std::string queue(const TemporaryFolder &folder) {
    return " --simulated-per-job 10y --log " + (folder / "jobs.txt");
}

} // namespace

TEST_CASE("figures that would end in inf are refused with their place") {
    const TemporaryFolder folder;
    const auto r = scaling(folder, "cores,SYPD\n400,10\n800,1e-308\n");
    CHECK(r.status == 1);
    CHECK_THAT(r.errors,
               Catch::EndsWith("t.csv:3: column SYPD: too large or too small for a measured value: 1e-308\n"));
    CHECK_THAT(scaling(folder, "cores,SYPD\n400,10\n").output,
               Catch::StartsWith("Speed and cost of ") && Catch::Contains(", 1 run\n"));
}

TEST_CASE("a table gives S, T and the shoulder as text, json and rows") {
    const TemporaryFolder folder;
    const json j = figures(folder, table);
    CHECK(j.at("speed").at("cores") == 1600.0);
    CHECK(j.at("throughput").at("cores") == 400.0);
    CHECK(j.at("throughput").at("chsy").get<double>() == Approx(9600. / 14));
    CHECK(j.at("shoulder").at("cores") == 1200.0);
    CHECK(j.at("points").size() == 4);
    CHECK(figures(folder, table, "--at-least 30").at("throughput").at("cores") == 1200.0);
    CHECK(figures(folder, table, "--at-least 99").at("throughput").is_null());
    shows(scaling(folder, table, "--at-least 99").output, "no measured number of cores gives 99 SYPD");
    const std::string text = scaling(folder, table, "--at-least 30").output;
    shows(text, "T, the cheapest with at least 30 SYPD: 1200 cores, 35 SYPD, 822.857 CHSY.");
    const std::string rows = scaling(folder, table, "--csv --name ESM --resolution 1e8").output;
    shows(rows, "\nESM S,1e+08,,38,1010.5", "\nESM T,1e+08,,14,685.7");
}

TEST_CASE("the same study in other columns") {
    const TemporaryFolder folder;
    // One year in 86400 / SYPD seconds.
    const std::string timed = "cores,seconds\n400,6171.428571\n800,3323.076923\n1200,2468.571429\n1600,2273.684211\n";
    CHECK(figures(folder, timed, "--simulated-per-job 1y").at("speed").at("sypd").get<double>() == Approx(38));
    CHECK(figures(folder, timed, "--simulated-per-job 6mo").at("speed").at("sypd").get<double>() == Approx(19));
    // Rows of table 1 of the paper: 2.2 SYPD x 2.12e5 CHSY / 24 = 19433 cores.
    const json paper = figures(folder, "model,SYPD,CHSY\nCM2.6,2.2,2.12e5\nCM2.6,1.1,1.81e5\n");
    CHECK(paper.at("speed").at("cores") == 19433.0);
    CHECK(paper.at("throughput").at("sypd") == 1.1);
    // The same cores split in two ways are two points.
    const json split = figures(folder, "cores,SYPD,counts\n100,5,ocean=40 atm=60\n100,6,ocean=30 atm=70\n");
    CHECK(split.at("throughput").at("counts") == "ocean=30 atm=70");
}

TEST_CASE("runs on several numbers of cores as folders") {
    const TemporaryFolder folder;
    std::string folders;
    // A year in 24 h / SYPD.
    for (const auto &[cores, sypd] : std::vector<std::pair<std::int64_t, double>>{{400, 14}, {800, 26}, {1600, 38}}) {
        CoupledRun run = appendix3();
        run.run.id = "run" + std::to_string(cores);
        run.run.simulated_s = 365 * 86400.0;
        run.run.wall_s = 86400 / sypd;
        run.run.cores = cores;
        run.cpmip = cpmip_of(run);
        folders += " " + written(folder, run.run.id, run);
    }
    const json j = told(folder, "cpmip study --at-least 20" + folders);
    CHECK(j.at("speed").at("cores") == 1600.0);
    CHECK(j.at("throughput").at("sypd").get<double>() == Approx(26));
    CHECK_FALSE(j.at("throughput").at("counts").get<std::string>().empty());
    CHECK(j.at("shoulder").at("cores") == 800.0); // 12/24 of the speed with 1/3 of the cores
}

TEST_CASE("the picture: speed over cost, marks with a legend, no text on another") {
    const TemporaryFolder folder;
    std::string crowded = "cores,SYPD\n";
    for (int i = 0; i < 25; ++i)
        crowded += std::to_string(1000 + 2 * i) + "," + std::to_string(20 + 0.02 * i) + "\n";
    for (const std::string &text : {table, crowded}) {
        CHECK(scaling(folder, text, "--at-least 20 --svg " + (folder / "x.svg")).status == 0);
        const std::string svg = contents(folder / "x.svg");
        CHECK_THAT(unreadable_texts(svg, 13), Catch::Equals(""));
        for (const char *words : {"cost (core hours / simulated year)", "speed (simulated years / day)", ">measured<",
                                  ">S, fastest: ", ">T, cheapest: ", ">at least 20 SYPD<"})
            shows(svg, words);
    }
    CHECK(scaling(folder, table, "--svg " + (folder / "x.svg")).status == 0);
    shows(contents(folder / "x.svg"), ">shoulder: 1200 cores<");
}

TEST_CASE("wrong tables and wrong usage") {
    const TemporaryFolder folder;
    const auto study_of = [&](const std::string &text) { return "cpmip study " + write(folder, "t.csv", text); };
    each_refused(folder, study_of, 1,
                 {{"cores,speed\n4,5\n", "t.csv:1: column SYPD: missing; the columns are cores, speed"},
                  {"processes,SYPD\n4,5\n", "t.csv:1: column cores: missing"},
                  {"cores,SYPD\n4,-5\n", "t.csv:2: column SYPD: must be more than 0: -5"},
                  {"cores,SYPD\n4,5\n0,5\n", "t.csv:3: column cores: must be more than 0: 0"},
                  {"cores,SYPD\n400.5,5\n", "t.csv:2: column cores: not a whole number: 400.5"},
                  {"cores,SYPD\n4,five\n", "t.csv:2: column SYPD: not a number: five"},
                  {"cores,seconds\n4,5\n", "column seconds: needs --simulated-per-job"},
                  {"cores,SYPD,CHSY\n100,2,1200\n100,2,2400\n",
                   "t.csv:3: column CHSY: 2400 core hours at 2 SYPD are 200 cores, and not 100"}});
    CHECK(scaling(folder, table, folder / "t.csv").status == 2); // twice
    CHECK(scaling(folder, table, "--at-least 0").status == 2);
    CHECK(scaling(folder, table, "--mode T").status == 2);
    CHECK(command(folder, "cpmip study").status == 2);
}

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
        shows(r.output, said);
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
    shows(text, "Note: S is chosen by the time of running alone");
    const std::string alone = plan(folder, "--years 160" + queue(folder), "cores,SYPD\n200,16\n").output;
    shows(alone, "and 12 +- ", "(16 jobs for each member), ends");
    CHECK_THAT(text, !Catch::Contains("side by side"));
}

TEST_CASE("jobs of the log that ran side by side are named") {
    const TemporaryFolder folder;
    write_result_file(folder / "members.txt",
                      log_of_jobs +
                          "7|2026-01-01T00:00:00|2026-01-02T12:00:00|2026-01-03T12:00:00|86400|200|COMPLETED\n");
    const auto r = plan(folder, "--years 160 --simulated-per-job 10y --json --log " + (folder / "members.txt"));
    INFO(r.errors);
    shows(r.output, "side by side, such as 1 and 7 (lines 2 and 4)");
}

TEST_CASE("limits that nothing measured can keep") {
    const TemporaryFolder folder;
    shows(plan(folder, "--years 160 --core-hours 1000").output,
          "S, the first to end: n/a (no count is within 1000 core hours: the cheapest takes\n"
          "38400).");
    shows(plan(folder, "--years 160 --cores 50").output, "nothing was measured on 50 cores or fewer: the fewest");
    shows(plan(folder, "--years 160 --deadline 2027-01-02").output,
          "T, the fewest core hours in time: n/a (no possible count ends before the\ndeadline).");
    const std::string turns = plan(folder, "--years 160 --members 3 --cores 400").output;
    shows(turns, "~133", "counts with ~ were not measured");
    shows(plan(folder, "--years 160 --members 3").output,
          "Note: no --cores is given, so all members run side by side");
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
    const std::string cost = contents(x), standing = contents(y);
    CHECK_THAT(unreadable_texts(cost, 13), Catch::Equals(""));
    CHECK_THAT(unreadable_texts(standing, 13), Catch::Equals(""));
    for (const char *words :
         {">days of running from 2027-01-01, without the queue<", ">cost (core hours)<", ">deadline 2027-01-13<",
          ">T, cheapest in time: 200 cores<", ">at most 70000 core hours<", ">not possible, or too late<"})
        shows(cost, words);
    for (const char *words :
         {"among 18 rows of table 1, Balaji et al. 2017", ">this model<", ">published, for speed (S)<"})
        shows(standing, words);
    const auto unknown_grid = compared("");
    CHECK(unknown_grid.status == 1);
    shows(unknown_grid.errors, "--compare-svg needs the grid points");
}

TEST_CASE("wrong usage of a plan") {
    const TemporaryFolder folder;
    write_result_file(folder / "t.csv", study);
    write_result_file(folder / "jobs.txt", log_of_jobs);
    const auto plan_with = [&](const std::string &arguments) {
        return "cpmip plan " + (folder / "t.csv") + " --start 2027-01-01 " + arguments;
    };
    each_refused(folder, plan_with, 2,
                 {{"", "--years is required"},
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
                  {"--years 160 --log " + (folder / "jobs.txt"), "the queue of a plan needs --simulated-per-job"}});
    CHECK(command(folder, "cpmip plan --years 5").status == 2); // no runs
    CHECK(command(folder, "cpmip --years 5 " + (folder / "x")).status == 2);
    CHECK(command(folder, "cpmip study " + (folder / "t.csv") + " --models " + (folder / "t.csv")).status == 2);
    shows(plan(folder, (folder / "t.csv") + " --years 5").errors,
          "is no folder: give the folders of the runs, or one table alone");
    // 0.1 core hours x 0.1 years a day / 24 hours a day = 0.0004 cores.
    const auto tiny = plan(folder, "--years 160 --members 3 --cores 10", "SYPD,CHSY\n0.1,0.1\n0.2,0.1\n");
    CHECK(tiny.status == 1);
    shows(tiny.errors, "0.1 core hours at 0.1 SYPD are less than one core");
    shows(plan(folder, "--years 160", "cores,SYPD\n1,1e-12\n").output, "after n/a");
    const auto timed = plan(folder, "--years 160" + queue(folder), "cores,seconds\n200,16\n");
    CHECK(timed.status == 1);
    shows(timed.errors, "column seconds: with a job log give SYPD instead");
}
