// Ensembles as a user sees them: summary, report and balance on 60 members of three components, history on separate
// jobs.
#include "analysis/member_figures.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "tests/json.hpp"
#include "tests/members_folder.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

using namespace cpl_lb;
using test::command;
using test::TemporaryFolder;
using test::write_ensemble;

namespace {

std::string as_one_line(std::string text) {
    for (char &c : text)
        if (c == '\n') c = ' ';
    return text;
}

bool has(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text.substr(0, 4000));
    return is;
}

} // namespace

TEST_CASE("60 members of three components are three rows, and the slow one is named") {
    const TemporaryFolder folder;
    write_ensemble(folder / "", {});
    const auto summary = command(folder, "summary " + (folder / ""));
    INFO(summary.errors);
    REQUIRE(summary.status == 0);
    const std::string text = as_one_line(summary.output);
    // In each of the 19 meetings but the first 59 members wait 0.1 s on 4 cores: 19 x 59 x 0.1 x 4 = 448.4 core
    // seconds, 0.125 core hours, of 18 x 1.3 + 0.1 = 23.5 s on 240 cores: 7.95 %.
    CHECK(has(text,
              "atmosphere_* (60 members): 8.0 % of their core time, 0.125 core hours, goes into waiting for the "
              "last member at assimilation: atmosphere_007 is nearly always last (100 % of it)."));
    for (const char *row : {"\natmosphere_* x 60 ", "\nocean_* x 60 ", "\nice_* x 60 "})
        CHECK(has(summary.output, row));
    const auto none = command(folder, "summary --members none " + (folder / ""));
    CHECK_FALSE(has(none.output + " ", "members"));
    const auto wrong = command(folder, "summary --members atmosphere " + (folder / ""));
    CHECK(wrong.status != 0);
    CHECK(has(wrong.errors, "'atmosphere' is no name with one * in it, as atmosphere_*"));

    const auto json = nlohmann::json::parse(command(folder, "summary --json " + (folder / "")).output);
    CHECK(json["members"].size() == 3);
    CHECK(json["members"][0]["of"].size() == 60);

    const auto report = command(folder, "report " + (folder / ""));
    INFO(report.errors);
    REQUIRE(report.status == 0);
    const auto size = std::filesystem::file_size(folder / "load_balancing_report.html");
    CHECK(size < 10'000'000);
}

// Members compute 1 s on 4 cores, one 1.1 s; measured with one count, so taken as ideal: on 48 cores of 12 to a node
// there are 4 nodes for 12 members: three on each, 4 cores: one round.
TEST_CASE("balance says how many members at once") {
    const TemporaryFolder folder;
    write_ensemble(folder / "", {.members = 12, .processes = 4, .events = 40, .slow = 7});
    const std::string of_all = "balance " + (folder / "") + " --members 'atmosphere_*' --total 48";
    const auto shared = command(folder, of_all + " --cores-per-node 12");
    INFO(shared.errors);
    REQUIRE(shared.status == 0);
    const std::string text = as_one_line(shared.output);
    CHECK(has(text,
              "Best on 48 cores: 12 of the 12 members at once, each on 4 cores (a part of a node), in 1 round: "));
    CHECK(has(text, "There are more members (12) than nodes (4): all at once, members share nodes."));
    // A second run with 8 processes each, which take as long: what 16 cores do is extrapolated.
    const TemporaryFolder second;
    write_ensemble(second / "", {.members = 12, .processes = 8, .events = 40, .slow = 0});
    const auto both = command(folder, "balance " + (folder / "") + " " + (second / "") + " --members 'atmosphere_*'");
    CHECK(has(as_one_line(both.output), "* Members were measured on 4 to 8 cores: other counts are extrapolated, and "
                                        "uncertain by up to "));
    const auto json = nlohmann::json::parse(command(folder, of_all + " --cores-per-node 4 --json").output);
    CHECK(json["plans"][0]["at_once"] == 12);
    CHECK(json["plans"][0]["nodes"] == 1);
    CHECK(json["plans"][0]["measured"] == true);
    // Of the run's 3 x 12 x 4 = 144 cores atmospheres have 12 x 4 = 48; 12 oceans and 12 ices keep theirs.
    const auto own = command(folder, "balance " + (folder / "") + " --members 'atmosphere_*'");
    const std::string by_default = as_one_line(own.output);
    CHECK(has(by_default, "Best on 48 cores: 12 of the 12 members at once, each on 4 cores, in 1 round: "));
    CHECK(has(by_default,
              "Members are atmosphere_001 to atmosphere_012: they have 48 of the 144 cores of the run. The 24 "
              "other components keep their cores."));
    CHECK(
        has(by_default, "* All members were measured on 4 cores: for other counts they are taken to scale ideally."));
    // Twice as many cores: no member was measured on 8.
    const auto more = command(folder, "balance " + (folder / "") + " --members 'atmosphere_*' --total 96");
    CHECK(has(as_one_line(more.output), "each on 8 cores, in 1 round: "));
    CHECK(
        has(as_one_line(more.output), "How uncertain its time is: n/a, because members were measured on one count."));
    CHECK(has(command(folder, "balance " + (folder / "") + " --members 'wave_*' --total 8").errors,
              "fewer than two components"));
}

namespace {

// A run of so many members, whose last one needs `startup_s`, the others a second less.
std::string write_started(const TemporaryFolder &folder, std::int64_t members, double startup_s) {
    CoupledRun run;
    run.run.id = "ens" + std::to_string(members);
    run.run.cores = members;
    run.run.wall_s = 100;
    run.run.members = "atmosphere_*";
    for (std::int64_t m = 1; m <= members; ++m) {
        Component &c = run.components.emplace_back();
        c.id = static_cast<std::int32_t>(m);
        c.name = "atmosphere_0" + std::to_string(m);
        run.component_names.push_back(c.name);
        c.ranks = {static_cast<std::int32_t>(m - 1)};
        c.balance.loop_s = 10;
        c.balance.computing_s = 9;
        c.balance.waiting_s = 1;
        c.balance.step_count = 9;
        c.balance.startup.length_s = m == members ? startup_s : startup_s - 1;
    }
    judge_members(run);
    const std::string name = folder / run.run.id;
    std::filesystem::create_directories(name);
    write_result_file(name + "/load_balancing_info.json", info_json(run));
    return " " + name;
}

} // namespace

TEST_CASE("balance refuses what does not go with members") {
    const TemporaryFolder folder;
    const std::string run = write_started(folder, 4, 14.8) + " --members 'atmosphere_*' ";
    for (const std::string option : {"--curves x",
                                     "--layout atm",
                                     "--block 4",
                                     "--min 4",
                                     "--max 4",
                                     "--allowed x",
                                     "--serial 0.1",
                                     "--power 9:4",
                                     "--threads atm=1",
                                     "--html x.html",
                                     "--objective cost",
                                     "--node-memory 4 --cores-per-node 4",
                                     "--without x",
                                     "--order atm",
                                     "--no-sharing",
                                     "--kinds gpu=4:4x18",
                                     "--on atm=gpu",
                                     "--share a+b",
                                     "--nodes a=4",
                                     "--price gpu=2",
                                     "--host-cores 2",
                                     "--launch srun",
                                     "--template nofile --output out",
                                     "--tiles atm=2x2",
                                     "--form-name atm=ATM"}) {
        INFO(option);
        const auto refused = command(folder, "balance" + run + option);
        CHECK(refused.status == 2);
        CHECK(refused.errors.starts_with("cpl-lb: --members does not go with " + option.substr(0, option.find(' '))));
        CHECK(std::count(refused.errors.begin(), refused.errors.end(), '\n') == 1);
    }
}

// 11 + 1.9 x 2 = 14.8 s, 11 + 1.9 x 4 = 18.6 s, 11 + 1.9 x 8 = 26.2 s.
TEST_CASE("balance tells how start-up grows over runs with more and more members") {
    const TemporaryFolder folder;
    const std::string two = write_started(folder, 2, 14.8), four = write_started(folder, 4, 18.6),
                      eight = write_started(folder, 8, 26.2), options = " --members 'atmosphere_*' --total 8";
    const auto all = command(folder, "balance" + eight + two + four + options);
    INFO(all.errors);
    REQUIRE(all.status == 0);
    CHECK(has(all.output, "\nStart-up grows by 1.900 s for each member (runs with 2, 4, 8 members).\n"));
    CHECK(all.output.find("14.8") < all.output.find("26.2"));
    const auto json =
        nlohmann::json::parse(command(folder, "balance" + two + four + eight + options + " --json").output);
    CHECK(json["startup_growth_s"].get<double>() == Approx(1.9));
    CHECK(json["startup_of_runs"][2]["members"] == 8);
    CHECK(json["startup_of_runs"][2]["startup_s"] == 26.2);
    const auto fewer = command(folder, "balance" + two + four + options);
    CHECK(has(as_one_line(fewer.output), "How start-up grows with the members: n/a (it takes runs with three"));
    CHECK_FALSE(has(command(folder, "balance" + two + options).output + " ", "tart-up"));
}

// 24 / 4 = 6 h and 24 / 2 = 12 h for a year: (6 + 12) / (2 x 12) = 75 % in use.
namespace {

std::string write_job(const TemporaryFolder &folder, const std::string &name, double sypd, double wall_s) {
    CoupledRun run;
    run.run.id = name;
    run.run.cores = 128;
    run.run.wall_s = wall_s;
    run.cpmip.sypd = sypd;
    std::filesystem::create_directories(folder / name);
    write_result_file((folder / name) + "/load_balancing_info.json", info_json(run));
    return " " + (folder / name);
}

} // namespace

TEST_CASE("history puts the jobs of an ensemble side by side") {
    const TemporaryFolder folder;
    const std::string folders = write_job(folder, "ens_1", 4, 100) + write_job(folder, "ens_2", 2, 100);
    const std::string file = " --file " + (folder / "h.sqlite");
    REQUIRE(command(folder, "history add" + folders + file).status == 0);
    const auto shown = command(folder, "history show --members 'ens_*'" + file);
    INFO(shown.errors);
    const std::string text = as_one_line(shown.output);
    CHECK(has(text, "ens_*: 2 jobs take 6.000 to 12.000 hours for a simulated year; slowest ens_2, fastest ens_1."));
    CHECK(has(text, "Who needs all of them waits for the slowest: 25 % of their core time"));
    CHECK(nlohmann::json::parse(command(folder, "history show --json --members 'ens_*'" + file).output)["slowest"] ==
          "ens_2");
    CHECK(has(command(folder, "history show --members 'x_*'" + file).errors, "holds fewer than two jobs"));
    CHECK(command(folder, "history show --members ens" + file).status == 2);
}

// One of four tells no speed, so seconds are compared, and one tells no seconds either.
TEST_CASE("history says of how many jobs of an ensemble it speaks") {
    const TemporaryFolder folder;
    const std::string file = " --file " + (folder / "h.sqlite"), of_all = "history show --members 'ens_*'" + file;
    REQUIRE(command(folder, "history add" + write_job(folder, "ens_1", 4, 100) + write_job(folder, "ens_2", 2, 100) +
                                write_job(folder, "ens_3", unknown, 100) + file)
                .status == 0);
    const std::string alike = as_one_line(command(folder, of_all).output);
    CHECK(has(alike, "ens_*: 3 jobs take 100.000 s for a run. Who needs"));
    CHECK(has(alike,
              "Note: Seconds of runs are compared: the SYPD of 1 of 3 jobs is n/a. They tell who is slow only if "
              "all jobs simulate the same time."));
    CHECK(nlohmann::json::parse(command(folder, of_all + " --json").output)["slowest"].is_null());
    REQUIRE(command(folder, "history add" + write_job(folder, "ens_4", 2, unknown) + file).status == 0);
    const std::string three = as_one_line(command(folder, of_all).output);
    CHECK(has(three, "ens_*: 3 of 4 jobs take 100.000 s for a run."));
    CHECK(has(three, "Note: The waiting for the slowest job is n/a: 1 of 4 jobs tell no run time."));
}

namespace {

std::string asked(const std::string &history, const std::string &question) {
    const std::string answer = history + ".answer";
    CHECK(std::system(("sqlite3 " + history + " '" + question + "' > " + answer).c_str()) == 0);
    return test::contents(answer);
}

} // namespace

// The same runs as jobs of a history: 14.8, 18.6 and 26.2 s.
TEST_CASE("history tells how start-up grows over jobs with more and more members") {
    const TemporaryFolder folder;
    const std::string two = write_started(folder, 2, 14.8), four = write_started(folder, 4, 18.6),
                      eight = write_started(folder, 8, 26.2), history = folder / "h.sqlite",
                      file = " --file " + history, of_all = "history show --members 'ens*'" + file;
    REQUIRE(command(folder, "history add" + eight + two + four + file).status == 0);
    const auto shown = command(folder, of_all);
    INFO(shown.errors);
    CHECK(has(shown.output, "\nStart-up grows by 1.900 s for each member (runs with 2, 4, 8 members).\n"));
    CHECK_FALSE(has(shown.output + " ", "Note:"));
    const auto json = nlohmann::json::parse(command(folder, of_all + " --json").output);
    CHECK(json["startup_growth_s"].get<double>() == Approx(1.9));
    CHECK(json["startup_of_runs"][2]["members"] == 8);
    CHECK(json["startup_of_runs"][2]["startup_s"] == 26.2);
    CHECK(json["of"][0]["startup_s"] == 14.8);
    // An older cpl-lb writes rows of 17 columns into `runs`, and opens version 1.
    CHECK(asked(history, "select count(*) from pragma_table_info(\"runs\")") == "17\n");
    CHECK(asked(history, "pragma user_version") == "1\n");

    asked(history, "drop table startup"); // a file of 0.3
    const auto old = command(folder, of_all);
    CHECK(old.status == 0);
    CHECK(has(as_one_line(old.output), "Note: The start-up of 3 of 3 runs is n/a: the cpl-lb that added them did not "
                                       "keep it. cpl-lb history add with the same folders adds it."));
    CHECK_FALSE(has(old.output + " ", "Start-up grows"));
    REQUIRE(has(command(folder, "history add" + two + four + file).output, "0 added, 2 known before"));
    const auto most = command(folder, of_all);
    CHECK(has(as_one_line(most.output), "How start-up grows with the members: n/a (it takes runs with three"));
    CHECK(has(as_one_line(most.output), "Note: The start-up of 1 of 3 runs is n/a"));
    asked(history, "drop table startup; create view startup as select * from runs");
    CHECK(has(command(folder, of_all).errors, "startup is no table of its own"));
}
