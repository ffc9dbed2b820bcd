// Models and surroundings that do something wrong, in real MPI runs: one line says so, and what was recorded is kept.
#include "run_scenario.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using scenario::run;

TEST_CASE("every wrong call: one line, a code, and nothing already recorded is lost") {
    const auto r = run("wrong_calls", 1);
    REQUIRE(r.exit_code == 0);
    const std::map<double, std::vector<std::string>> expected = {
        {-1,
         {"before_mpi", "field_before", "terminate_before", "init_twice", "component_end", "terminate_twice",
          "field_after", "after_finalize", "terminate_after_finalize"}},
        {-2,
         {"init_unnamed", "field_set_unknown", "region_null", "component_null", "grid", "cell", "complexity", "state",
          "output", "length"}},
        {1, {"field", "field_again"}},
        {2, {"field_other"}}};
    for (const auto &[code, names] : expected) {
        for (const std::string &name : names) {
            INFO(name);
            CHECK(r.said.at(name) == code);
        }
    }
    CHECK(r.said.at("terminate") < 0);
    CHECK(r.complaints_with("unknown kind 77") == 1); // three begins and a -1: one line
    CHECK(r.complaints_with("(4 times") == 1);
    CHECK(r.complaints_with("unknown field 1234") == 1); // a begin and an end
    CHECK(r.complaints_with("end without begin, for example GET of field 'F'") == 1);
    CHECK(r.complaints_with("begin without end, for example MAP of field 'F': closed at terminate") == 1);
    CHECK(r.complaints_with("called twice") == 2); // init, and terminate
    // The four PUT, the forgotten MAP and TERM.
    const auto t = scenario::timeline(r, "_unnamed_");
    CHECK(scenario::kind_count_of(t, cpl_lb::Kind::put) == 4);
    CHECK(scenario::kind_count_of(t, cpl_lb::Kind::map) == 1);
    CHECK(scenario::kind_count_of(t, cpl_lb::Kind::get) == 0);
}

TEST_CASE("switched off: ids are 1, nothing is said, no file is left") {
    const auto r = run("switched_off", 2, "", false);
    REQUIRE(r.exit_code == 0);
    for (const char *id : {"field", "field_null", "region"})
        CHECK(r.said.at(id) == 1);
    for (const char *code : {"init", "enabled", "component_end", "grid", "terminate"})
        CHECK(r.said.at(code) == 0);
    CHECK(r.complaints.empty());
    CHECK(!r.has("load_balancing_info.txt"));
}

TEST_CASE("a malformed namelist: one line with file, line and name, and switched off") {
    const auto folder = std::filesystem::temp_directory_path() / "cpl_lb_bad_namelist";
    std::ofstream(folder) << "&namcpl_lb\n ln_lb = .true.\n nn_max_mb = 'abc'\n/\n";
    const auto r = run("dated", 2, "CPL_LB_NAMELIST=" + folder.string(), false);
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.size() == 1);
    CHECK(r.complaints_with("cpl_lb_bad_namelist:3: nn_max_mb") == 1);
    CHECK(!r.has("load_balancing_info.txt"));
}

TEST_CASE("a slice in which no date lies is an error, and said so") {
    const auto r = run("dated", 2, "CPL_LB_DATE_FIRST=2000");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("code") == -10);
    CHECK(r.complaints.size() == 1);
    CHECK(r.complaints_with("no date that the model gave lies in the slice, from 2000 s to the end") == 1);
    CHECK(r.component("ocean").at("loop_s").is_null());
}

TEST_CASE("a directory that cannot be made: one line, not one for each file") {
    const auto r = run("interleaved", 4, "CPL_LB_DIR=/proc/nowhere");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
    CHECK(r.complaints.size() == 1);
    CHECK(r.complaints_with("/proc/nowhere: cannot create the directory: No such file or directory: no results are "
                            "written (on process 0, even)") == 1);
    CHECK(r.output.find("Files in") == std::string::npos);
}

TEST_CASE("a file in the place of the directory") {
    const auto r = run("dated", 2, "CPL_LB_DIR=stderr");
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("code") == -6);
}

TEST_CASE("a slice without dates is an error, and said so") {
    const auto r = run("undated", 1, "CPL_LB_DATE_FIRST=20");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("code") < 0);
    CHECK(r.complaints_with("the model gave no dates") == 1);
}

TEST_CASE("the memory bound: the newest events are dropped, counted, reported") {
    const auto r = run("overflow", 1, "CPL_LB_MAX_MB=1");
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    // A fifth of 1 MiB is for marks, but at least one chunk of 65,536 words, which begins with 2 words of time:
    // 65,534 words = 32,767 events. Terminate has room for as many (1 MiB / 80 = 13,107) only where begins do not
    // end.
    CHECK(ocean.at("events") == 32768); // and TERM
    CHECK(ocean.at("dropped_events") == 200000 - 32767);
    CHECK(r.complaints_with("1 MiB (nn_max_mb)") == 1);
    CHECK(r.said.at("code") == -9);
}

TEST_CASE("10^8 events under a bound of 64 MiB: the run ends well and says what was dropped") {
    const auto r = run("overflow", 1, "EVENTS=100000000 CPL_LB_MAX_MB=64 CPL_LB_REPORT=0");
    REQUIRE(r.exit_code == 0);
    // A fifth of 64 MiB = 25 chunks of 65,536 words, each with 2 words of time: 25 x 65,534 / 2 = 819,175 events, and
    // TERM.
    CHECK(r.component("ocean").at("events") == 819'176);
    CHECK(r.component("ocean").at("dropped_events") == 100'000'000 - 819'175);
    CHECK(r.complaints_with("64 MiB (nn_max_mb)") == 1);
    CHECK(r.said.at("code") == -9);
}

TEST_CASE("calls from other threads are counted, never recorded") {
    const auto r = run("threads", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.component("ocean").at("events") == 101);
    CHECK(r.said.at("refused") == 5); // a field, a region, a component, a grid, terminate
    // 2 processes x (3 threads x 100 x (begin and end), and all of the five but terminate)
    CHECK(r.complaints_with("(1208 times") == 1);
}

TEST_CASE("a simulated time that is none is refused in a line, and no figure is infinite") {
    const auto r = run("odd_times", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("refused") == 5);
    CHECK(r.said.at("ended") == -2); // CPL_LB_EARGUMENT
    CHECK(r.complaints_with("simulated_seconds must be 0, or a number from 1e-9 to 1e18: taken as 0") == 2);
    CHECK(r.info().at("run").at("simulated_s").is_null());
    const std::string text = scenario::slurp(r.folder / "load_balancing_info.txt");
    CHECK(text.find("SYPD") != std::string::npos);
    for (const char *infinite : {" inf ", " inf\n", "-inf"})
        CHECK(text.find(infinite) == std::string::npos);
}

// 100 steps, and for the date two more values: 5 mistakes, each a line on each process, and one for the run at the
// end. The 103 events are kept: 100 without a date, because all before were refused, and one with each of the last
// three.
TEST_CASE("the same mistake with another value in each step: a line at the first, and one with the count") {
    const auto r = run("same_mistakes", 2);
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("refused") == 400);
    CHECK(r.complaints.size() == 5 * (2 + 1));
    for (const char *first : {"region 'dynamics': flops = '0*': position 3", "there is no region 1000",
                              "parameter 'residual_0': the value", "'it's 0' cannot be a parameter's name"})
        CHECK(r.complaints_with(first) == 2);
    for (const char *cause : {"region '...': flops = '...': position ...", "there is no region ...",
                              "parameter '...': the value", "'...' cannot be a parameter's name"})
        CHECK(r.complaints_with(cause) == 1);
    CHECK(r.complaints_with("(200 times on 2 of 2 processes, first 0, ocean)") == 4);
    CHECK(r.complaints_with("cpl_lb_date: more than 9e15 seconds") == 2);
    CHECK(r.complaints_with("(204 times on 2 of 2 processes, first 0, ocean)") == 1);
    const auto t = scenario::timeline(r, "ocean"); // throws for a date that no reader takes
    CHECK(scenario::kind_count_of(t, cpl_lb::Kind::get) == 103);
    std::vector<std::int64_t> dates;
    for (std::size_t i = 0; i < t.header.keys.size(); ++i)
        if (t.header.keys[i].kind == cpl_lb::Kind::get) dates.push_back(t.header.keys.date(i));
    REQUIRE(dates.size() == 103);
    CHECK(std::count(dates.begin(), dates.end(), cpl_lb::no_date) == 100);
    CHECK(std::count(dates.begin(), dates.end(), -9'000'000'000'000'000) == 1);
    CHECK(std::count(dates.begin(), dates.end(), 9'000'000'000'000'000) == 1);
    CHECK(std::count(dates.begin(), dates.end(), 0) == 1);
}

TEST_CASE("a process that never comes to terminate") {
    const auto r = run("missing", 3, "CPL_LB_TIMEOUT=1");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("terminate") == -5);
    CHECK(r.said.at("waited") < 5.0);
    CHECK(r.complaints_with("1 of last") == 1);
    CHECK(r.has("timeline_first.nc"));
    CHECK(!r.has("timeline_last.nc"));
    CHECK(r.info().at("components").size() == 2);
}

TEST_CASE("rank 0 never comes to terminate: the next takes its place") {
    const auto r = run("missing", 3, "CPL_LB_TIMEOUT=1 MISSING=0");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("waited") < 5.0);
    CHECK(r.complaints_with("1 of first") == 1);
    CHECK(r.info().at("components").size() == 2);
    CHECK(r.has("timeline_middle.nc"));
}

TEST_CASE("a process that comes too late") {
    const auto r = run("too_late", 3, "CPL_LB_TIMEOUT=1");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("late") == -5);
    CHECK(r.complaints_with("too late") == 1);
    CHECK(r.info().at("components").size() == 1);
}

TEST_CASE("a process that never comes to init: the others record without it") {
    const auto r = run("no_init", 3, "CPL_LB_TIMEOUT=1");
    REQUIRE(r.exit_code == 0);
    CHECK(r.said.at("init") == 0);
    CHECK(r.said.at("enabled") == 1);
    CHECK(r.said.at("terminate") == 0);
    CHECK(r.complaints_with("1 of 3 processes did not come to cpl_lb_init (rank 2)") == 1);
    CHECK(r.info().at("run").at("processes") == 2);
}

TEST_CASE("MPI_COMM_NULL: one line, and switched off") {
    const auto r = run("null_communicator", 1);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("init_null") == -2);
    CHECK(r.said.at("terminate") == 0);
    CHECK(r.complaints.size() == 1);
    CHECK(r.complaints_with("MPI_COMM_NULL: switched off here") == 1);
}

TEST_CASE("a model that forgets terminate is told so, once") {
    const auto r = run("no_terminate", 2);
    CHECK(r.exit_code == 0);
    CHECK(r.complaints ==
          std::vector<std::string>{"cpl_lb: the model ended without cpl_lb_terminate: no results. Call "
                                   "it before MPI_Finalize"});
    CHECK(run("no_terminate", 2, "", false).complaints.empty());
    const auto spooled = run("no_terminate", 1, "CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=.");
    CHECK(spooled.complaints_with("cpl-lb recover makes results from them") == 1);
    CHECK(run("imbalance", 2).complaints_with("without cpl_lb_terminate") == 0);
}

TEST_CASE("a thread that calls until after terminate") {
    const auto r = run("threads_to_the_end", 2);
    CHECK(r.exit_code == 0);
    CHECK(scenario::timeline(r, "ocean").header.keys.size() == 1001); // of the first thread alone, and TERM
    CHECK(r.complaints_with("calls from threads other than that of cpl_lb_init") == 1);
}
