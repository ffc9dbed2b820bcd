// cpl-lb check as a user runs it, on results written from literals.
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "tests/json.hpp"
#include "tests/report/example_run.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cpl_lb;
using nlohmann::json;
using test::command;
using test::TemporaryFolder;

namespace {

// An ocean that waits 23 of 100 s for an atmosphere; 4 SYPD; 512 MiB for the largest process.
std::string write_run(const TemporaryFolder &folder) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {test::component("ocean", 1, 0, 10, 100'000'000'000),
                      test::component("atmosphere", 2, 10, 10, 100'000'000'000)};
    run.components[0].balance = test::balance(77, 23, {{2, 23, 0}});
    run.components[1].balance = test::balance(100, 0, {{1, 0, 0}});
    run.components.push_back(test::component("xios", 3, 20, 2, 100'000'000'000));
    run.component_names.emplace_back("xios");
    run.components[2].balance = test::balance(1, 99, {{1, 99, 0}});
    run.components[2].balance.is_io_server = true;
    run.cpmip.sypd = 4;
    run.meters.hwm_B = {100e6, 512.0 * 1024 * 1024, 1e9, 20};
    write_result_file(folder / "load_balancing_info.json", info_json(run));
    return folder / ".";
}

test::Result check(const TemporaryFolder &folder, const std::string &rules, const std::string &options = "") {
    const std::string path = folder / "rules.toml";
    write_result_file(path, rules);
    return command(folder, "check " + write_run(folder) + " --rules " + path + " " + options);
}

} // namespace

TEST_CASE("rules that are kept, and rules that are broken") {
    const TemporaryFolder folder;
    const auto kept = check(folder, "[run]\nsypd.at_least = 3.9\nmemory_MiB_per_process.at_most = 512\n"
                                    "[component.ocean]\nwaiting_percent = { at_least = 20, at_most = 24 }\n");
    INFO(kept.output << kept.errors);
    CHECK(kept.status == 0);
    CHECK_THAT(kept.output, Catch::Contains("All 3 rules are kept."));
    const auto broken = check(folder, "[run]\nsypd.at_least = 5\n[each_component]\nwaiting_percent.at_most = 20\n");
    CHECK(broken.status == 3);
    CHECK_THAT(broken.output, Catch::Contains("BROKEN: the run's sypd is 4 (at least 5 is asked for)"));
    CHECK_THAT(broken.output, Catch::Contains("BROKEN: ocean's waiting_percent is 23 (at most 20 is asked for)"));
    CHECK_THAT(broken.output, Catch::Contains("  kept: atmosphere's waiting_percent is 0"));
    CHECK_THAT(broken.output, Catch::Contains("2 of 3 rules are broken."));
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 3.9\n").output, Catch::EndsWith("\nThe rule is kept.\n"));
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 5\n").output, Catch::EndsWith("\nThe rule is broken.\n"));
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 5\n[component.ocean]\nwaiting_percent.at_most = 24\n").output,
               Catch::EndsWith("\n1 of 2 rules is broken.\n"));
}

TEST_CASE("a figure that is not known does not pass in silence") {
    const TemporaryFolder folder;
    const auto told = check(folder, "[run]\nchsy.at_most = 100\n");
    CHECK(told.status == 3);
    CHECK_THAT(told.output, Catch::Contains("the run's chsy is not known (at most 100 is asked for)"));
    CHECK(check(folder, "[run]\nchsy = { at_most = 100, may_be_unknown = true }\n").status == 0);
}

TEST_CASE("for programs: json, and a test for each rule") {
    const TemporaryFolder folder;
    const std::string junit = folder / "junit.xml";
    const auto r = check(folder, "[run]\nsypd.at_least = 5\nwall_s = { at_most = 10, may_be_unknown = true }\n",
                         "--json --junit " + junit);
    CHECK(r.status == 3);
    const json answer = json::parse(r.output);
    CHECK(answer.at("kept") == false);
    CHECK(answer.at("rules").at(0).at("figure") == "sypd");
    CHECK(answer.at("rules").at(0).at("value") == 4);
    CHECK(answer.at("rules").at(1).at("kept") == true);
    CHECK_THAT(test::contents(junit), Catch::Contains("tests=\"2\" failures=\"1\""));
}

TEST_CASE("bad rules are one line with file, line and name") {
    const TemporaryFolder folder;
    const std::pair<const char *, const char *> cases[] = {
        {"[run]\n\nspeed.at_least = 5\n", "rules.toml:3: run.speed: is no figure: there are sypd, "},
        {"[run]\nsypd.above = 5\n", "rules.toml:2: run.sypd.above"},
        {"[run]\nsypd = 5\n", "rules.toml:2"},
        {"[run]\nsypd.may_be_unknown = true\n", "at_least or at_most is missing"},
        {"[run]\nsypd = { at_least = 10, at_most = 5 }\n",
         "rules.toml:2: run.sypd: at_least 10 and at_most 5 exclude each other"},
        {"[component.ice]\nstep_s.at_most = 5\n", "component.ice: is no component of the run"},
        {"[runs]\nsypd.at_least = 5\n", "is no table of rules"},
        {"", "holds no rule"},
        {"[run\n", "rules.toml:1"},
    };
    for (const auto &[rules, said] : cases) {
        const auto r = check(folder, rules);
        INFO(r.errors);
        CHECK(r.status == 1);
        CHECK_THAT(r.errors, Catch::Contains(said));
        CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    }
    CHECK(command(folder, "check " + write_run(folder) + " --rules " + (folder / "none.toml")).status == 1);
    const auto r = command(folder, "check " + write_run(folder) + " --rules " + folder.path());
    CHECK(r.status == 1);
    CHECK(r.errors == "cpl-lb: " + folder.path() + ": cannot read: it is a folder, and a file belongs here\n");
    // One value is no contradiction.
    CHECK(check(folder, "[run]\nsypd = { at_least = 4, at_most = 4 }\n").status == 0);
}
