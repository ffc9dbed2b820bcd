// cpl-lb balance --html as a user runs it: runs with regions, runs of different lengths, one run, tables.
#include "tests/run/timers/cesm_file.hpp"
#include "tests/svg_boxes.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"

#include <filesystem>
#include <fstream>
#include <utility>

using namespace cpl_lb;
using namespace cpl_lb::test;
using Catch::Contains;

namespace {

using Regions = std::vector<std::pair<std::string, double>>; // name, mean seconds

// 11 steps of 10 s; the ocean computes for the first `ocean_s` of each, the atmosphere on 2 cores for all of it.
std::string write_scaling_run(const TemporaryFolder &folder, const std::string &name, std::int32_t ocean_cores,
                              double ocean_s, const Regions &regions) {
    std::string directory = folder / name;
    std::filesystem::create_directories(directory);
    std::vector<TimelineLiteral> literals = sleepers();
    literals[0].events.clear();
    for (int n = 0; n < 11; ++n)
        literals[0].events.push_back({Kind::put, 1, 2, 10.0 * n + ocean_s, 10.0 * n + 10});
    for (std::int32_t p = 1; p < ocean_cores; ++p)
        literals[0].ranks.push_back(2 + p);
    write_run(directory, literals);
    CoupledRun told = told_run(literals);
    told.run.simulated_s = 86400;
    for (const auto &[region, mean_s] : regions) {
        RegionSummary summary;
        summary.name = region;
        summary.calls = 11;
        summary.processes = ocean_cores;
        summary.min_s = summary.mean_s = summary.max_s = mean_s;
        told.components[0].regions.push_back(summary);
    }
    write_told(directory, told);
    return directory;
}

std::string page_of(const TemporaryFolder &folder, const std::string &arguments) {
    const std::string page = folder / "page.html";
    const Result r = command(folder, "balance " + arguments + " --html " + page);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    return contents(page);
}

// The cells of the rows of that run in the tables of measured times, "1|1|4.000|1.000|100.00".
std::string cells_behind(const std::string &page, const std::string &words) {
    const std::size_t at = page.find("<td>" + words + "</td>");
    if (at == std::string::npos) return "";
    std::string row = page.substr(at, page.find("</tr>", at) - at), cells;
    for (std::size_t cell = row.find("<td>", 4); cell != std::string::npos; cell = row.find("<td>", cell + 1))
        cells += (cells.empty() ? "" : "|") + row.substr(cell + 4, row.find("</td>", cell) - cell - 4);
    return cells;
}

} // namespace

TEST_CASE("components of two runs, the regions that both have, and links to pages that are there") {
    const TemporaryFolder folder;
    const std::string a = write_scaling_run(folder, "a", 1, 6, {{"dynamics", 30}, {"<only> here", 8}}),
                      b = write_scaling_run(folder, "b", 2, 4, {{"dynamics", 20}, {"waiting", 0}});
    std::ofstream(a + "/load_balancing_report.html") << "page";
    const std::string page = page_of(folder, a + " " + b + " --total 5");
    CHECK_THAT(page, Contains(R"(<a href="a/load_balancing_report.html">)"));
    CHECK(count_of(page, "href=") == 3); // in the tables of the ocean, the atmosphere and the ocean's regions
    CHECK_THAT(page, Contains("Seconds of a coupling cycle"));
    // 6 s on 1 core, 4 s on 2: 6 x 1 / (4 x 2) = 75 %, and 1.5 times as fast.
    CHECK(cells_behind(page, b) == "2|1|4.000|1.500|75.00");
    CHECK_THAT(page, Contains(a + ": 1 core, 1 thread for each process, 6.000 s, efficiency 100.00 %</title>"));
    CHECK_THAT(page, Contains(b + ": 2 cores, 1 thread for each process, 4.000 s, efficiency 75.00 %</title>"));
    CHECK_THAT(page, Contains("<h4>dynamics</h4>"));
    CHECK(cells_behind(page, "dynamics") ==
          "<a href=\"a/load_balancing_report.html\">" + a + "</a>|1|1|30.000|1.000|100.00");
    CHECK_THAT(page, Contains(b + ": 2 cores, 1 thread for each process, 20.000 s, efficiency 75.00 %</title>"));
    for (const char *absent : {"only&gt;", "waiting</h4>", "http://www.w3.org/1999", "https:", "src=", "url("})
        CHECK_THAT(page, !Contains(absent));
    CHECK(count_of(page, "<script") == 1); // of all pages: light or dark, and what is wider than the window
    // Two pictures for each component, and two for the region.
    CHECK(count_of(page, "role='img'") == 6);
    // The atmosphere has 2 cores in both runs.
    CHECK_THAT(page, Contains("<h2>atmosphere</h2>\n<p>One count only: no curve.</p>"));
    CHECK(count_of(page, "One count only") == 1);
    // The answer stands above, as on the screen.
    const std::string text = command(folder, "balance " + a + " " + b + " --total 5").output;
    const std::size_t line = text.find(" of 5 cores, ");
    REQUIRE(line != std::string::npos);
    CHECK_THAT(page,
               Contains("<p class=verdict>" + text.substr(line - 1, text.find('\n', line) - line + 1) + "</p>"));
}

TEST_CASE("one run has a point for each component, and no region is drawn") {
    const TemporaryFolder folder;
    const std::string a = write_scaling_run(folder, "a", 1, 6, {{"dynamics", 30}});
    const std::string page = page_of(folder, a + " --total 5");
    CHECK(count_of(page, "<p>One count only: no curve.</p>") == 2);
    CHECK_THAT(page, !Contains("dynamics"));
    CHECK(count_of(page, "<polygon") == 0);
    CHECK(count_of(page, "role='img'") == 4);
    CHECK_THAT(page_of(folder, a + " --total 5 --curves ocean=0.2"),
               Contains("<p>One count only: the curve follows from the share that --curves gives.</p>"));
}

TEST_CASE("a table of times, with a name that is no markup, and one with threads") {
    const TemporaryFolder folder;
    const std::string curves = write_curves(folder, "a&b,1,60\na&b,2,40\na&b,4,25\nocn,1,40\nocn,2,20\nocn,4,10\n");
    const std::string page = page_of(folder, "table --curves " + curves + " --layout 'max(a&b,ocn)' --total 10");
    CHECK_THAT(page, Contains("<h2>a&amp;b</h2>"));
    CHECK_THAT(page, Contains("<th>Seconds</th>"));
    CHECK_THAT(page, Contains(curves + ": 4 cores, 25.000 s, efficiency 60.00 %</title>")); // 60 / (25 x 4)
    CHECK(count_of(page, "<polygon") == 4); // two components, two pictures each
    CHECK_THAT(page, !Contains("href="));
    // 2 processes of 2 threads and 4 of 1 take the same cores. The answer has one of the two.
    const std::string threads =
        write_curves(folder, "atm,1,60,1\natm,4,16,1\natm,1,40,2\natm,2,22,2\nocn,1,40,1\nocn,4,12,1\n",
                     "component,processes,seconds,threads");
    const std::string both = page_of(folder, "table --curves " + threads + " --layout 'max(atm,ocn)' --total 8");
    CHECK_THAT(both, Contains("4 cores, 2 threads for each process, 22.000 s"));
    CHECK_THAT(both, Contains("measured with other threads</li>"));
}

TEST_CASE("runs without timelines, from timers of the model") {
    const TemporaryFolder folder;
    CesmFile small, large;
    for (CesmRow &row : large.rows) { // twice the cores for all, and the ocean is not twice as fast
        row.tasks *= 2;
        row.root *= 2;
        row.run_s /= row.name == "ocn" ? 1.75 : 2;
    }
    large.cores = 192;
    large.run_s = 550;
    large.lid = "31416.host.260103-030405";
    std::ofstream(folder / "small.txt") << small.text();
    std::ofstream(folder / "large.txt") << large.text();
    for (const char *run : {"small", "large"}) {
        const Result made = command(folder, "import timers " + (folder / run) + ".txt -o " + (folder / run));
        INFO(made.errors);
        REQUIRE(made.status == 0);
    }
    const std::string page = page_of(folder, (folder / "small") + " " + (folder / "large") + " --total 160");
    // 700 s on 32 cores, 400 s on 64: 700 x 32 / (400 x 64) = 87.5 %.
    CHECK_THAT(page, Contains((folder / "large") +
                              ": 64 cores, 1 thread for each process, 400.000 s, efficiency 87.50 %</title>"));
    CHECK_THAT(page, Contains("Seconds of a run as long as the first"));
    CHECK_THAT(page, !Contains("nan"));
}

TEST_CASE("a component that computes nothing has no picture, and the page says so") {
    const TemporaryFolder folder;
    const std::string a = write_scaling_run(folder, "a", 1, 0, {});
    const std::string page = page_of(folder, a + " --total 5");
    CHECK_THAT(page, Contains("<p>ocean computes nothing in the coupling loop: there is nothing to draw.</p>"));
    CHECK(count_of(page, "role='img'") == 2);
}

TEST_CASE("a page that cannot be written is told") {
    const TemporaryFolder folder;
    const std::string a = write_scaling_run(folder, "a", 1, 6, {});
    const Result r = command(folder, "balance " + a + " --total 5 --html " + (folder / "none/page.html"));
    CHECK(r.status == 1);
    CHECK_THAT(r.errors, Contains("none/page.html"));
}
