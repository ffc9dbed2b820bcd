// Everything that the library holds at any moment, on every process: at most 1.5 times nn_max_mb and 4 MiB, beside
// what a run of one event takes. Each case records far more than the bound holds, or just as much, in a way of its
// own.
#include "run_scenario.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using scenario::run;

static const scenario::Program program("scenarios");

namespace {

constexpr int bound_MiB = 16;
constexpr long mark_bytes = bound_MiB * 1024L * 1024 / 5; // of the bound, while the model runs

double grown(const std::string &model, long events, const std::string &more = "") {
    const auto r =
        run(model, 3, more + "CPL_LB_MAX_MB=" + std::to_string(bound_MiB) + " EVENTS=" + std::to_string(events));
    INFO(model << " " << events);
    CHECK(r.exit_code == 0);
    CHECK(r.has("load_balancing_info.json"));
    return r.said.at("grown");
}

} // namespace

// events: of 16 bytes, of 8 (begins alone) or of 32 (a date with each): not quite as many as the marks have room for,
// so that none is dropped while the model runs; then ten times as many.
TEST_CASE("memory stays within 1.5 times the bound") {
    const auto [model, event_bytes] = GENERATE(table<std::string, long>({{"memory_whole", 16},
                                                                         {"memory_begins", 8},
                                                                         {"memory_deep", 16},
                                                                         {"memory_interleaved", 16},
                                                                         {"memory_unequal", 16},
                                                                         {"memory_more", 16},
                                                                         {"memory_all_different", 32},
                                                                         {"memory_different_begins", 8},
                                                                         {"memory_coupled", 16}}));
    const long fits = mark_bytes / event_bytes * 9 / 10;
    const double base = grown(model, 1);
    CHECK(base > 0);
    for (const long events : {fits, 10 * fits}) {
        INFO(model << ", " << events << " events");
        CHECK(grown(model, events) - base <= 1.5 * bound_MiB + 4);
    }
}

// An eighth of 16 MiB is for names: 2,097,152 bytes. A region takes 6,144, and 8 for each of the 17 to 19 letters of
// the first ones: 332 fit beside two fields of 1,040. One more is for all others.
TEST_CASE("memory stays within the bound with names that are made up anew each time") {
    const auto [model, more] = GENERATE(table<std::string, std::string>(
        {{"memory_regions", "EVENTS=100000"},
         {"memory_components",
          "EVENTS=10000 CPL_LB_REPORT=0"}, // the page's bins of each component have a bound of their own
         {"memory_fields", "EVENTS=100000"}}));
    const double base = grown(model, 1, "CPL_LB_REPORT=0 ");
    const auto r = run(model, 3, "CPL_LB_MAX_MB=16 " + more);
    INFO(model);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("grown") - base <= 1.5 * bound_MiB + 4);
    CHECK(r.complaints_with("the memory for names was full (16 MiB, nn_max_mb)") == 1);
    if (model != "memory_regions") return;
    const auto regions = r.component("ocean").at("regions");
    CHECK(regions.size() > 330);
    CHECK(regions.size() < 340);
    long calls = 0;
    for (const auto &region : regions)
        calls += region.at("calls").get<long>();
    CHECK(calls == 300'000); // of three processes: none is lost
}

// HDF5 holds chunks of its own while it writes and while the page reads.
TEST_CASE("memory stays within the bound with compressed timelines") {
    const std::string compressed = "CPL_LB_COMPRESS=1 ";
    const double base = grown("memory_whole", 1, compressed);
    CHECK(grown("memory_whole", 2 * mark_bytes / 16, compressed) - base <= 1.5 * bound_MiB + 4);
}

// The union of 3 x 94,371 events, each of one process only, is 283,113. A bound of 16 MiB takes 16 x 2^20 / 120 =
// 139,810 together: the earliest stay, TERM among them, the others are counted, and the figures end there.
TEST_CASE("processes whose events are all different: the earliest stay") {
    const auto r = run("memory_all_different", 3, "CPL_LB_MAX_MB=16 EVENTS=94371");
    REQUIRE(r.exit_code == 0);
    const auto ocean = r.component("ocean");
    const auto events = ocean.at("events").get<long>();
    CHECK(events <= 139'810 + 1);
    CHECK(events > 139'810 - 100);
    // Each event is of one process; TERM of all three, and none of it is dropped.
    CHECK(ocean.at("dropped_events").get<long>() == 3L * 94'371 - (events - 1));
    CHECK(r.complaints_with("16 MiB (nn_max_mb)") == 1);
    CHECK(r.said.at("code") == -9);
}

// 5 % of 600 MB for two processes are 15 MB each; a fifth of that for marks of 16 bytes: 187,500 of the 250,000
// events.
TEST_CASE("a job with a limit of memory: the default is of this limit, shared by the processes there") {
    const cpl_lb::test::TemporaryFolder folder;
    const auto write = [&](const std::string &file, const std::string &text) {
        std::filesystem::create_directories(std::filesystem::path(folder / file).parent_path());
        std::ofstream(folder / file) << text << "\n";
    };
    const std::string roots = "CPL_LB_SYSFS=" + (folder / "sys") + " CPL_LB_PROCFS=" + (folder / "proc");
    write("proc/self/cgroup", "0::/job_7/step_0");
    write("sys/fs/cgroup/job_7/memory.max", "600000000");
    const auto limited = run("memory_whole", 2, roots + " EVENTS=250000");
    CHECK(limited.exit_code == 0);
    CHECK(limited.complaints_with("14 MiB (nn_max_mb)") == 1);
    write("sys/fs/cgroup/job_7/memory.max", "max");
    CHECK(run("memory_whole", 2, roots + " EVENTS=250000").complaints_with("(nn_max_mb)") == 0);
}

// One component is that of cpl_lb_init.
TEST_CASE("more than 512 components have no timelines, unless these are asked for") {
    const auto [made_up, asked, timelines] = GENERATE(
        table<long, std::string, std::ptrdiff_t>({{511, "", 512}, {512, "", 0}, {512, "CPL_LB_TIMELINE=1 ", 513}}));
    const auto r = run("memory_components", 1, asked + "CPL_LB_REPORT=0 EVENTS=" + std::to_string(made_up));
    INFO(made_up << " " << asked);
    CHECK(r.exit_code == 0);
    const std::filesystem::directory_iterator files(r.folder), end;
    CHECK(std::count_if(files, end, [](const auto &file) {
              return file.path().filename().string().starts_with("timeline_");
          }) == timelines);
    CHECK(r.complaints_with("no timelines of 513 components") == (timelines == 0 ? 1 : 0));
}

// On the component's master, in bytes for each of a process's events, and 11 MiB besides that a run of one event
// takes.
//
// memory_in_turn: 32 for what all processes did in the event, 4 for its class; 16 for the times of this process, in
// the marks or in its row; 4 for the steps of the loop and 2 for their places, because every second event is one: 58.
// The 64 and the 32 MiB of a process that has begun to write results are below 96 MiB by the kernel's high-water
// mark.
//
// memory_whole: every event is a step. The times are not needed any more when the waiting is divided at the steps: 32
// and 4, and for each step 8 for its time, 8 for the end of a segment, 8 for the sum in it and 16 for that of all
// processes: 76, and large pages round up. The page measures on some rows how well their events can be packed: on no
// more events than it may hold (a million), and on one row at least. With all rows of 4 processes the first one grew
// by 143 MiB here, with those of 24 by 730. A row takes 16 bytes for each event, 8 while its times become bytes, and
// at most 16 as bytes and as text, and not at the same time as the rest.
//
// memory_coupled, of two components: while its own events are gathered the root holds 58, as in memory_in_turn. Then
// spans are packed. The 64 events of a block begin within some 10 us, or ms if the process is interrupted: at most 3
// bytes for the start and 3 for the waiting, none for the jitter and the number of a single process, 1 for the
// block's own data; 4 for the class. That is 11 for an event of each of the two, 8 for a pair of a PUT and its GET,
// and 30 for the graph of the 200,000 exchanges that are followed: 60. With whole spans it was 110.
TEST_CASE("memory at the end grows with the events of one process, with the page, far below the bound") {
    const auto [model, processes, bytes] = GENERATE(table<std::string, int, double>(
        {{"memory_in_turn", 4, 64.0}, {"memory_whole", 4, 88.0}, {"memory_coupled", 2, 64.0}}));
    INFO(model);
    constexpr long events = 1'000'000;
    const std::string far = "CPL_LB_MAX_MB=1024 EVENTS=";
    const auto few = run(model, processes, far + "1"), many = run(model, processes, far + std::to_string(events));
    CHECK(many.exit_code == 0);
    CHECK(many.has("load_balancing_report.html"));
    CHECK(many.said.at("grown") - few.said.at("grown") <= bytes * events / 1048576);
}
