// The adapter for YAC sees every exchange of a model that knows nothing of cpl_lb, and changes nothing. The numbers
// are counted by hand from the double's table of couples and the steps of the models.
#include "adapter_run.hpp"

#include "cpl_lb_yac_config.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace cpl_lb::adapter_tests;

namespace {

// A program for each of air, sea and ice: plain, wrapped or on_shared.
struct Job { // on_older: one function of YAC is missing; opened: with dlopen
    std::string air, sea, ice;
    std::string how;        // "comm": yac_cinit_comm
    bool uncoupled = false; // with a process that YAC does not couple
};

const std::string program = std::string(ADAPTERS_FOLDER) + "/yac_";
const std::string next = " : " ADAPTERS_MPIEXEC_NP " 1 " + program;

Result run(const std::string &environment, const std::string &parts) {
    Result r;
    r.folder = new_folder();
    r.status = std::system(("cd '" + r.folder.string() + "' && " + environment + " " ADAPTERS_MPIEXEC " 1 " +
                            program + parts + " > out 2> err < /dev/null")
                               .c_str());
    return r;
}
Result run(const std::string &environment, const Job &job) {
    return run(environment, job.air + " air " + job.how + next + job.sea + "_sea sea " + job.how + next + job.ice +
                                " ice " + job.how + (job.uncoupled ? next + job.ice + " other" : std::string()));
}

std::vector<std::string> results(const Result &r) {
    std::istringstream out(r.text("out"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(out, line);)
        if (line.rfind("result", 0) == 0) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
}

const std::string on = "CPL_LB_ENABLED=1 ";
const std::string preload = "LD_PRELOAD=" ADAPTERS_YAC_PRELOAD " ";

// 0 to 14,400 s. air, step 1800 s: tau goes to sea at 0, 3600, ..., 14,400 (5) and to ice at 0, 7200, 14,400 (3); the
// last ones are those for the restart. sst, with a lag of one step on both sides, comes at 3600, ..., 14,400 of its
// own dates (4). Nobody waits for the puts but at the end (1).
const Counts air = {{"PART", 1},          {"ENDF", 1},          {"PUT tau > sea", 5},
                    {"PUT tau > ice", 3}, {"GET sst > sea", 4}, {"PUT end of send > sea", 1},
                    {"TERM", 1}};
// On the same process. cloud goes to ice at 0, 7200 and 14,400; step 1 is only counted.
const Counts air_output = {{"PUT cloud > ice", 3}, {"TERM", 1}};
const Counts sea = {{"ENDF", 1}, {"GET tau > air", 5}, {"PUT sst > air", 4}, {"TERM", 1}};
const Counts ice = {{"PART", 1}, {"ENDF", 1}, {"GET tau > air", 3}, {"GET cloud > air_output", 3}, {"TERM", 1}};

std::map<std::string, std::vector<std::int64_t>> dates(const Result &r, const std::string &component) {
    const cpl_lb::TimelineReader reader((r.folder / ("timeline_" + component + ".nc")).string());
    const cpl_lb::TimelineHeader &h = reader.header();
    std::map<std::string, std::vector<std::int64_t>> dates;
    for (const cpl_lb::EventKey &key : h.keys.all()) {
        if (key.field > 0 && key.counterpart > 0) {
            dates[h.field_names[static_cast<std::size_t>(key.field) - 1] + " > " +
                  h.component_names[static_cast<std::size_t>(key.counterpart) - 1]]
                .push_back(key.date);
        }
    }
    return dates;
}

void check(const Result &r, const std::vector<std::string> &plain) {
    INFO(r.text("err"));
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    CHECK(results(r) == plain);
    CHECK(r.counts("air") == air);
    CHECK(r.counts("air_output") == air_output);
    CHECK(r.counts("sea") == sea);
    CHECK(r.counts("ice") == ice);
}

} // namespace

TEST_CASE("YAC: static with --wrap, and shared with LD_PRELOAD, in C and Fortran") {
    const Result plain = run("", {"plain", "plain", "plain", ""});
    REQUIRE(plain.status == 0);
    REQUIRE(results(plain).size() == 3);
    for (const char *how : {"", "comm"}) {
        INFO(how);
        check(run(on, {"wrapped", "wrapped", "wrapped", how}), results(plain));
        check(run(on + preload, {"on_shared", "on_shared", "on_shared", how}), results(plain));
    }
}

TEST_CASE("YAC: a version without one of the questions is not recorded, and one line names it") {
    const Result plain = run("", {"plain", "plain", "plain", ""});
    const Result r = run(on, {"on_older", "on_older", "on_older", ""});
    CHECK(r.status == 0);
    CHECK(results(r) == results(plain));
    CHECK(lines_of_cpl_lb(r.text("err")) == 1);
    CHECK(r.text("err").find("this version of YAC has no yac_cget_role_from_field_id") != std::string::npos);
    CHECK(!std::filesystem::exists(r.folder / "load_balancing_info.txt"));
}

// Python opens YAC so that only the model sees it: the adapter finds it all the same.
TEST_CASE("YAC: opened by the model with RTLD_LOCAL") {
    const Result plain = run("", {"plain", "plain", "plain", ""});
    check(run(on + preload, {"opened", "opened", "opened", ""}), results(plain));
    const Result off = run("CPL_LB_ENABLED=0 " + preload, {"opened", "opened", "opened", ""});
    CHECK(off.status == 0);
    CHECK(lines_of_cpl_lb(off.text("err")) == 0);
    CHECK(results(off) == results(plain));
}

// A date is that of the model: the lag of a field is taken away. 14,400 s from the 28th of February, 22:00, to the
// 29th, 02:00.
TEST_CASE("YAC: dates and the simulated time are YAC's") {
    const Result r = run(on, {"wrapped", "wrapped", "wrapped", ""});
    REQUIRE(r.status == 0);
    auto at = dates(r, "air");
    CHECK(at["tau > sea"] == std::vector<std::int64_t>{0, 3600, 7200, 10800, 14400});
    CHECK(at["tau > ice"] == std::vector<std::int64_t>{0, 7200, 14400});
    CHECK(at["sst > sea"] == std::vector<std::int64_t>{1800, 5400, 9000, 12600});
    at = dates(r, "sea");
    CHECK(at["sst > air"] == std::vector<std::int64_t>{0, 3600, 7200, 10800});
    const cpl_lb::TimelineReader reader((r.folder / "timeline_air.nc").string());
    CHECK(reader.header().simulated_s == 14400.0);
}

// 4 calls of exchange, 0 to 5400 s. stress goes to wave with a lag of one step and to drift with none, so that YAC
// gives its date one step ahead, and the adapter cannot tell; height has no lag.
TEST_CASE("YAC: the put and the get of one exchange have their own dates") {
    const Result plain = run("", "plain wind" + next + "plain wave");
    const Result r = run(on, "wrapped wind" + next + "wrapped wave");
    INFO(r.text("err"));
    REQUIRE(r.status == 0);
    CHECK(results(r) == results(plain));
    auto at = dates(r, "wind");
    CHECK(at["stress > wave"] == std::vector<std::int64_t>{1800, 3600, 5400, 7200});
    CHECK(at["stress > drift"] == std::vector<std::int64_t>{1800, 3600, 5400, 7200});
    CHECK(at["height > wave"] == std::vector<std::int64_t>{0, 1800, 3600, 5400});
    at = dates(r, "wave");
    CHECK(at["stress > wind"] == std::vector<std::int64_t>{0, 1800, 3600, 5400});
    CHECK(at["height > wind"] == std::vector<std::int64_t>{0, 1800, 3600, 5400});
}

// yac_cinit makes a group of those that take part: a process that does not is not waited for.
TEST_CASE("YAC: a process that is not coupled") {
    const Result plain = run("", {"plain", "plain", "plain", "", true});
    check(run(on, {"wrapped", "wrapped", "wrapped", "", true}), results(plain));
    check(run(on + preload, {"on_shared", "on_shared", "on_shared", "", true}), results(plain));
}

TEST_CASE("YAC: switched off, nothing is written and the result is the same") {
    const Result plain = run("", {"plain", "plain", "plain", ""});
    for (const Result &r : {run("", {"wrapped", "wrapped", "wrapped", ""}),
                            run(preload, {"on_shared", "on_shared", "on_shared", ""})}) {
        CHECK(r.status == 0);
        CHECK(results(r) == results(plain));
        CHECK(!std::filesystem::exists(r.folder / "load_balancing_info.txt"));
    }
}

TEST_CASE("YAC: any of the executables may lack the adapter") {
    const Result plain = run("", {"plain", "plain", "plain", ""});
    for (int with = 1; with < 7; ++with) {
        const auto kind = [&](int bit) { return std::string((with & bit) != 0 ? "wrapped" : "plain"); };
        const Result r = run(on + "CPL_LB_TIMEOUT=1", {kind(1), kind(2), kind(4), ""});
        INFO("with " << with << ": " << r.text("err"));
        REQUIRE(r.status == 0);
        CHECK(results(r) == results(plain));
        CHECK(r.text("err").find("did not come to cpl_lb_init") != std::string::npos);
        if ((with & 1) != 0) CHECK(r.counts("air")["PUT tau > sea"] == 5);
        if ((with & 2) != 0) CHECK(r.counts("sea") == sea);
        if ((with & 4) != 0) CHECK(r.counts("ice")["GET cloud > air_output"] == 3);
    }
}

TEST_CASE("YAC's dates, by calendar") {
    using cpl_lb::adapter::yac::seconds_of;
    const auto days = [](const char *from, const char *to, int calendar) {
        return (seconds_of(to, calendar).value() - seconds_of(from, calendar).value()) / 86400.0;
    };
    // Leap years: 2000 and 2004 are, 1900 is not; 365 days or 360 each in the others.
    CHECK(days("2000-02-28T00:00:00.000", "2000-03-01T00:00:00.000", 1) == 2.0);
    CHECK(days("1900-02-28T00:00:00", "1900-03-01T00:00:00", 1) == 1.0);
    CHECK(days("1900-02-28T00:00:00", "1900-03-01T00:00:00", 3) == 3.0);
    CHECK(days("2000-02-28T00:00:00", "2000-03-01T00:00:00", 2) == 1.0);
    CHECK(days("2000-01-01T00:00:00", "2001-01-01T00:00:00", 1) == 366.0);
    CHECK(days("2000-01-01T00:00:00", "2001-01-01T00:00:00", 2) == 365.0);
    CHECK(days("2000-01-01T00:00:00", "2001-01-01T00:00:00", 3) == 360.0);
    // 400 years have 97 leap days; the years before 1, too.
    CHECK(days("-0400-01-01T00:00:00", "0000-01-01T00:00:00", 1) == 400 * 365 + 97);
    CHECK(days("2000-12-31T18:30:00.500", "2001-01-01T00:00:00.500", 1) == 5.5 / 24.0);
    for (const char *wrong : {"", "now", "2000-13-01", "2000-", "2000-01-01T00:00:1e300"})
        CHECK(!seconds_of(wrong, 1).has_value());
}

TEST_CASE("YAC's durations") {
    using cpl_lb::adapter::yac::milliseconds_of;
    CHECK(milliseconds_of("PT30M") == 1800000);
    CHECK(milliseconds_of("P01DT02H") == 93600000); // 86,400 + 7200 s
    CHECK(milliseconds_of("PT0.500S") == 500);
    CHECK(milliseconds_of("-PT1M") == -60000);
    CHECK(milliseconds_of("P0Y0M1D") == 86400000);
    for (const char *unknown : {"P1M", "P1Y", "", "1800", "P", "PT5", "PTxS"}) {
        INFO(unknown);
        CHECK((std::string(unknown) == "P" ? milliseconds_of(unknown) == 0 : !milliseconds_of(unknown).has_value()));
    }
}

TEST_CASE("YAC's configuration") {
    using namespace cpl_lb::adapter::yac;
    std::vector<Couple> couples;
    read_couples(R"({"coupling": [{"src_component": "a \"b\"", "tgt_component": "c", "src_grid": "one",
        "field": ["x", {"src": "y", "tgt": "z"}], "coupling_period": "P1M", "src_lag": -2},
        {"src_component": "a \"b\"", "tgt_component": "c", "src_grid": "two", "field": "x"}]})",
                 couples);
    REQUIRE(couples.size() == 3);
    CHECK(couples[0].source.component == "a \"b\"");
    CHECK(couples[0].source_lag == -2);
    CHECK(!couples[0].period_ms.has_value());
    CHECK(couples[1].target.field == "z");
    // x goes from two grids to the same component: the grid tells them apart.
    CHECK(exchange_name(couples[0], couples) == "one/x");
    CHECK(exchange_name(couples[1], couples) == "y");
    const std::string deep(1000, '[');
    for (const char *broken :
         {"", "{", R"({"coupling": [{"field")", R"({"coupling": )", "coupling: none", deep.c_str()}) {
        std::vector<Couple> none;
        read_couples(broken, none);
        CHECK(none.empty());
    }
}
