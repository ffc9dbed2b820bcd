// The library does no harm: each case makes the harm possible, shows that it was, and compares the model's end with
// that of a run with the library switched off. The table of docs/evidence/tested.md names these cases.
#include "run_scenario.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

using scenario::Result;
using scenario::run;

// What sanitizers cannot go through: they have traps, signals, limits and memory of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PLAIN_BUILD "[.]"
#else
#define PLAIN_BUILD ""
#endif

static const scenario::Program program("harmless_scenarios");

namespace {

// The same exit status, and the same words of the model; what differs is what the case is about.
struct Both {
    Result on, off;
};

Both run_both(const std::string &name, const std::string &environment = "", int processes = 2) {
    return {run(name, processes, "CPL_LB_PRINT=0 " + environment), run(name, processes, environment, false)};
}

void same_end(const Both &both) {
    INFO(both.on.output);
    INFO(both.off.output);
    CHECK(both.on.exit_code == both.off.exit_code);
    CHECK(both.on.output == both.off.output);
}

// RAPL whose counter may wrap after 0.04 s (40 J at most 1,000 W): the library's thread wakes up every 0.02 s.
std::string restless_meter(const std::filesystem::path &folder) {
    const auto zone = folder / "class/powercap/intel-rapl:0";
    std::filesystem::create_directories(zone);
    std::ofstream(zone / "name") << "package-0\n";
    std::ofstream(zone / "energy_uj") << "1000000\n";
    std::ofstream(zone / "max_energy_range_uj") << "40000000\n";
    return "CPL_LB_SYSFS=" + folder.string();
}

void check_results(const Result &r) {
    CHECK(r.has("load_balancing_info.json"));
    CHECK(r.has("timeline_ocean.nc"));
    CHECK(r.complaints.empty());
}

} // namespace

TEST_CASE("signals, environment, descriptors, limits, locale and more are as before") {
    for (const std::string setting : {"", " CPL_LB_SPOOL=1", " CPL_LB_COMPRESS=1", " CPL_LB_COUNTERS=task-clock"}) {
        const Both both = run_both("state", setting);
        same_end(both);
        CHECK(both.on.said.at("changes") == 0);
        CHECK(both.on.has("load_balancing_info.json"));
    }
}

TEST_CASE("floating-point modes of the model are neither felt nor changed", PLAIN_BUILD) {
    for (const std::string modes :
         {"none", "upward", "downward", "truncated", "flushed", "all_traps", "short_x87", "raised"}) {
        INFO(modes);
        const Result on = run("modes", 2, "CPL_LB_PRINT=0 CPL_LB_SPOOL=1 CPL_LB_SAMPLE=0.001 MODES=" + modes);
        INFO(on.output);
        CHECK(on.exit_code == 0);
        CHECK(on.said.at("looked") > 100); // in so many calls of MPI by the library
        CHECK(on.said.at("felt") == 0);
        CHECK(on.said.at("calls") > 20000);
        CHECK(on.said.at("changed") == 0);
        CHECK(on.has("load_balancing_info.json"));
    }
    const Result off = run("modes", 2, "MODES=all_traps", false);
    CHECK(off.exit_code == 0);
    CHECK(off.said.at("changed") == 0);
}

TEST_CASE("a forked child leaves the library alone, whatever it calls and however it ends", PLAIN_BUILD) {
    for (const auto &[what, status] : std::map<std::string, double>{{"calls", 0},
                                                                    {"calls CPL_LB_SPOOL=1", 0},
                                                                    {"exec", 127},
                                                                    {"exit CPL_LB_SPOOL=1", 5},
                                                                    {"thread_exit", 5},
                                                                    {"grandchild", 5},
                                                                    {"signal", 1011}}) {
        INFO(what);
        const Both both = run_both("forks", "WHAT=" + what);
        same_end(both);
        CHECK(both.on.said.at("child") == status);
        CHECK(both.on.said.at("worst") == status);
        check_results(both.on);
        // 20 exchanges of two events, and TERM: none of the child's 100,000.
        CHECK(both.on.component("ocean").at("events") == 41);
    }
}

TEST_CASE("a child that is forked before cpl_lb_init, or after cpl_lb_terminate", PLAIN_BUILD) {
    for (const std::string when : {"before", "after"}) {
        for (const auto &[what, status] :
             std::map<std::string, double>{{"calls", 0}, {"exec", 127}, {"quick_exit", 5}, {"_exit", 5}}) {
            INFO(when << " " << what);
            const Both both = run_both("forks", "WHEN=" + when + " WHAT=" + what);
            same_end(both);
            CHECK(both.on.said.at("worst") == status);
            check_results(both.on);
        }
    }
}

TEST_CASE("processes that a model spawns record a run of their own", "[spawn]") {
    const Both both = run_both("spawns");
    same_end(both);
    CHECK(both.on.said.at("spawned") == 0);
    check_results(both.on);
    CHECK(both.on.has("spawned/load_balancing_info.json"));
    CHECK(both.on.has("spawned/timeline_child.nc"));
}

TEST_CASE("programs that a model starts inherit no file of the library") {
    const Both both = run_both("programs", "CPL_LB_SPOOL=1");
    same_end(both);
    CHECK(both.on.said.at("inherited") == 0);
    CHECK(both.on.said.at("system") == 3);
    check_results(both.on);
}

TEST_CASE("a model that leaves without cpl_lb_terminate: its own status and words, at once", PLAIN_BUILD) {
    for (const auto &[how, status] : std::map<std::string, int>{{"finalize", 0},
                                                                {"exit", 7},
                                                                {"_exit", 7},
                                                                {"quick_exit", 7},
                                                                {"thread", 7},
                                                                {"atexit_thread", 0},
                                                                {"abort", 42},
                                                                {"late_calls", 0}}) {
        INFO(how);
        const Result r = run("leaves", 2, "HOW=" + how, true, scenario::keeping_status);
        if (how == "abort") { // it ends all, the shell too
            CHECK(r.exit_code == status);
        } else {
            CHECK_THAT(scenario::slurp(r.folder / "statuses"), Catch::StartsWith(std::to_string(status) + "\n"));
        }
        CHECK(scenario::slurp(r.folder / "words") == "leaving\n");
        CHECK(!r.has("load_balancing_info.json"));
    }
}

TEST_CASE("cpl_lb_terminate in a handler of atexit") {
    const Result r = run("leaves", 2, "CPL_LB_PRINT=0 HOW=atexit");
    CHECK(r.exit_code == 0);
    CHECK(r.has("load_balancing_info.json"));
}

// dlclose in the middle of the recording, with the thread awake every 0.02 s. What is unloaded when it records no
// more, or never did, is gone from the memory.
TEST_CASE("what records is not unloaded", PLAIN_BUILD) {
    const auto sysfs = std::filesystem::temp_directory_path() / ("cpl_lb_restless_" + std::to_string(getpid()));
    const std::string meter = restless_meter(sysfs);
    for (const auto &pair :
         std::map<std::string, std::string>{{"shared", "libcpl_lb-"}, {"static", "unload_plugin_static"}}) {
        const std::string &plugin = pair.first;
        const std::string &code = pair.second; // part of the name of what holds the library's code
        INFO(plugin);
        const auto with = [&](const std::string &more, bool on) {
            return run("", 2,
                       "PLUGIN=" + scenario::beside("unload_plugin_" + plugin + ".so") + " CODE=" + code + " " +
                           meter + more,
                       on, scenario::beside("unload_model"));
        };
        const Result on = with("", true);
        CHECK(on.exit_code == 0);
        CHECK(on.said.at("started") == 0);
        CHECK(on.said.at("closed") == 0);
        CHECK(on.said.at("threads") == 1);
        CHECK(on.said.at("mapped") == 1);
        const Result off = with("", false);
        CHECK(off.exit_code == 0);
        CHECK(off.said.at("closed") == 0);
        CHECK(off.said.at("threads") == 0);
        // g++'s unique symbols keep the other one; MPICH from 4.1 on calls the library at its end (call_roll.cpp).
        if (plugin == "shared") CHECK(off.said.at("mapped") == (off.said.at("mpich") < 4.1 ? 0 : 1));
        const Result ended = with(" CPL_LB_PRINT=0 ENDS=1", true);
        CHECK(ended.exit_code == 0);
        CHECK(ended.said.at("ended") == 0);
        CHECK(ended.has("load_balancing_info.json"));
    }
    std::filesystem::remove_all(sysfs);
}

TEST_CASE("no descriptor is left") {
    const Result at_init = run("no_descriptors", 2, "WHEN=init CPL_LB_PRINT=0");
    CHECK(at_init.exit_code == 0);
    CHECK(at_init.said.at("opened") > 10);
    CHECK(at_init.complaints_with("Too many open files") == 1);
    const Result at_end = run("no_descriptors", 2, "WHEN=terminate CPL_LB_PRINT=0");
    CHECK(at_end.exit_code == 0);
    CHECK(at_end.said.at("opened") > 10);
    CHECK(at_end.said.at("code") == -6);
    CHECK(at_end.complaints_with("Too many open files") >= 1);
}

// HDF5 crashes when it starts up without memory: the library asks for some first. So does UCX, below MPICH, in any
// message: there some is left for it.
TEST_CASE("no address space is left", PLAIN_BUILD) {
    const bool ucx = std::filesystem::exists(scenario::beside("../../libcpl_lb/libcpl_lb-mpich.so"));
    const std::vector<std::string> rooms =
        ucx ? std::vector<std::string>{"3000"} : std::vector<std::string>{"0", "300", "3000"};
    for (const std::string &kb : rooms) {
        INFO(kb);
        const Result r = run("no_memory", 2, "CPL_LB_PRINT=0 CPL_LB_TIMEOUT=5 KB=" + kb);
        CHECK(r.exit_code == 0);
        CHECK(r.said.at("code") < 0);
        CHECK(!r.complaints.empty());
    }
}

// A process without memory does not take part in the run, and nobody waits for it, neither at init nor at the end.
TEST_CASE("no memory at cpl_lb_init", PLAIN_BUILD) {
    if (std::filesystem::exists(scenario::beside("../../libcpl_lb/libcpl_lb-mpich.so"))) {
        WARN("skipped: UCX, below MPICH, ends a program that has no memory for a message");
        return;
    }
    for (const std::string who : {"all", "last"}) {
        INFO(who);
        const std::string environment = "CPL_LB_PRINT=0 CPL_LB_TIMEOUT=60 WHO=" + who;
        const Result off = run("no_memory_at_init", 2, environment, false);
        CHECK(off.exit_code == 0);
        const Result r = run("no_memory_at_init", 2, environment);
        CHECK(r.exit_code == 0);
        for (const std::string rank : {"0", "1"}) {
            const bool without = who == "all" || rank == "1";
            CHECK(r.said.at("begun" + rank) == (without ? -7 : -4)); // no memory; a message of distress
            CHECK(r.said.at("ended" + rank) == 0);
            CHECK(r.said.at("slow" + rank) == 0);
        }
        CHECK(r.complaints_with("cpl_lb_init: out of memory") == (who == "all" ? 2 : 1));
    }
}

// A function of MPICH 4.0 puts 131 KiB (0x20050 bytes) on the stack. A program without cpl_lb that duplicates a
// communicator on a thread with 128 KiB crashed there in 40 of 40 runs, with 260 KiB in none.
TEST_CASE("a stack of 128 KiB", PLAIN_BUILD) {
    const bool mpich = std::filesystem::exists(scenario::beside("../../libcpl_lb/libcpl_lb-mpich.so"));
    const Both both = run_both("small_stack", mpich ? "KB=260" : "KB=128");
    same_end(both);
    CHECK(both.on.said.at("code") == 0);
    check_results(both.on);
}

// The numbers of closed standard files go to the model's data: no message, no summary, no result in there.
TEST_CASE("closed standard files") {
    const std::string closed = R"(sh -c 'exec "$0" "$@" <&- >&- 2>&-')";
    for (const bool at_start : {true, false}) {
        INFO(at_start);
        const Result r = run("closed_files", 2, at_start ? "" : "WHEN=late", true, at_start ? closed : "");
        CHECK(r.exit_code == 0);
        CHECK(r.has("load_balancing_info.json"));
        const std::string report = scenario::slurp(r.folder / "report_1");
        CHECK(report.find("begun 0") != std::string::npos);
        CHECK(report.find("ended -2") != std::string::npos); // and a message about it was due
        if (!at_start) CHECK(report.find("number 2\n") != std::string::npos);
        for (const std::string data : {"data_a0", "data_b0", "data_c0", "data_a1", "data_b1", "data_c1"}) {
            const std::string text = scenario::slurp(r.folder / data);
            CHECK(text.substr(0, 4) == "data");
            CHECK(text.find("cpl_lb") == std::string::npos);
        }
    }
    const Result free = run("free_numbers", 2, "CPL_LB_SPOOL=1");
    CHECK(free.exit_code == 0);
    CHECK(free.said.at("taken") == 0);
    CHECK(free.has("load_balancing_info.json"));
}

TEST_CASE("nobody reads standard output and standard error: no signal") {
    const Result r = run("broken_pipe", 2);
    CHECK(r.exit_code == 0);
    CHECK(r.said.at("pending") == 0);
    CHECK(r.has("load_balancing_info.json"));
}

TEST_CASE("a paused reader of standard output is left behind: the text is in the file") {
    for (const std::string kind : {"pipe", "socket", "terminal"}) { // each waits 5 s
        INFO(kind);
        const Result r = run("full_output", 1, "KIND=" + kind);
        CAPTURE(r.complaints);
        CHECK(r.exit_code == 0);
        CHECK(r.said.at("waits") == 1); // the model's stream as before
        CHECK(r.has("load_balancing_info.json"));
        CHECK(r.complaints_with("nobody takes the summary from standard output: it is in") == 1);
    }
}

TEST_CASE("descriptors that the model closes and uses itself are not touched", PLAIN_BUILD) {
    for (const std::string how : {"double", "all"}) {
        INFO(how);
        const Result r = run("closed_numbers", 2, "CPL_LB_SPOOL=1 CPL_LB_SPOOL_DIR=. HOW=" + how);
        CAPTURE(r.complaints);
        CHECK(r.exit_code == 0);
        CHECK(r.said.at("closed") == 0);
        CHECK(r.said.at("changed") == 0);
        CHECK(r.complaints.empty());
        CHECK(r.has("timeline_ocean.nc"));
        CHECK(!r.has(".cpl_lb_run"));
        CHECK(r.component("ocean").at("processes") == 2);
    }
}

// In C++ the locale is made by the model, in C it is the system's, if it has one; numbers of results have points.
TEST_CASE("a locale with commas") {
    const auto folder = std::filesystem::temp_directory_path() / ("cpl_lb_locale_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string made = "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "'";
    REQUIRE(std::system(made.c_str()) == 0); // Debian's package locales
    const Result r = run("comma", 2, "LOCALE=de_DE.UTF-8 CPL_LB_TIMEOUT=12.5 LOCPATH=" + folder.string());
    std::filesystem::remove_all(folder);
    CHECK(r.exit_code == 0);
    REQUIRE(r.said.at("code") == 0);
    CHECK(r.said.at("comma") == 1);
    CHECK(r.info().at("run").at("simulated_s") == 1234.5);
    const std::string summary = scenario::slurp(r.folder / "load_balancing_info.txt");
    CHECK(summary.find("1234.5") != std::string::npos);
    CHECK(summary.find("1.234") == std::string::npos);
}

TEST_CASE("no copy function of the model's attributes is called") {
    for (const std::string who : {"all", "one"}) {
        const Both both = run_both("attributes", "WHO=" + who);
        same_end(both);
        CHECK(both.on.said.at("copies") == 0);
        CHECK(both.on.said.at("counted") == (who == "all" ? 1 : 0));
        check_results(both.on);
    }
}

TEST_CASE("no communicator is left: the model's error handler is not called, and the others are recorded") {
    for (const auto &[who, refused] : std::map<std::string, double>{{"all", 3}, {"one", 1}}) {
        INFO(who);
        const Result on = run("no_communicators", 3, "CPL_LB_PRINT=0 CPL_LB_TIMEOUT=1 WHO=" + who);
        const Result off = run("no_communicators", 3, "WHO=" + who, false);
        INFO(on.output);
        CHECK(on.exit_code == 0);
        CHECK(on.said.at("taken") > 1000); // by each that takes them
        CHECK(on.said.at("handled") == 0);
        CHECK(on.said.at("refused") == refused);
        CHECK(on.has("load_balancing_info.json") == (refused < 3));
        CHECK(on.complaints.size() == 1 + (refused < 3 ? 1 : 0)); // who is not recorded; who is missing
        CHECK(off.exit_code == 0);
        CHECK(off.said.at("handled") == 0);
        CHECK(off.said.at("refused") == 0);
    }
}
