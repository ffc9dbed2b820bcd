// The table of all runs on the page of cpl-lb history: its rows and their order, and links to pages that are there.
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "support/fmt.hpp"
#include "tests/report/example_run.hpp"
#include "tests/tools/command.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;
using Catch::Contains;

namespace {

constexpr const char *page_file = "/load_balancing_report.html";

std::string write_run(const TemporaryFolder &folder, const std::string &name, const std::string &id,
                      const std::string &started, double sypd) {
    CoupledRun run;
    run.run.id = id;
    run.run.started = started;
    run.run.cores = 96;
    run.cpmip.sypd = sypd;
    run.cpmip.chsy = 24 * 96 / sypd;
    run.meters.energy_J = 7.2e6;
    run.component_names = {"ocean"};
    run.components = {component("ocean", 1, 0, 10, 100'000'000'000)};
    run.balance.waiting_share = 0.23;
    std::string directory = folder / name;
    std::filesystem::create_directories(directory);
    write_result_file(directory + "/load_balancing_info.json", info_json(run));
    return directory;
}

// Behind the title of the table.
std::string table_of(const TemporaryFolder &folder, const std::string &runs, const std::string &page) {
    const std::string file = " --file " + (folder / "history.sqlite");
    REQUIRE(command(folder, "history add " + runs + file).status == 0);
    REQUIRE(command(folder, "history html -o '" + page + "'" + file).status == 0);
    const std::string whole = contents(page);
    CHECK_THAT(whole, Contains("<a href=\"#all-runs\">"));
    const std::size_t table = whole.find("<table id=all-runs>");
    REQUIRE(table != std::string::npos);
    return whole.substr(table, whole.find("</table>", table) - table);
}

} // namespace

TEST_CASE("one row for each run, the newest first, and without a start last") {
    const TemporaryFolder folder;
    const std::string table = table_of(folder,
                                       write_run(folder, "a", "first", "2026-03-01T04:00:00Z", 12) + " " +
                                           write_run(folder, "b", "sec<b>ond", "2026-03-02T04:00:00Z", 8) + " " +
                                           write_run(folder, "c", "never", "", unknown),
                                       folder / "page.html");
    // 24 x 96 / 8 = 288 core hours.
    const std::string second = "<tr><td>2026-03-02T04:00:00Z</td><td>sec&lt;b&gt;ond</td><td>96</td><td>8.000</td>"
                               "<td>288.000</td><td>23.00</td>",
                      first = "<tr><td>2026-03-01T04:00:00Z</td><td>first</td><td>96</td><td>12.000</td>",
                      last = "<tr><td>n/a</td><td>never</td><td>96</td><td>n/a</td><td>n/a</td>";
    REQUIRE_THAT(table, Contains(second) && Contains(first) && Contains(last));
    CHECK(table.find(second) < table.find(first));
    CHECK(table.find(first) < table.find(last));
    CHECK_THAT(table, !Contains("href"));
}

TEST_CASE("a run's name leads to its page, from where the history's page is; a page that is gone has no link") {
    const TemporaryFolder folder;
    const std::string odd = "a b#1?%\xc3\xa4\"<>&'", runs = folder / "runs";
    std::filesystem::create_directories(folder / "pages");
    const std::string one = write_run(folder, "runs/one", "one", "2026-03-01T04:00:00Z", 10),
                      two = write_run(folder, "runs/two", "two", "2026-03-02T04:00:00Z", 10),
                      three = write_run(folder, "runs/x:" + odd, "three", "2026-03-03T04:00:00Z", 10);
    write_result_file(one + page_file, "page");
    write_result_file(three + page_file, "page");
    std::filesystem::create_directories(two + page_file); // no page: a folder of that name
    const std::string quoted = folder / "runs/*";
    const std::string table = table_of(folder, quoted, folder / "pages/history.html");
    CHECK_THAT(table, Contains("<a href=\"../runs/one/load_balancing_report.html\">one</a>"));
    CHECK_THAT(table, Contains("<td>two</td>"));
    CHECK_THAT(table,
               Contains("<a href=\"../runs/x%3Aa%20b%231%3F%25%C3%A4%22%3C%3E%26%27/load_balancing_report.html\">"
                        "three</a>"));
    // Beside the runs.
    CHECK_THAT(table_of(folder, one, runs + "/history.html"),
               Contains("<a href=\"one/load_balancing_report.html\">one</a>"));
    std::filesystem::remove_all(one);
    CHECK_THAT(table_of(folder, two, runs + "/history.html"), Contains("<td>one</td>") && !Contains("\"one/load"));
}

TEST_CASE("an empty history has no table") {
    const TemporaryFolder folder;
    write_result_file(folder / "history.sqlite", "");
    const std::string page = folder / "page.html";
    REQUIRE(command(folder, "history html -o " + page + " --file " + (folder / "history.sqlite")).status == 0);
    CHECK_THAT(contents(page), !Contains("id=all-runs") && !Contains("#all-runs\"") && !Contains("<script"));
}

TEST_CASE("marks of the pictures say which run they are, and lead to its page") {
    const TemporaryFolder folder;
    const std::string one = write_run(folder, "one", "one & only", "2026-03-01T04:00:00Z", 10),
                      two = write_run(folder, "two", "two", "2026-03-02T04:00:00Z", 8), page = folder / "page.html";
    write_result_file(one + page_file, "page");
    static_cast<void>(table_of(folder, one + " " + two, page));
    const std::string whole = contents(page);
    CHECK_THAT(whole, Contains("<a href='one/load_balancing_report.html' tabindex='-1'><circle"));
    CHECK_THAT(whole, Contains("<title>one &amp; only (2026-03-01T04:00:00Z): SYPD, 10.000</title>"));
    CHECK_THAT(whole, Contains("<title>two (2026-03-02T04:00:00Z): SYPD, 8.000</title>") &&
                          !Contains("href='two/load_balancing_report.html'"));
    // Of two runs one is before the step, and one behind it: said below the picture of the speed.
    const std::size_t
        speed = whole.find(">Speed</text>"),
        cost = whole.find(">Cost</text>"),
        why = whole.find(
            "SYPD falls from 10 to 8 with two (2026-03-02T04:00:00Z), but this does not count as a change: "
            "there is only 1 run since then, and three are needed.");
    CHECK((speed < why && why < cost));
    CHECK_THAT(whole, Contains("Changes are not looked for in these figures.")); // of the energy, say
}

TEST_CASE("a long name stands whole in the table") {
    const TemporaryFolder folder;
    const std::string name(120, 'n');
    CHECK_THAT(table_of(folder, write_run(folder, "a", name, "2026-03-01T04:00:00Z", 12), folder / "page.html"),
               Contains("<td>" + name + "</td>"));
}
