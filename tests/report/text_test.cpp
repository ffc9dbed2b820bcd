// load_balancing_info.txt and the screen: the paper's layout, every figure where it belongs.
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/text_summary.hpp"
#include "tests/report/example_run.hpp"
#include "tests/report/golden.hpp"

#include <algorithm>
#include <sstream>

using namespace cpl_lb;
using test::appendix3;

namespace {

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

const std::vector<std::string> files = {"load_balancing_info.txt", "load_balancing_info.json", "timeline_ocean.nc",
                                        "timeline_atmosphere.nc", "timeline_ioserver.nc"};

} // namespace

TEST_CASE("the verdict and the table that matters are on 40 lines, and nothing is wider than a terminal") {
    const std::vector<std::string> lines = lines_of(text_summary(appendix3()));
    const auto table = std::find_if(lines.begin(), lines.end(),
                                    [](const std::string &line) { return line.starts_with("atmosphere      "); });
    CHECK(table - lines.begin() < 40);
    for (const std::string &line : lines) {
        INFO(line);
        CHECK(display_columns(line) <= 80);
    }
}

// Scripts of OASIS's users look for these words; elsewhere there is no oasis_get.
TEST_CASE("oasis_get is named in runs with OASIS only") {
    CoupledRun run = appendix3();
    CHECK_THAT(text_summary(run), Catch::Contains("Specific oasis_get time\n(n/a if no oasis_get)\nfrom model"));
    run.run.coupler.clear();
    CHECK_THAT(text_summary(run), !Catch::Contains("oasis_get"));
    CHECK_THAT(text_summary(run), Catch::Contains("Specific GET time\n(n/a if no GET)\nfrom model"));
}

TEST_CASE("golden summaries") {
    test::check_golden("text_summary_appendix3", text_summary(appendix3()));
    test::check_golden("screen_summary_appendix3", screen_summary(appendix3(), "results", files));
    test::check_golden("text_summary_nothing", text_summary(CoupledRun{}));
}

TEST_CASE("a few components fit one screen of 80 x 24") {
    const std::vector<std::string> lines = lines_of(screen_summary(appendix3(), "results", files));
    CHECK(lines.size() <= 24);
    for (const std::string &line : lines) {
        INFO(line);
        CHECK(display_columns(line) <= 80);
    }
}

TEST_CASE("many components, many files") {
    CoupledRun run = appendix3();
    run.run.members = "none"; // else they are one row
    std::vector<std::string> many_files;
    for (std::int32_t id = 4; id <= 120; ++id) {
        run.component_names.push_back("member" + std::to_string(id));
        run.components.push_back(test::component(run.component_names.back(), id, 125 + id, 1, 1'000'000'000));
        run.components.back().balance = test::balance(9, 1, {{2, 1, 0}});
        many_files.push_back("timeline_member" + std::to_string(id) + ".nc");
    }
    const std::string screen = screen_summary(run, ".", many_files);
    CHECK(lines_of(screen).size() <= 32);
    CHECK_THAT(screen, Catch::Contains("... and 110 more components"));
    CHECK_THAT(screen, Catch::Contains("ocean ")); // those with the most core time stay
    CHECK_THAT(text_summary(run), Catch::Contains("member120"));
}

TEST_CASE("no names, no figures, nothing at all") {
    CHECK_THAT(screen_summary(CoupledRun{}, "", {}), Catch::Contains("No component was recorded."));
    CoupledRun run;
    run.components.resize(2);
    CHECK_THAT(text_summary(run), Catch::Contains("n/a"));
    CHECK_THAT(text_summary(run), !Catch::Contains("nan"));
}

TEST_CASE("the CPMIP table has each missing row once, with its reason") {
    const std::string text = cpmip_text(appendix3());
    CHECK_THAT(text, Catch::Contains("2.850  simulated years / day"));
    CHECK_THAT(text, Catch::Contains("12.500  %"));
    CHECK_THAT(text, Catch::Contains("n/a: Complexity V, Degrees of freedom F (needs cpl_lb_set_complexity"));
    CoupledRun nothing;
    std::string none = cpmip_text(nothing);
    std::replace(none.begin(), none.end(), '\n', ' '); // it is wrapped
    CHECK_THAT(none, Catch::Contains("n/a: Speed SYPD, Actual speed ASYPD, Cost CHSY, Energy JPSY, Measured energy "
                                     "AJPSY, Data intensity (the simulated time was not given: give it to "
                                     "cpl_lb_terminate or in CPL_LB_SIMULATED)"));
    CHECK(cpmip_rows(nothing).size() == 14);
}
