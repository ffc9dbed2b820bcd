// The page of cpl-lb compare: whose runs they are, and bars whose lengths are right.
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "tests/report/example_run.hpp"
#include "tests/tools/command.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;
using Catch::Contains;

namespace {

// Ten steps of the ocean: so much computing, and so much waiting in each.
std::string write_run(const TemporaryFolder &folder, const std::string &name, double computing_s, double waiting_s) {
    CoupledRun run;
    run.run.id = "chain";
    run.run.started = "2026-03-01T04:00:00Z";
    run.run.ended = "2026-03-01T05:00:00Z, " + name; // each is a job of its own
    run.component_names = {"ocean"};
    run.components = {component("ocean", 1, 0, 10, 100'000'000'000)};
    ComponentBalance &balance = run.components[0].balance;
    balance.loop_s = 10 * (computing_s + waiting_s);
    balance.computing_s = 10 * computing_s;
    balance.waiting_s = 10 * waiting_s;
    for (int i = 0; i < 10; ++i) {
        Step step;
        step.start_s = i * (computing_s + waiting_s);
        step.length_s = computing_s + waiting_s;
        step.computing_s = computing_s;
        step.waiting_s = waiting_s;
        balance.steps.push_back(step);
    }
    balance.step_count = 10;
    std::string directory = folder / name;
    std::filesystem::create_directories(directory);
    write_result_file(directory + "/load_balancing_info.json", info_json(run));
    return directory;
}

std::string page_of(const TemporaryFolder &folder, const std::string &runs) {
    const std::string page = folder / "page.html";
    const Result r = command(folder, "compare " + runs + " --html " + page);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return contents(page);
}

} // namespace

TEST_CASE("compare: the runs have the names of their folders, and lead to their pages") {
    const TemporaryFolder folder;
    const std::string one = write_run(folder, "old grid", 1, 1), two = write_run(folder, "new<grid>", 1, 2);
    write_result_file(one + "/load_balancing_report.html", "page");
    const std::string page = page_of(folder, "'" + one + "' '" + two + "/'");
    CHECK_THAT(page, Contains("<p>Before: <a href=\"old%20grid/load_balancing_report.html\">old grid</a> (chain, "
                              "2026-03-01T04:00:00Z)</p>"));
    CHECK_THAT(page, Contains("<p>After: new&lt;grid&gt; (chain, 2026-03-01T04:00:00Z)</p>"));
    CHECK_THAT(page, Contains("<th>Before: old grid</th><th>After: new&lt;grid&gt;</th>"));
    CHECK_THAT(page, Contains(">ocean, before: old grid<") && Contains(">ocean, after: new&lt;grid&gt;<"));
}

TEST_CASE("compare: folders of one name have as much of their paths as tells them apart") {
    const TemporaryFolder folder;
    const std::string page =
        page_of(folder, write_run(folder, "a/results", 1, 1) + " " + write_run(folder, "b/results", 1, 2));
    CHECK_THAT(page, Contains("<th>Before: a/results</th><th>After: b/results</th>"));
    // Several runs of a state.
    const std::string several = page_of(folder, (folder / "a/results") + " " + (folder / "b/results") +
                                                    " --also-after " + write_run(folder, "b/again", 1, 2));
    CHECK_THAT(several, Contains("<th>Before: a/results</th><th>After: 2 runs</th>"));
    CHECK_THAT(several, Contains("<p>After: b/results (") && Contains(", b/again ("));
}

TEST_CASE("compare: a bar is as long as its seconds are of the longer state") {
    const TemporaryFolder folder;
    const std::string page = page_of(folder, write_run(folder, "a", 1, 1) + " " + write_run(folder, "b", 1, 3));
    // 1 and 1 of 4 s; 1 and 3 of 4 s.
    CHECK_THAT(page,
               Contains("<i class=computing style=\"width:25.00%\" title=\"computing 1.000 s\"></i><i class=waiting "
                        "style=\"width:25.00%\" title=\"waiting 1.000 s\"></i>"));
    CHECK_THAT(page, Contains("<i class=waiting style=\"width:75.00%\""));
}
