// GPTL's two tables: statistics over processes, and the timers of one process, from files that are made here.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using Catch::Contains;
using namespace timer_files;

namespace {

struct MadeTimer {
    const char *name;
    int processes, threads;
    double count, total, max, min;
};

std::string made_statistics(const std::vector<MadeTimer> &timers, int tasks, bool quoted = true, bool has_on = true) {
    std::string text = fmt::format("\n***** GLOBAL STATISTICS ({:6} MPI TASKS) *****\n\n", tasks);
    text += "$Id: gptl.c,v 1.157 2011-03-28 20:55:18 rosinski Exp $\n'count' is cumulative. All other stats are "
            "max/min\n\n";
    text += fmt::format(
        "{:<30}{} processes  threads        count      walltotal   wallmax (proc   thrd  )   wallmin (proc   "
        "thrd  )\n",
        "name", quoted && has_on ? "    on" : "");
    for (const MadeTimer &t : timers) {
        text += quoted ? fmt::format("{:<34}{}", fmt::format("\"{}\"", t.name), has_on ? "- " : "  ")
                       : fmt::format("{:<30}", t.name);
        text += fmt::format("  {:8} {:8} {:12.6e}   {:12.6e} {:9.3f} ({:6} {:6}) {:9.3f} ({:6} {:6})\n", t.processes,
                            t.threads, t.count, t.total, t.max, 1, 0, t.min, 27, 0);
    }
    return text + "\n";
}

// 8 processes; the ocean has 2 of them, with two threads inside.
const std::vector<MadeTimer> coupled_timers = {{"CPL:INIT", 8, 8, 8, 80, 10.824, 7.373},
                                               {"CPL:RUN_LOOP", 8, 8, 384, 1600, 200.5, 199.5},
                                               {"CPL:FINAL", 8, 8, 8, 8, 1.25, 0.5},
                                               {"CPL:RUN", 6, 6, 288, 30, 6, 4},
                                               {"CPL:ATM_RUN", 6, 6, 288, 900, 160, 140},
                                               {"CPL:ATM_RUN_BARRIER", 6, 6, 288, 60, 20, 1},
                                               {"CPL:OCN_RUN", 2, 2, 96, 180, 95, 85},
                                               {"CPL:OCNT_RUN", 2, 2, 96, 190, 97.5, 90},
                                               {"CPL:OCN_WAIT", 2, 2, 96, 20, 12, 8},
                                               {"CPL:WAV_RUN", 6, 6, 288, 0, 0, 0},
                                               {"a:CAM_run1", 6, 6, 288, 600, 110, 90},
                                               {"o:step", 2, 4, 2.5e9, 300, 90, 60},
                                               {"o_i:init", 2, 2, 2, 10, 6, 4}};

std::string made_process(int process, double scale) {
    std::string text = fmt::format("\n************ PROCESS {:6} ({:6}) ************\n\n", process, process);
    text += "Underlying timing routine was MPI_Wtime.\n\nStats for thread 0:\n";
    text += fmt::format("{:32}On  Called Recurse     Wallclock          max          min     UTR Overhead \n", "");
    const auto row = [&](const char *name, const char *called, double wall) {
        text += fmt::format("{:<34}-  {:>7}    -    {:11.6f}  {:11.6f}  {:11.6f}      0.000000 \n", name, called,
                            wall, wall / 2, wall / 100);
    };
    row("  \"CPL:INIT\"", "1", 10);
    row("  \"CPL:RUN_LOOP\"", "48", 200);
    row("    \"CPL:ATM_RUN\"", "48", 100 * scale);
    row("*     \"a:CAM_run1\"", "1.2e+06", 60 * scale);
    row("*     \"a:CAM_run1\"", "1.2e+06", 60 * scale);
    text += "\nOverhead sum =  0.01 wallclock seconds\nTotal calls  = 98\n\nStats for thread 1:\n";
    text += fmt::format("{:32}On  Called Recurse     Wallclock          max          min     UTR Overhead \n", "");
    row("  \"CPL:ATM_RUN\"", "48", 999);
    return text + "\n";
}

} // namespace

TEST_CASE("GPTL's statistics: components, their waits, their own timers, and who they run on") {
    const TimedRun run =
        only_run(read_gptl_timing, "e3sm_timing_stats.123.240101", made_statistics(coupled_timers, 8));
    CHECK(run.of == "123.240101");
    CHECK(run.processes == 8);
    CHECK(run.cores.value == 16); // 8 tasks, of which some have two threads
    CHECK(run.startup_s.value == 10.824);
    CHECK(run.loop_s.value == 200.5);
    CHECK(run.shutdown_s.value == 1.25);
    REQUIRE(run.components.size() == 3); // the wave model is a stub
    const TimedComponent &atm = component_of(run, "atm"), &ocn = component_of(run, "ocn"),
                         &cpl = component_of(run, "cpl");
    CHECK(atm.processes == 6);
    CHECK(atm.computing_s.value == 160);
    CHECK_FALSE(atm.waiting_s.known()); // a barrier is no waiting for another component
    CHECK(part_of(atm, "CPL:ATM_RUN_BARRIER").max_s == 20);
    CHECK(ocn.computing_s.value == 97.5); // the longer of OCN_RUN and OCNT_RUN
    CHECK(ocn.waiting_s.value == 12);
    CHECK(ocn.waiting_s.from == "CPL:OCN_WAIT (e3sm_timing_stats.123.240101, line 16)");
    CHECK(ocn.threads == 2);
    CHECK(cpl.computing_s.value == 6);
    CHECK_FALSE(cpl.waiting_s.known());
    CHECK(part_of(atm, "a:CAM_run1").calls == 288);
    CHECK(part_of(atm, "a:CAM_run1").mean_s == 100); // 600 s / 6 processes
    CHECK(part_of(atm, "a:CAM_run1").min_s == 90);
    CHECK(part_of(ocn, "o_i:init").mean_s == 5);
    CHECK(part_of(ocn, "o:step").calls == 0);             // seven digits are not enough for 2,500,000,000
    CHECK_FALSE(is_known(part_of(ocn, "o:step").mean_s)); // the sum is over threads
}

TEST_CASE("GPTL's statistics: names without quotes, then with, then with the column on; a program without a driver "
          "is one component") {
    const TimedRun old = only_run(read_gptl_timing, "model_timing_stats", made_statistics(coupled_timers, 8, false));
    CHECK(component_of(old, "atm").computing_s.value == 160);
    CHECK(old.of == ".");
    const TimedRun middle =
        only_run(read_gptl_timing, "model_timing_stats", made_statistics(coupled_timers, 8, true, false));
    CHECK(component_of(middle, "atm").computing_s.value == 160);
    const TimedRun alone = only_run(read_gptl_timing, "timing.77/model_timing_stats",
                                    made_statistics({{"dyn_run", 8, 8, 80, 160, 21, 19}}, 8));
    CHECK(alone.of == "77");
    REQUIRE(alone.components.size() == 1);
    CHECK(alone.components[0].name == "model");
    CHECK(alone.components[0].processes == 8);
    CHECK(part_of(alone.components[0], "dyn_run").mean_s == 20); // 160 s / 8
}

TEST_CASE("GPTL: the timers of processes are added to each other, and give way to statistics") {
    const TimedRun first = only_run(read_gptl_timing, "run/model_timing.0000", made_process(0, 1));
    const TimedRun second = only_run(read_gptl_timing, "run/model_timing.0004", made_process(4, 1.5));
    CHECK_FALSE(component_of(first, "atm").computing_s.known()); // other processes may have been slower
    CHECK(first.loop_s.value == 200);
    CHECK(part_of(component_of(first, "atm"), "CPL:ATM_RUN").calls == 48); // not those of thread 1
    CHECK(part_of(component_of(first, "atm"), "a:CAM_run1").calls == 0);   // two digits of it
    const std::vector<TimedRun> both = joined_runs({first, second});
    REQUIRE(both.size() == 1);
    const TimedPart &run = part_of(component_of(both[0], "atm"), "CPL:ATM_RUN");
    CHECK(run.processes == 2);
    CHECK(run.calls == 96);
    CHECK(run.min_s == 100);
    CHECK(run.mean_s == 125); // of 100 and 150
    CHECK(run.max_s == 150);
    // the same in one file
    const TimedRun one = only_run(read_gptl_timing, "timing_all", made_process(0, 1) + made_process(4, 1.5));
    CHECK(part_of(component_of(one, "atm"), "CPL:ATM_RUN").mean_s == 125);
    CHECK(part_of(component_of(one, "atm"), "CPL:ATM_RUN").processes == 2);
    const TimedRun statistics =
        only_run(read_gptl_timing, "run/model_timing_stats", made_statistics(coupled_timers, 8));
    for (const std::vector<TimedRun> &all :
         {std::vector<TimedRun>{first, second, statistics}, {statistics, first, second}}) {
        const std::vector<TimedRun> joined = joined_runs(all);
        REQUIRE(joined.size() == 1);
        CHECK(part_of(component_of(joined[0], "atm"), "CPL:ATM_RUN").processes == 6);
        CHECK(part_of(component_of(joined[0], "atm"), "CPL:ATM_RUN").max_s == 160);
        CHECK(component_of(joined[0], "atm").computing_s.value == 160);
    }
}

TEST_CASE("GPTL: rows that cannot be used are left out in one line, but not those of the driver's timers") {
    std::vector<MadeTimer> timers = coupled_timers;
    timers.push_back({"CPL:FINAL_t_prf", 0, 0, 0, 0, 0, 0}); // on while the file is written
    timers.push_back({"a:many", 6, 6, 1.2e10, 60, 11, 9});
    timers.push_back({"a:write", 6, 6, 6, 0.0084, 0.001, 0.001});
    const std::string text = made_statistics(timers, 8);
    const TimedRun run = only_run(read_gptl_timing, "model_timing_stats", text);
    CHECK(run.loop_s.value == 200.5);
    REQUIRE(run.remarks.size() == 1);
    CHECK_THAT(run.remarks[0],
               Contains("Left out of its table of timers: 1 row. The first: model_timing_stats: line 21: "
                        "'CPL:FINAL_t_prf' has 0 processes."));
    const TimedComponent &atm = component_of(run, "atm");
    CHECK(part_of(atm, "a:many").calls == 0);        // seven digits are not enough for 1.2e10
    CHECK(part_of(atm, "a:many").mean_s == 10);      // 60 s / 6
    CHECK(part_of(atm, "a:write").mean_s == 0.0014); // 0.0084 s / 6, above the 0.001 that is printed as the most
    CHECK_FALSE(is_known(part_of(atm, "a:write").max_s));
    // one more row, damaged
    const std::string damaged = replaced(text, "110.000 (", "110,000 (");
    const TimedRun rest = only_run(read_gptl_timing, "model_timing_stats", damaged);
    CHECK(has_remark(rest.remarks, "1 row. The first: model_timing_stats: line 18: wallmax of 'a:CAM_run1' is"));
    CHECK(part_of(component_of(rest, "atm"), "a:CAM_run1").name.empty());
    CHECK(component_of(rest, "atm").computing_s.value == 160);
}

TEST_CASE("GPTL: the coupler's processes are those that prepare for a component, not all that call the driver") {
    std::vector<MadeTimer> timers = coupled_timers;
    timers.insert(timers.begin() + 4, {"CPL:ATMPREP", 4, 4, 192, 8, 2.5, 1.5});
    const TimedRun run = only_run(read_gptl_timing, "model_timing_stats", made_statistics(timers, 8));
    CHECK(component_of(run, "cpl").processes == 4);
    CHECK(component_of(run, "cpl").computing_s.value == 6);
}

TEST_CASE("GPTL: the driver's timers of CESM 1.0 are DRIVER_...") {
    std::string text = made_statistics(coupled_timers, 8, false);
    for (std::size_t at = text.find("CPL:"); at != std::string::npos; at = text.find("CPL:"))
        text.replace(at, 4, "DRIVER_");
    const TimedRun run = only_run(read_gptl_timing, "ccsm_timing_stats.1", text);
    CHECK(run.loop_s.value == 200.5);
    REQUIRE(run.components.size() == 3);
    CHECK(component_of(run, "atm").computing_s.value == 160);
    CHECK(component_of(run, "ocn").waiting_s.value == 12);
    CHECK(component_of(run, "cpl").computing_s.value == 6);
}

TEST_CASE("GPTL: damaged tables are refused with the line") {
    const std::string text = made_statistics(coupled_timers, 8);
    CHECK(refusal(read_gptl_timing, text) == "read");
    CHECK_THAT(refusal(read_gptl_timing, text + text), Contains("log: line 28: a second run begins here"));
    check_damaged(read_gptl_timing, text,
                  {{"160.000", "160,000", "line 12: wallmax of 'CPL:ATM_RUN' is"},
                   {"   160.000 (", "160.000 (", "line 12: a timer needs"}});
    check_cut(read_gptl_timing, text,
              {{"160.000", "line 12: a timer needs its name and 10"}, {"\"CPL:INIT\"", "no timer below this line"}});
    const std::string own = made_process(0, 1);
    CHECK_THAT(refusal(read_gptl_timing, own + made_process(4, 1) + made_process(0, 1)),
               Contains("a second run begins here"));
    check_cut(read_gptl_timing, own,
              {{"100.000000", "a timer needs its name, calls"}, {"ATM_RUN\"", "does not end with a quote"}});
}

TEST_CASE("GPTL: a process that several files tell of counts once") {
    const TimedRun first = only_run(read_gptl_timing, "run/model_timing.0000", made_process(0, 1));
    const TimedRun all =
        only_run(read_gptl_timing, "run/model_timing.all", made_process(4, 1.5) + made_process(0, 1));
    const std::vector<TimedRun> joined = joined_runs({first, all});
    REQUIRE(joined.size() == 1);
    CHECK(part_of(component_of(joined[0], "atm"), "CPL:ATM_RUN").processes == 1);
    CHECK(part_of(component_of(joined[0], "atm"), "CPL:ATM_RUN").mean_s == 100);
    CHECK(has_remark(joined[0].remarks, "PROCESS (model_timing.all, line 22): process 0 stands in another "
                                        "file of the run, too (PROCESS (model_timing.0000, line 2))"));
    // without its heading a file is of the process in its name, and has one table
    std::string bare = made_process(0, 1);
    bare = bare.substr(bare.find("Stats for thread 0"));
    const TimedRun named = only_run(read_gptl_timing, "run/model_timing.0000", bare);
    CHECK(has_remark(joined_runs({first, named}).at(0).remarks, "process 0 stands in another file"));
    CHECK(joined_runs({first, only_run(read_gptl_timing, "run/model_timing.0010", bare)}).at(0).remarks.empty());
    CHECK_THAT(refusal(read_gptl_timing, bare + bare), Contains("a second run begins here"));
}

TEST_CASE("GPTL: a table without the blank line below it may have lost timers") {
    const std::string whole = made_statistics(coupled_timers, 8);
    const std::size_t barrier = whole.find("\"CPL:OCNT_RUN"); // the ocean's timer that is the longer one
    const TimedRun run = only_run(read_gptl_timing, "e3sm_timing_stats.1", whole.substr(0, barrier));
    CHECK(has_remark(run.remarks, "CPL:OCN_RUN (e3sm_timing_stats.1, line 14): the file ends with this row"));
    CHECK(run.loop_s.value == 200.5);
    CHECK_FALSE(component_of(run, "ocn").computing_s.known());
    CHECK_FALSE(run.cores.known()); // the ocean's second thread is told by its last timers
    CHECK(run_of_timers(run).run.cores == 0);
    CHECK(only_run(read_gptl_timing, "e3sm_timing_stats.1", whole).remarks.empty());
    const std::string own = made_process(0, 1);
    CHECK(only_run(read_gptl_timing, "model_timing.0000", own).remarks.empty());
    CHECK(only_run(read_gptl_timing, "model_timing.0000", own.substr(0, own.find("*     \"a:CAM"))).remarks.size() ==
          1);
}
