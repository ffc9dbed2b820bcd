// From timers to a run: files that are joined, figures that follow, and what stays unknown.
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/timers/import_timers.hpp"
#include "run/timers/timed_run.hpp"
#include "tests/run/timers/cesm_file.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

TimedRun two_components() {
    TimedRun run;
    run.id = "one";
    run.of = "job 1";
    run.loop_s = {100, "loop"};
    TimedComponent ocean, ice;
    ocean.name = "ocean";
    ocean.processes = 4;
    ocean.threads = 1;
    ocean.computing_s = {90, "ocean clock"};
    ice.name = "ice";
    ice.processes = 2;
    ice.threads = 3;
    ice.computing_s = {30, "ice clock"};
    ice.waiting_s = {60, "ice wait"};
    ice.waits = {{"ocean", {60, "ice wait"}}};
    run.components = {ocean, ice};
    return run;
}

} // namespace

TEST_CASE("processes that no file places follow each other") {
    const CoupledRun run = run_of_timers(two_components());
    REQUIRE(run.components.size() == 2);
    CHECK(run.components[0].ranks == std::vector<std::int32_t>{0, 1, 2, 3});
    CHECK(run.components[1].ranks == std::vector<std::int32_t>{4, 5});
    CHECK(run.run.cores == 10); // 4 + 2 x 3
    CHECK(run.components[1].balance.coupling_cost == 0.6);
    REQUIRE(run.components[1].balance.waiting_for.size() == 1);
    CHECK(run.components[1].balance.waiting_for[0].component == 1);
    CHECK(std::isnan(run.run.wall_s)); // neither start-up nor shut-down is known
    TimedRun no_threads = two_components();
    no_threads.components[0].threads = 0;
    CHECK(run_of_timers(no_threads).run.cores == 0); // nobody knows how many cores its processes had
    CHECK(std::isnan(run.components[0].wall_s()));
    CHECK(std::isnan(run.cpmip.sypd));
    CHECK_FALSE(run.balance.why_no_path.empty()); // no layout
    CHECK(run.balance.slow_side == 0);
}

TEST_CASE("files of one run are joined, others are not") {
    TimedRun first = two_components(), second, other = two_components();
    first.components[0].computing_s = {};
    second.of = "job 1";
    second.cores = {16, "nodes"};
    TimedComponent ocean;
    ocean.name = "ocean";
    ocean.processes = 99; // known from the first
    ocean.computing_s = {91, "second file"};
    ocean.parts = {{"dynamics", 0, 0, 1, 2, 3, "clock"}};
    second.components = {ocean};
    other.of = "";
    const std::vector<TimedRun> runs = joined_runs({first, second, other});
    REQUIRE(runs.size() == 2);
    const CoupledRun run = run_of_timers(runs[0]);
    CHECK(run.run.cores == 16);
    CHECK(run.components[0].ranks.size() == 4);
    CHECK(run.components[0].balance.computing_s == 91);
    REQUIRE(run.components[0].regions.size() == 1);
    CHECK(run.components[0].regions[0].mean_s == 2);
}

TEST_CASE("members of an ensemble that began in the same second stay apart") {
    TimedRun a = two_components(), b = two_components(), statistics;
    a.leads = b.leads = true;
    a.id = "member 1";
    b.id = "member 2";
    statistics.id = "statistics";
    statistics.of = a.of;
    const std::vector<TimedRun> apart = joined_runs({a, statistics, b});
    REQUIRE(apart.size() == 3); // nobody knows whose the statistics are
    CHECK(apart[0].id == "member 1");
    CHECK(apart[2].id == "member 2");
    CHECK(joined_runs({a, statistics}).size() == 1);
}

TEST_CASE("what cannot be is told, and is no figure") {
    TimedRun run = two_components();
    run.components[1].computing_s = {-5, "loop - exchanges"};
    const CoupledRun negative = run_of_timers(run);
    CHECK(std::isnan(negative.components[1].balance.computing_s));
    REQUIRE_FALSE(negative.remarks.empty());
    CHECK(negative.remarks[0].find("loop - exchanges: -5, and it cannot be below 0") == 0);
    run = two_components();
    run.layout = "ocean+ice"; // 90 + 30 in a loop of 100
    run.layout_rules = "rules";
    const CoupledRun too_long = run_of_timers(run);
    CHECK_FALSE(too_long.balance.why_no_path.empty());
    CHECK(std::isnan(too_long.components[0].balance.critical_share));
    CHECK(too_long.remarks.at(0).find("the longest path is 120 s, and the loop 100 s") != std::string::npos);
    run = two_components();
    run.components[0].processes = 10'000'001;
    CHECK_THROWS_WITH(run_of_timers(run), Catch::Contains("more than 10000000 processes"));
}

TEST_CASE("results of a recorded run are not replaced, and a file counts once") {
    const TemporaryFolder folder, recorded;
    const std::string file = write(folder, "a", CesmFile().text());
    write(recorded, "timeline_ocean.nc", "");
    TimerImportOptions options;
    options.output = recorded.path();
    CHECK_THROWS_WITH(import_timers({file}, options), Catch::Contains("holds timeline_ocean.nc, of another run"));
    options.output = folder / "out";
    const ImportedTimers twice = import_timers({file, folder.path() + "/./a"}, options);
    CHECK(twice.runs.size() == 1);
    REQUIRE(twice.refused.size() == 1);
    CHECK(twice.refused[0].find("is named twice") != std::string::npos);
}

TEST_CASE("json and back keep figures, sources and layout") {
    TimedRun timed = two_components();
    timed.loop_s = {120, "loop"};
    timed.layout = "ocean+ice";
    timed.layout_rules = "rules";
    const CoupledRun before = run_of_timers(timed);
    CHECK(before.balance.on_path_s == 120);
    const CoupledRun after = run_from_json("memory", info_json(before));
    CHECK(after.from_timers());
    CHECK(after.run.layout == "ocean+ice");
    REQUIRE(after.sources.size() == before.sources.size());
    CHECK(after.sources[0].from == before.sources[0].from);
    CHECK(std::isnan(after.components[0].wall_s()));
    CHECK(after.components[1].balance.waiting_s == 60);
    CHECK(after.run.origin == Origin::imported);
}

TEST_CASE("the text claims nothing that timers do not tell") {
    const std::string text = text_summary(run_of_timers(two_components()));
    CHECK(text.find("imported from its model's own timers") != std::string::npos);
    CHECK(text.find("ice waits 60 % of the loop, by its own timers.") != std::string::npos);
    CHECK(text.find("bottleneck") == std::string::npos);
    CHECK(text.find("Clock: ") == std::string::npos);
    CHECK(text.find("ice wait") != std::string::npos); // the source
    const std::string no_length = "Its timers do not tell how long it simulated";
    CHECK(text.find(no_length) != std::string::npos);
    TimedRun timed = two_components();
    timed.simulated_s = {86400, "--simulated"};
    CHECK(text_summary(run_of_timers(timed)).find(no_length) == std::string::npos);
}

TEST_CASE("many files, one of them damaged") {
    const TemporaryFolder folder;
    CesmFile one, other;
    other.lid = "27182.host.260103-030405";
    const std::string a = write(folder, "a", one.text()), b = write(folder, "b", other.text());
    const std::string bad = write(folder, "bad", one.text().substr(0, 900));
    TimerImportOptions options;
    options.output = folder / "out";
    const ImportedTimers imported = import_timers({a, bad, b}, options);
    REQUIRE(imported.runs.size() == 2);
    REQUIRE(imported.refused.size() == 1);
    CHECK(imported.refused[0].find("bad: line ") != std::string::npos);
    for (const ImportedTimers::Run &run : imported.runs)
        CHECK(std::filesystem::is_regular_file(run.folder + "/load_balancing_info.json"));
    // The good one of two stands where it will stand when the other is mended.
    options.output = folder / "again";
    const ImportedTimers first = import_timers({a, bad}, options), both = import_timers({a, b}, options);
    REQUIRE(first.runs.size() == 1);
    CHECK(first.runs[0].folder == both.runs[0].folder);
    CHECK_FALSE(std::filesystem::exists(folder / "again/load_balancing_info.json"));
    CHECK_THROWS_WITH(import_timers({bad}, options), Catch::Contains("line "));
    const std::string unknown_kind = write(folder, "c", "nothing\n");
    CHECK_THROWS_WITH(import_timers({unknown_kind}, options), Catch::Contains("--kind says which they are: "));
    options.kind = "abacus";
    CHECK_THROWS_WITH(import_timers({a}, options), Catch::Contains("no such timers"));
}

TEST_CASE("a file of a usual name gives the run the name of its folder") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "piControl");
    std::filesystem::create_directory(folder / "historical");
    const std::string text = "tmin tmax tavg tstd tfrac\nTotal runtime 9.0 9.0 9.0 0.0 1.0\n"
                             "Ocean 8.0 8.0 8.0 0.0 0.9\nhigh water mark\n";
    TimerImportOptions options;
    options.output = folder / "out";
    const ImportedTimers imported = import_timers(
        {write(folder, "piControl/log", text), write(folder, "historical/log", text), write(folder, "ice.txt", text)},
        options);
    REQUIRE(imported.runs.size() == 3);
    CHECK(imported.runs[0].run.run.id == "piControl");
    CHECK(imported.runs[1].run.run.id == "historical");
    CHECK(imported.runs[2].run.run.id == "ice.txt");
    CHECK(std::filesystem::is_directory(folder / "out/historical"));
}

TEST_CASE("--cores are those of the whole run") {
    const TemporaryFolder folder;
    // A model alone, without the driver's timers: 6 tasks with two threads each.
    const std::string text = "\n***** GLOBAL STATISTICS (     6 MPI TASKS) *****\n\n"
                             "name processes threads count walltotal wallmax (proc thrd ) wallmin (proc thrd )\n"
                             "\"step\" 6 12 600 1200 110.0 ( 1 0) 90.0 ( 2 0)\n\n";
    TimerImportOptions options;
    options.output = folder / "out";
    const std::string alone = write(folder, "model_timing_stats", text),
                      coupled = write(folder, "cesm", CesmFile().text());
    const CoupledRun part = import_timers({alone}, options).runs.at(0).run;
    CHECK(part.run.cores == 12);
    REQUIRE(part.remarks.size() == 1);
    CHECK_THAT(part.remarks[0], Catch::StartsWith("Cores and cost are those of model alone"));
    options.cores = 100;
    const CoupledRun whole = import_timers({alone}, options).runs.at(0).run;
    CHECK(whole.run.cores == 100);
    CHECK(whole.remarks.empty());
    const CoupledRun costly = import_timers({coupled}, options).runs.at(0).run;
    CHECK(costly.run.cores == 100);
    CHECK(costly.cpmip.chsy * costly.cpmip.sypd == Approx(2400.0)); // 100 cores x 24 hours
}
