// cpl-lb history as a user runs it, on results written from literals; sqlite3 and Python's sqlite3 read it, too.
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "support/fmt.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/inside_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

// Run number n begins n days after the first of March; in the queue for 3 hours.
std::string write_run(const TemporaryFolder &folder, int n, double sypd, std::int64_t cores = 96,
                      double energy_J = 7.2e6, const std::string &started = "") {
    CoupledRun run;
    run.run.id = "chain";
    run.run.submitted = fmt::format("2026-03-{:02d}T01:00:00Z", n);
    run.run.started = started.empty() ? fmt::format("2026-03-{:02d}T04:00:00Z", n) : started;
    run.run.ended = fmt::format("2026-03-{:02d}T22:00:00Z", n);
    run.run.wall_s = 18 * 3600;
    run.run.cores = cores;
    run.cpmip.sypd = sypd;
    run.meters.energy_J = energy_J;
    run.component_names = {"ocean"};
    run.components = {test::component("ocean", 1, 0, 10, 100'000'000'000)};
    run.components[0].balance = test::balance(77, 23, {});
    std::string directory = folder / fmt::format("run{}", n);
    std::filesystem::create_directories(directory);
    write_result_file(directory + "/load_balancing_info.json", info_json(run));
    return directory;
}

std::string file_of(const TemporaryFolder &folder) {
    return " --file " + (folder / "history.sqlite");
}

json show(const TemporaryFolder &folder) {
    const auto r = command(folder, "history show --json" + file_of(folder));
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return json::parse(r.output);
}

// Each in a process of its own.
void add_at_once(const TemporaryFolder &folder, int jobs) {
    std::vector<std::thread> all;
    for (int n = 1; n <= jobs; ++n) {
        const std::string run = write_run(folder, n, 10);
        all.emplace_back([&folder, run] {
            const int status =
                std::system((CPL_LB_COMMAND " history add " + run + file_of(folder) + " > /dev/null 2>&1").c_str());
            CHECK(status == 0);
        });
    }
    for (std::thread &job : all)
        job.join();
}

std::string asked(const std::string &question) {
    FILE *pipe = ::popen(question.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string answer;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        answer += static_cast<char>(c);
    ::pclose(pipe);
    return answer;
}

} // namespace

TEST_CASE("a run is added once, and sqlite3 reads what was added") {
    const TemporaryFolder folder;
    const std::string first = write_run(folder, 1, 10), second = write_run(folder, 2, 10.1);
    const auto added = command(folder, "history add " + first + " " + second + file_of(folder));
    INFO(added.errors);
    CHECK(added.status == 0);
    CHECK_THAT(added.output, Catch::Contains("2 added, 0 known before"));
    CHECK_THAT(command(folder, "history add " + second + file_of(folder)).output,
               Catch::Contains("0 added, 1 known before"));
    CHECK(asked("sqlite3 " + (folder / "history.sqlite") +
                " 'select started, sypd, energy_J from runs order by started'") ==
          "2026-03-01T04:00:00Z|10.0|7200000.0\n2026-03-02T04:00:00Z|10.1|7200000.0\n");
    CHECK(asked("sqlite3 " + (folder / "history.sqlite") + " 'select count(*) from components'") == "2\n");
    const json runs = show(folder).at("runs");
    REQUIRE(runs.size() == 2);
    CHECK(runs.at(0).at("queue_h") == Approx(3));
    CHECK(runs.at(1).at("components").at(0).at("name") == "ocean");
}

TEST_CASE("a component has another name in what is shown, and the file stays as it is") {
    const TemporaryFolder folder;
    REQUIRE(command(folder, "history add " + write_run(folder, 1, 10) + file_of(folder)).status == 0);
    const auto renamed = command(folder, "history show --json --rename ocean=sea" + file_of(folder));
    CHECK(json::parse(renamed.output).at("runs").at(0).at("components").at(0).at("name") == "sea");
    CHECK(show(folder).at("runs").at(0).at("components").at(0).at("name") == "ocean");
    const auto none = command(folder, "history show --rename lake=sea" + file_of(folder));
    CHECK(none.status == 1);
    CHECK(none.errors == "cpl-lb: --rename: no run has a component 'lake'\n");
}

TEST_CASE("a slower model is found with the runs before and after") {
    const TemporaryFolder folder;
    std::string all;
    for (int n = 1; n <= 20; ++n) // 10 +- 0.1 years in a day, from the 13th on 8.5 +- 0.1 on 128 cores
        all += " " + write_run(folder, n, (n < 13 ? 10 : 8.5) + 0.1 * (n % 3 - 1), n < 13 ? 96 : 128);
    REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
    const json changes = show(folder).at("changes");
    REQUIRE(changes.size() == 1);
    CHECK(changes.at(0).at("figure") == "SYPD");
    CHECK(changes.at(0).at("run") == 12);
    const auto none = command(folder, "history show --run other" + file_of(folder));
    CHECK(none.status == 1);
    CHECK_THAT(none.errors, Catch::Contains("holds no run of the name 'other'"));
    CHECK_THAT(command(folder, "history show --file " + (folder / "none.sqlite")).errors,
               Catch::Contains("none.sqlite: there is no such file: cpl-lb history add makes it"));
    write_result_file(folder / "begun.sqlite", ""); // by another job
    CHECK(command(folder, "history show --file " + (folder / "begun.sqlite")).output ==
          "The history holds no run.\n");
    const auto text = command(folder, "history show --last 3" + file_of(folder));
    CHECK_THAT(text.output, Catch::StartsWith("SYPD fell from 10 to 8.5"));
    CHECK_THAT(text.output, Catch::Contains("2026-03-13T04:00:00Z"));
    CHECK_THAT(text.output, Catch::Contains("128 cores, 96 before"));
    CHECK_THAT(text.output, Catch::Contains("The last 3 of 20 runs"));
    const std::string page = folder / "page.html";
    REQUIRE(command(folder, "history html -o " + page + file_of(folder)).status == 0);
    CHECK_THAT(test::contents(page), Catch::Contains("SYPD fell from 10 to 8.5"));
    CHECK_THAT(test::contents(page), Catch::Contains(">change</text>"));
    for (const char *elsewhere : {"src=", "href=\"http", "href=\"/", "url("})
        CHECK_THAT(test::contents(page), !Catch::Contains(elsewhere));
}

namespace {

// On five nodes of two processes; nothing of them in the json of 0.2.
std::string write_run_on_nodes(const TemporaryFolder &folder, int n, std::int64_t late_process,
                               const std::vector<std::string> &names) {
    CoupledRun run;
    run.run.id = "chain";
    run.run.started = fmt::format("2026-03-{:02d}T04:00:00Z", n);
    run.component_names = {"ocean"};
    run.components = {test::component("ocean", 10, 0, 10, 100'000'000'000)};
    for (const std::string &name : names) {
        run.components[0].on_nodes.push_back(static_cast<std::int32_t>(run.meters.nodes.size()));
        run.meters.nodes.emplace_back().name = name;
    }
    run.components[0].nodes = 5;
    ComponentBalance &b = run.components[0].balance;
    b = test::balance(77, 23, {}); // a loop of 100 s
    b.step_count = 10;
    b.imbalance_s = 20;
    ImbalanceParts &p = b.imbalance_parts;
    p.processes_s = 2;
    p.nodes_s = 12;
    p.moving_s = p.steps_s = 0;
    p.random_s = 6;
    p.late_node_process = late_process;
    p.late_node = names[static_cast<std::size_t>(late_process / 2)];
    p.late_node_s = 1;
    std::string directory = folder / fmt::format("run{}", n);
    std::filesystem::create_directories(directory);
    write_result_file(directory + "/load_balancing_info.json", info_json(run));
    return directory;
}

const std::vector<std::vector<std::string>> orders = {{"a", "b", "c", "d", "slow"},
                                                      {"slow", "a", "b", "c", "d"},
                                                      {"a", "b", "slow", "c", "d"},
                                                      {"a", "slow", "b", "c", "d"}};

} // namespace

TEST_CASE("imbalance and late nodes are kept, and several runs tell whether it is the node") {
    const TemporaryFolder folder;
    std::string all;
    for (int n = 1; n <= 4; ++n) {
        const std::vector<std::string> &names = orders[static_cast<std::size_t>(n - 1)];
        const auto at = std::find(names.begin(), names.end(), "slow") - names.begin();
        all += " " + write_run_on_nodes(folder, n, 2 * at, names);
    }
    REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
    const json shown = show(folder);
    const json &kept = shown.at("runs").at(0).at("components").at(0).at("imbalance");
    CHECK(kept.at("total_s") == Approx(2)); // 20 s in 10 steps
    CHECK(kept.at("same_processes_s") == Approx(0.2));
    CHECK(kept.at("same_nodes_s") == Approx(1.2));
    CHECK(kept.at("random_s") == Approx(0.6));
    CHECK(kept.at("late_node") == "slow");
    CHECK(kept.at("late_node_process") == 8);
    const json &late = shown.at("late_nodes").at(0);
    CHECK(late.at("answer") == "node");
    CHECK(late.at("words") ==
          "ocean: node slow was late in 4 of 4 runs in which it took part, at 4 places in the model "
          "(12 % of the loop): it is the node, not the place.");
    const std::string text = command(folder, "history show" + file_of(folder)).output;
    CHECK_THAT(text, Catch::Contains("ocean: node slow was late in 4 of 4 runs"));
    CHECK_THAT(text, Catch::Contains("same nodes"));
    CHECK_THAT(text, Catch::Contains(" 12.00 ")); // 12 s of 100 s
    CHECK(asked("sqlite3 " + (folder / "history.sqlite") +
                " 'select late_node, node_names from imbalance limit 1'") == "slow|a b c d slow\n");
    REQUIRE(command(folder, "history html -o " + (folder / "page.html") + file_of(folder)).status == 0);
    CHECK_THAT(test::contents(folder / "page.html"), Catch::Contains("it is the node, not the place"));
    CHECK_THAT(test::contents(folder / "page.html"), Catch::Contains("<td>slow</td>"));
}

TEST_CASE("one place, few runs, and two nodes of one name") {
    const TemporaryFolder folder;
    std::string all;
    for (int n = 1; n <= 4; ++n)
        all += " " + write_run_on_nodes(folder, n, 4, orders[static_cast<std::size_t>(n - 1)]);
    REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
    // c, b, slow, b: of b two, and two others.
    CHECK(show(folder).at("late_nodes").at(0).at("words") ==
          "ocean: the node whose first process is 4 was late in 4 of 4 runs, and 3 different nodes were (12 % of the "
          "loop): it is the place in the model, not a node.");
    const TemporaryFolder few;
    REQUIRE(command(few, "history add " + write_run_on_nodes(few, 1, 4, orders[0]) + file_of(few)).status == 0);
    CHECK(
        show(few).at("late_nodes").at(0).at("words") ==
        "ocean: node c was late in 1 of 1 run: these are too few to tell whether it is the node or its place in the "
        "model.");
    const TemporaryFolder twins;
    const std::string run = write_run_on_nodes(twins, 1, 4, {"a", "b", "c", "c", "d"});
    REQUIRE(command(twins, "history add " + run + file_of(twins)).status == 0);
    CHECK(show(twins).at("late_nodes").empty());
}

TEST_CASE("messages inside a component are kept, with the late process, and a change of them is told") {
    const TemporaryFolder folder;
    std::string all;
    for (int n = 1; n <= 6; ++n) { // 3 s are 5 %, 1 s is nobody late
        const std::string day = fmt::format("2026-03-{:02d}T04:00:00Z", n), name = fmt::format("inside{}", n);
        all += " " + write_inside(folder, name, n <= 3 ? 400 : 800, 1024, 2, n == 5 ? 1 : 3, "chain", day);
    }
    REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
    const json shown = show(folder);
    const auto inside = [&](std::size_t run, std::size_t component) {
        return shown.at("runs").at(run).at("components").at(component).at("inside");
    };
    CHECK(inside(0, 1).at("messages") == Approx(20)); // 400 / 20
    CHECK(inside(5, 1).at("bytes") == Approx(40 * 1024));
    CHECK(inside(0, 1).at("late_process") == 2);
    CHECK(inside(0, 1).at("late_share") == Approx(0.05));
    CHECK(inside(4, 1).at("late_process").is_null());
    CHECK(inside(4, 1).at("late_share") == 0);
    CHECK(inside(0, 0).is_null()); // not recorded in the ocean
    const std::string text = command(folder, "history show" + file_of(folder)).output;
    CHECK_THAT(text, Catch::Contains("atmosphere: messages inside it in a step rose from 20 to 40 (+100.0 %) with"));
    CHECK_THAT(text,
               Catch::Contains("Processes that are late again and again with messages inside their component:"));
    CHECK_THAT(text, Catch::Contains("2026-03-04T04:00:00Z  atmosphere        2                5.00"));
    CHECK_THAT(text, !Catch::Contains("2026-03-05T04:00:00Z  atmosphere "));
    // A file without that table opens, and gets it.
    const std::string history = folder / "history.sqlite";
    asked("sqlite3 " + history + " 'drop table inside'");
    CHECK(show(folder).at("runs").at(0).at("components").at(1).at("inside").is_null());
    REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
    CHECK(show(folder).at("runs").at(5).at("components").at(1).at("inside").at("messages") == Approx(40));
    asked("sqlite3 " + history + " 'drop table inside; create view inside as select * from runs'");
    CHECK_THAT(command(folder, "history show" + file_of(folder)).errors,
               Catch::Contains("inside is no table of its own"));
}

TEST_CASE("a file of 0.2 opens, and runs that are added again get their imbalance") {
    const TemporaryFolder folder;
    const std::string history = folder / "history.sqlite", run = write_run_on_nodes(folder, 1, 4, orders[0]);
    REQUIRE(command(folder, "history add " + run + file_of(folder)).status == 0);
    asked("sqlite3 " + history + " 'drop table imbalance'"); // the two tables of 0.2 are left
    const json old = show(folder);
    CHECK(old.at("runs").at(0).at("components").at(0).at("imbalance").is_null());
    CHECK(old.at("late_nodes").empty());
    CHECK_THAT(command(folder, "history add " + run + file_of(folder)).output,
               Catch::Contains("0 added, 1 known before"));
    CHECK(show(folder).at("runs").at(0).at("components").at(0).at("imbalance").at("late_node") == "c");
    CHECK(show(folder).at("runs").at(0).at("components").size() == 1);
    asked("sqlite3 " + history + " 'drop table imbalance; create view imbalance as select * from runs'");
    CHECK_THAT(command(folder, "history show" + file_of(folder)).errors,
               Catch::Contains("imbalance is no table of its own"));
}

TEST_CASE("the axis of the page has the unit of the time between the runs") {
    const std::pair<std::vector<const char *>, std::vector<const char *>> cases[] = {
        {{"2026-03-01T04:00:00Z", "2026-03-01T04:30:00Z", "2026-03-01T05:00:00Z"},
         {">minutes since 2026-03-01T04:00:00Z<", ">10<", ">60<"}},
        {{"2026-03-01T04:00:00Z", "2026-03-02T04:00:00Z"}, {">hours since 2026-03-01T04:00:00Z<", ">5<", ">25<"}},
        {{"2026-03-01T04:00:00Z", "2026-03-31T04:00:00Z"}, {">days since 2026-03-01T04:00:00Z<", ">5<", ">30<"}},
        // Begins of months after the first run, not after the last.
        {{"2025-11-20T04:00:00Z", "2026-04-02T04:00:00Z"},
         {">month of the start<", ">2025-12<", ">2026-01<", ">2026-04<"}},
        // 50 months: of each year the first, because 50 / 6 would be more than six.
        {{"2021-12-20T04:00:00Z", "2026-02-02T04:00:00Z"}, {">month of the start<", ">2022-01<", ">2026-01<"}},
    };
    for (const auto &[starts, said] : cases) {
        const TemporaryFolder folder;
        std::string all;
        for (std::size_t i = 0; i < starts.size(); ++i)
            all += " " + write_run(folder, static_cast<int>(i) + 1, 10, 96, 7.2e6, starts[i]);
        REQUIRE(command(folder, "history add" + all + file_of(folder)).status == 0);
        REQUIRE(command(folder, "history html -o " + (folder / "page.html") + file_of(folder)).status == 0);
        for (const char *words : said)
            CHECK_THAT(test::contents(folder / "page.html"), Catch::Contains(words));
        for (const char *words : {">2025-11<", ">2026-05<", "e-0"})
            CHECK_THAT(test::contents(folder / "page.html"), !Catch::Contains(words));
    }
}

TEST_CASE("one run is one run") {
    const TemporaryFolder folder;
    REQUIRE(command(folder, "history add " + write_run(folder, 1, 10) + file_of(folder)).status == 0);
    REQUIRE(command(folder, "history html -o " + (folder / "page.html") + file_of(folder)).status == 0);
    CHECK_THAT(test::contents(folder / "page.html"), Catch::Contains("<p>1 run.</p>"));
}

TEST_CASE("jobs that add at the same time lose nothing") {
    const TemporaryFolder folder;
    add_at_once(folder, 8);
    CHECK(show(folder).at("runs").size() == 8);
}

// Each job that finds the damage renames the file. One that comes late must not rename the new one.
TEST_CASE("jobs that add at the same time to a damaged file keep it once, and are all in the new one") {
    const std::string damaged = "SQLite format 3" + std::string(5000, 'x');
    for (int round = 0; round < 5; ++round) {
        const TemporaryFolder folder;
        write_result_file(folder / "history.sqlite", damaged);
        add_at_once(folder, 6);
        CHECK(show(folder).at("runs").size() == 6);
        CHECK(test::contents(folder / "history.sqlite.damaged") == damaged);
        for (const char *left : {".damaged-2", ".lock"})
            CHECK_FALSE(std::filesystem::exists(folder / ("history.sqlite" + std::string(left))));
    }
}

TEST_CASE("a damaged file is told, and kept") {
    const TemporaryFolder folder;
    const std::string run = write_run(folder, 1, 10);
    const std::string damaged = "SQLite format 3" + std::string(5000, 'x');
    write_result_file(folder / "history.sqlite", damaged);
    const auto r = command(folder, "history add " + run + file_of(folder));
    CHECK(r.status == 0);
    CHECK_THAT(r.errors, Catch::Contains("was damaged: it is kept as"));
    CHECK(test::contents(folder / "history.sqlite.damaged") == damaged);
    CHECK(show(folder).at("runs").size() == 1);
    write_result_file(folder / "precious.txt", "not ours");
    const auto refused = command(folder, "history add " + run + " --file " + (folder / "precious.txt"));
    CHECK(refused.status == 1);
    CHECK_THAT(refused.errors, Catch::Contains("precious.txt: is no history of cpl-lb"));
    CHECK(test::contents(folder / "precious.txt") == "not ours");
}

TEST_CASE("rows that no file holds are not read: a view that never ends, columns of any length") {
    const TemporaryFolder folder;
    REQUIRE(command(folder, "history add " + write_run(folder, 1, 10) + file_of(folder)).status == 0);
    const std::string history = folder / "history.sqlite", view = folder / "view.sqlite";
    std::filesystem::copy_file(history, view);
    asked(
        "sqlite3 " + view +
        " 'alter table runs rename to r; create view runs as with recursive n(i) as (select 1 union all select i + 1 "
        "from n) select n.i as key, name, submitted, started, ended, folder, platform, slow_side, cores, wall_s, "
        "simulated_s, sypd, asypd, chsy, jpsy, energy_J, waiting_share from r, n'");
    const auto endless = command(folder, "history show --file " + view);
    CHECK(endless.status == 1);
    CHECK_THAT(endless.errors, Catch::Contains("is no history of cpl-lb: runs is no table of its own"));
    asked("sqlite3 " + history + " 'alter table components add column x text as (hex(zeroblob(100000000)))'");
    CHECK_THAT(command(folder, "history show" + file_of(folder)).errors,
               Catch::Contains("components is no table of its own"));
}

TEST_CASE("what cannot be: clocks that go backwards, negative joules, somebody else's database") {
    const TemporaryFolder folder;
    CoupledRun run;
    run.run.id = "odd";
    run.run.submitted = "2026-03-02T00:00:00Z";
    run.run.started = "2026-03-01T00:00:00Z";
    run.run.ended = "2026-02-28T00:00:00Z";
    run.meters.energy_J = -5;
    write_result_file(folder / "load_balancing_info.json", info_json(run));
    REQUIRE(command(folder, "history add " + (folder / ".") + file_of(folder)).status == 0);
    const json odd = show(folder);
    CHECK(odd.at("runs").at(0).at("queue_h").is_null());
    CHECK(odd.at("runs").at(0).at("energy_J").is_null());
    CHECK(odd.at("notes").size() == 2);
    const std::string other = folder / "other.sqlite";
    asked("sqlite3 " + other + " 'create table mine (a)'");
    const auto refused = command(folder, "history add " + (folder / ".") + " --file " + other);
    CHECK(refused.status == 1);
    CHECK_THAT(refused.errors, Catch::Contains("is a database, but no history of cpl-lb"));
    CHECK(command(folder, "history show --file " + (folder / "none")).status == 1);
}
