// Runs that die in every way, and what cpl-lb recover makes of their spool files. The scenarios are counted by hand:
// 4 processes, two of the ocean (0, 1), two of the atmosphere (2, 3), 20 PUTs and 20 GETs on each.
#include "picture_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const scenario::Program program("spool_scenarios");

namespace {

using scenario::Result;
namespace fs = std::filesystem;

struct Recovered {
    int exit_code = -1;
    std::string output, errors;
    Result results; // of the recovery, for timeline() and component()
};

std::vector<fs::path> spools_in(const fs::path &folder) {
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".spool") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

fs::path spool_of(const fs::path &folder, int rank) {
    for (const fs::path &p : spools_in(folder))
        if (p.stem().string().ends_with("_" + std::to_string(rank))) return p;
    return {};
}

Recovered recover(const fs::path &folder, const std::string &arguments) {
    Recovered r;
    r.results.folder = folder / "recovered";
    const std::string command = "cd '" + folder.string() + "' && '" +
                                scenario::beside("../../libcpl_lb/tools/cpl-lb") + "' recover " + arguments +
                                " -o recovered >recover_out 2>recover_err </dev/null";
    const int status = std::system(command.c_str());
    r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r.output = scenario::slurp(folder / "recover_out");
    r.errors = scenario::slurp(folder / "recover_err");
    return r;
}

Result run(const std::string &name, int processes = 4, const std::string &environment = "") {
    return scenario::run(name, processes, "CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=. " + environment);
}

std::int64_t times_in(const cpl_lb::Row &row) {
    return std::count_if(row.start.begin(), row.start.end(), [](auto t) { return t != cpl_lb::absent; });
}

bool mentions(const Recovered &r, const std::string &words) {
    return r.output.find(words) != std::string::npos;
}

// The map of a dead run: computing is the loop less a process's own waiting, as in the summary. Only pairs of
// processes wait for each other: on a busy machine one pair may be done before the other begins its last step, and
// nobody knows then how long it went on in the loop.
void check_computing(const scenario::Timeline &t, const nlohmann::json &component) {
    const std::vector<double> &computing_s = t.header.figures.computing_s;
    REQUIRE(computing_s.size() == 2);
    const auto waiting = component.at("process_waiting_s");
    const auto loop_less = [&](const char *which) {
        return Approx(component.at("loop_s").get<double>() - waiting.at(which).get<double>()).epsilon(1e-9);
    };
    for (const std::size_t done : {0U, 1U}) {
        if (!std::isnan(computing_s[done])) continue;
        const std::size_t other = 1 - done;
        const auto last = [&](std::size_t row) {
            return *std::max_element(t.rows[row].stop.begin(), t.rows[row].stop.end());
        };
        CHECK(last(done) < last(other));
        CHECK((computing_s[other] == loop_less("min") || computing_s[other] == loop_less("max")));
        return;
    }
    CHECK(std::max(computing_s[0], computing_s[1]) == loop_less("min"));
    CHECK((computing_s[0] + computing_s[1]) / 2 == loop_less("mean"));
}

void expect_all_40_events(const Recovered &r) {
    for (const std::string component : {"ocean", "atmosphere"}) {
        const scenario::Timeline t = scenario::timeline(r.results, component);
        CHECK(t.header.keys.size() == 40);
        REQUIRE(t.rows.size() == 2);
        CHECK(times_in(t.rows[0]) == 40);
        CHECK(times_in(t.rows[1]) == 40);
        CHECK(t.header.field_names == std::vector<std::string>{"heat", "SST"}); // by the name of the component
        scenario::check_picture(r.results, component);
        check_computing(t, r.results.component(component));
        CHECK(t.header.figures.memory_B.empty());
        CHECK(t.header.figures.regions.empty());
    }
}

// What is recovered of the ocean in a scenario that dies.
scenario::Timeline recovered_ocean(const std::string &name) {
    const Result r = run(name);
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    REQUIRE(recovered.exit_code == 0);
    CHECK(recovered.results.has("load_balancing_report.html"));
    return scenario::timeline(recovered.results, "ocean");
}

} // namespace

TEST_CASE("a clean end leaves no spool file") {
    const Result r = run("clean");
    CHECK(r.exit_code == 0);
    CHECK(spools_in(r.folder).empty());
    CHECK(r.has("timeline_ocean.nc"));
    CHECK(r.complaints.empty());
    // The same, with several chunks on each process: 100,000 PUTs and TERM.
    const Result many = run("many", 2);
    CHECK(spools_in(many.folder).empty());
    CHECK(scenario::timeline(many, "ocean").header.keys.size() == 100'001);
}

TEST_CASE("results that could not be written can still be made") {
    const Result r = run("clean", 4, "CPL_LB_DIR=/proc/nowhere");
    CHECK(r.exit_code == 0);
    CHECK(r.complaints_with("the spool files in . are kept") == 1);
    REQUIRE(spools_in(r.folder).size() == 4);
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    CHECK(recovered.exit_code == 0);
    expect_all_40_events(recovered);
}

TEST_CASE("runs that die keep every event") {
    const std::string how =
        GENERATE(as<std::string>(), "kill_all", "kill_one", "abort", "mpi_abort", "segfault", "exit");
    INFO(how);
    const Result r = run(how);
    CHECK(r.exit_code != 0);
    CHECK_FALSE(r.has("load_balancing_info.json"));
    REQUIRE(spools_in(r.folder).size() == 4);
    for (const fs::path &p : spools_in(r.folder))
        CHECK((fs::status(p).permissions() & fs::perms(0777)) == fs::perms(0600));
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    CHECK(recovered.exit_code == 0);
    CHECK(recovered.errors.empty());
    CHECK(mentions(recovered, "4 of 4 processes"));
    expect_all_40_events(recovered);
    // The ocean computes 10 ms a step and waits for the atmosphere, which computes 20: of the 18 whole steps between
    // the second and the last PUT it waits at least 18 x 5 ms on any machine that sleeps as long as it is told.
    const auto ocean = recovered.results.component("ocean");
    CHECK(ocean.at("processes") == 2);
    CHECK(ocean.at("waiting_s").get<double>() > 0.09);
    CHECK(ocean.at("computing_s").get<double>() > 0.15); // 18 x 10 ms, less what the two processes overlap
    CHECK(recovered.results.info().at("clock").at("order_violations") == 0);
    // Four processes on the processors here, from the header of each file.
    const double crowding = 4.0 / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    CHECK(recovered.results.info().at("meters").at("threads_per_processor").at("max").get<double>() ==
          Approx(crowding));
    const std::string text = scenario::slurp(recovered.results.folder / "load_balancing_info.txt");
    // They sleep: more processes than processors alone take nothing from anybody.
    CHECK(text.find("Caution: processes of") == std::string::npos);
}

TEST_CASE("an event that the end cut off is closed and does not count in the loop") {
    const Result r = run("open");
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    REQUIRE(recovered.exit_code == 0);
    CHECK(mentions(recovered, "2 events were still open when the run ended"));
    const scenario::Timeline t = scenario::timeline(recovered.results, "ocean");
    REQUIRE(t.header.keys.size() == 42); // 40, the GET and the MAP inside it
    CHECK(times_in(t.rows[0]) == 42);
    CHECK(times_in(t.rows[1]) == 40);
    // Where the other process fell silent, or where this one was cut off.
    const auto silent = *std::max_element(t.rows[1].stop.begin(), t.rows[1].stop.end());
    CHECK(t.header.window_last == std::min(silent, t.rows[0].start[40]));
    CHECK(recovered.results.component("ocean").at("loop_s").get<double>() > 0.3); // 18 steps of at least 20 ms
}

TEST_CASE("the loop ends where the first process was cut off inside an exchange") {
    const scenario::Timeline t = recovered_ocean("open_all");
    REQUIRE(t.header.keys.size() == 41); // 40 and the GET in which both processes died
    CHECK(times_in(t.rows[0]) == 41);
    CHECK(times_in(t.rows[1]) == 41);
    CHECK(t.rows[1].start[40] < t.rows[0].start[40]);
    CHECK(t.header.window_last == t.rows[1].start[40]);
}

TEST_CASE("the loop ends where the first process fell silent, though others went on") {
    const scenario::Timeline t = recovered_ocean("silent");
    REQUIRE(t.header.keys.size() == 45);
    CHECK(times_in(t.rows[0]) == 45);
    CHECK(times_in(t.rows[1]) == 40);
    CHECK(t.header.window_last == t.rows[1].stop[39]); // 40 events of both, then the 5 PUTs of rank 0
    CHECK(t.rows[0].start[40] > t.header.window_last);
}

// 2 GETs of rank 0 before the 20 of both: with the first of rank 1 goes the third of rank 0.
TEST_CASE("a dead run in which one process had exchanges more at set-up") {
    const Result r = run("more");
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    REQUIRE(recovered.exit_code == 0);
    const scenario::Timeline t = scenario::timeline(recovered.results, "ocean");
    REQUIRE(t.header.keys.size() == 42);
    CHECK(times_in(t.rows[0]) == 42);
    CHECK(times_in(t.rows[1]) == 40);
    int alone = 0;
    for (std::size_t k = 0; k < 42; ++k) {
        if (t.header.keys[k].kind != cpl_lb::Kind::get) continue;
        alone += t.rows[1].start[k] == cpl_lb::absent ? 1 : 0;
        CHECK((t.rows[1].start[k] != cpl_lb::absent || k < 2)); // the first two events of the table
    }
    CHECK(alone == 2);
    const std::string told = "one more GET of field 'heat' at the beginning than on most processes of ocean, and no "
                             "dates: the later ones are matched by their times (2 times on process 0)";
    CHECK(mentions(recovered, told));
    const auto ocean = recovered.results.component("ocean");
    CHECK(ocean.at("steps").at("count") == 18);
    // The 3 s before the first step belong to no step. With another alignment they would be in the loop, and half of
    // them would be imbalance.
    CHECK(ocean.at("loop_s").get<double>() < 3);
    CHECK(ocean.at("imbalance_s").get<double>() < 1.5);
    CHECK(t.header.window_last == cpl_lb::absent); // neither fell silent before the other
}

TEST_CASE("missing, truncated, damaged, empty and foreign files") {
    const Result r = run("many_killed", 4);
    REQUIRE(spools_in(r.folder).size() == 4);
    const auto events_of = [](const Recovered &recovered, const char *component, std::size_t row) {
        return times_in(scenario::timeline(recovered.results, component).rows.at(row));
    };
    const Recovered whole = recover(r.folder, ".");
    INFO(whole.output);
    REQUIRE(whole.exit_code == 0);
    // 100,000 PUTs in 100 dates of 1000.
    CHECK(events_of(whole, "ocean", 0) == 100'000);
    CHECK(events_of(whole, "atmosphere", 1) == 100'000);

    fs::remove(spool_of(r.folder, 3));                             // no file
    fs::resize_file(spool_of(r.folder, 2), 4096 + 16384 + 100000); // cut in the first chunk
    {
        std::fstream damaged(spool_of(r.folder, 1), std::ios::in | std::ios::out | std::ios::binary);
        damaged.seekp(4096 + 16384 + 528384 + 200000); // in the second chunk
        damaged.put('\x55');
    }
    std::ofstream(r.folder / "empty.spool") << std::string();
    std::ofstream(r.folder / "foreign.spool") << std::string(10000, 'x');
    const Recovered rest = recover(r.folder, ".");
    INFO(rest.output);
    REQUIRE(rest.exit_code == 0);
    CHECK(rest.errors.empty());
    CHECK(mentions(rest, "3 of 4 processes"));
    CHECK(mentions(rest, "no spool file of 1 process: 3"));
    CHECK(mentions(rest, "atmosphere: 1 of 2 processes"));
    CHECK(mentions(rest, "chunk 2 is damaged (on process 1)"));
    CHECK(mentions(rest, "the file is cut off (on process 2)"));
    CHECK(mentions(rest, "empty.spool: empty"));
    CHECK(mentions(rest, "foreign.spool: not a spool file of cpl_lb"));
    CHECK(events_of(rest, "ocean", 0) == 100'000);
    // A chunk has 65,536 words, an event two; less the dates (2 words for 1000 events) and what a chunk begins with.
    const auto second = events_of(rest, "ocean", 1);
    CHECK(second > 32'600);
    CHECK(second < 32'768);
    // (100,000 - 64) bytes are 12,492 words: somewhat less than 6,246 events.
    const auto cut = events_of(rest, "atmosphere", 0);
    CHECK(cut > 6'200);
    CHECK(cut < 6'246);
}

TEST_CASE("files of several nodes and several runs") {
    const Result r = run("kill_all");
    const Result other = run("kill_all", 2, "CPL_LB_RUN=another");
    const fs::path node = r.folder / "node1";
    fs::create_directories(node);
    fs::rename(spool_of(r.folder, 2), node / "a.spool");
    fs::rename(spool_of(r.folder, 3), node / "b.spool");
    const Recovered recovered = recover(r.folder, ". node1");
    INFO(recovered.output);
    REQUIRE(recovered.exit_code == 0);
    expect_all_40_events(recovered);
    const std::string id = recovered.results.info().at("run").at("id");

    for (const fs::path &p : spools_in(other.folder))
        fs::copy(p, r.folder / p.filename());
    const Recovered newest = recover(r.folder, ". node1");
    CHECK(mentions(newest, "2 of 2 processes of the run another"));
    CHECK(mentions(newest, "another run was left out"));
    const Recovered first = recover(r.folder, ". node1 --run '" + id + "'");
    CHECK(first.exit_code == 0);
    CHECK(mentions(first, "4 of 4 processes"));
    CHECK(recover(r.folder, ". --run nonsense").exit_code == 1);
}

TEST_CASE("input that is bad and usage that is wrong") {
    const Result r = scenario::run("clean", 2);
    CHECK(recover(r.folder, ".").exit_code == 1);
    CHECK(recover(r.folder, ".").errors.find("no spool files") != std::string::npos);
    CHECK(recover(r.folder, "nowhere").exit_code == 1);
    CHECK(recover(r.folder, "").exit_code == 2);
    CHECK(recover(r.folder, ". --nonsense").exit_code == 2);
}

TEST_CASE("recovered times are as true as the model's own clock") {
    const Result r = run("timed", 2);
    const Recovered recovered = recover(r.folder, ".");
    INFO(recovered.output);
    REQUIRE(recovered.exit_code == 0);
    for (const int rank : {0, 1}) {
        const scenario::Timeline t = scenario::timeline(recovered.results, rank == 0 ? "ocean" : "atmosphere");
        REQUIRE(t.header.keys.size() == 2);
        const double apart = cpl_lb::to_seconds(t.rows[0].start[1] - t.rows[0].start[0]);
        // The clock of the spool file is known to a thousandth: it is compared with the system's for some
        // milliseconds.
        CHECK(apart >= 0.995 * r.said.at("least_" + std::to_string(rank)));
        CHECK(apart <= 1.005 * r.said.at("most_" + std::to_string(rank)));
    }
}

TEST_CASE("no folder, no room: a warning, and memory instead") {
    const Result missing = scenario::run("clean", 4, "CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=./nowhere");
    CHECK(missing.exit_code == 0);
    CHECK(missing.complaints_with("no spool files in ./nowhere") == 1);
    CHECK(missing.complaints.size() == 1);
    CHECK(scenario::timeline(missing, "ocean").header.keys.size() == 41); // and TERM

    // Past RLIMIT_FSIZE: no signal either.
    const Result limited = run("limited", 2);
    CHECK(limited.exit_code == 0);
    CHECK(limited.complaints_with("File too large") == 1);
    CHECK(spools_in(limited.folder).empty());
}

TEST_CASE("a file system that is full, at the start and in the middle", "[mount]") {
    const fs::path place = fs::temp_directory_path() / ("cpl_lb_tmpfs_" + std::to_string(getpid()));
    const auto mounted_with = [&](const char *size) {
        fs::create_directories(place);
        return mount("cpl_lb_test", place.c_str(), "tmpfs", 0, size) == 0;
    };
    REQUIRE(mounted_with("size=256k"));
    const std::string there = "CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=" + place.string();
    const Result at_start = scenario::run("clean", 2, there);
    CHECK(at_start.exit_code == 0);
    CHECK(at_start.complaints_with("No space left on device") == 1);
    CHECK(spools_in(place).empty());
    umount(place.c_str());

    // Two processes with one chunk each fit (0.5 MiB and a bit); 100,000 events need four.
    REQUIRE(mounted_with("size=1200k"));
    const Result middle = scenario::run("many", 2, there);
    CHECK(middle.complaints_with("the spool could not grow") == 1);
    CHECK(spools_in(place).empty());
    CHECK(scenario::timeline(middle, "ocean").header.keys.size() == 100'001); // nothing lost

    const Result killed = scenario::run("many_killed", 2, there);
    REQUIRE(spools_in(place).size() == 2);
    const Recovered recovered = recover(killed.folder, place.string());
    INFO(recovered.output);
    CHECK(recovered.exit_code == 0);
    CHECK(mentions(recovered, "later events were in memory and are lost"));
    CHECK(times_in(scenario::timeline(recovered.results, "ocean").rows[0]) > 32'000);
    umount(place.c_str());
    fs::remove(place);
}
