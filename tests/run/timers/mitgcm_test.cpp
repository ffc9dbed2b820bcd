// MITgcm's STDOUT.0000: with MAIN_DO_LOOP, the older names, and a coupled model.
#include "data/time.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

const std::string mitgcm_label = "(PID.TID 0000.0001) ";

std::string mitgcm_section(const std::string &name, const std::string &wall, int starts = 1, int stops = 1) {
    return mitgcm_label + "  Seconds in section \"" + name + "\":\n" + mitgcm_label +
           "          User time:   1.7597330546705052\n" + mitgcm_label +
           "        System time:  1.09979999251663685E-002\n" + mitgcm_label + "    Wall clock time:" + wall + "\n" +
           mitgcm_label + "         No. starts:" + std::to_string(starts) + "\n" + mitgcm_label +
           "          No. stops:" + std::to_string(stops) + "\n";
}

std::string mitgcm_head() {
    return mitgcm_label + "// MITgcmUV version:  checkpoint67e\n" + mitgcm_label +
           "  nProcs =    4 ; /* Total no. processes ( = nPx*nPy ) */\n" + mitgcm_label +
           "nThreads =    2 ; /* Total no. threads per process ( = nTx*nTy ) */\n" + mitgcm_label +
           "> nTimeSteps=99,\n" + mitgcm_label + "nTimeSteps =   /* Total number of time-steps */\n" + mitgcm_label +
           "                      72\n" + mitgcm_label + "deltaTClock  =   /* Model clock timestep ( s ) */\n" +
           mitgcm_label + "                 1.200000000000000E+03\n";
}

std::string mitgcm(const std::string &more = "") {
    return mitgcm_head() + mitgcm_section("ALL                    [THE_MODEL_MAIN]", "   100.0") +
           mitgcm_section("INITIALISE_FIXED       [THE_MODEL_MAIN]", "  4.0000000000000000E+00") +
           mitgcm_section("INITIALISE_VARIA    [THE_MAIN_LOOP]", "  6.0") +
           mitgcm_section("MAIN LOOP           [THE_MAIN_LOOP]", "  89.0") +
           mitgcm_section("MAIN_DO_LOOP        [THE_MAIN_LOOP]", "  88.0", 72, 72) + more +
           "PROGRAM MAIN: Execution ended Normally\n";
}

} // namespace

TEST_CASE("MITgcm: run, loop, start-up, sections, simulated time") {
    const TimedRun run = only_run(read_mitgcm_stdout, "STDOUT.0000", mitgcm());
    CHECK(run.wall_s.value == 100.0);
    CHECK(run.loop_s.value == 88.0);
    CHECK(run.startup_s.value == 10.0);      // 4 + 6
    CHECK(run.simulated_s.value == 86400.0); // 72 x 1200
    const TimedComponent &model = component_of(run, "mitgcm");
    CHECK(model.processes == 4);
    CHECK(model.threads == 2);
    CHECK(model.computing_s.value == 88.0);
    CHECK_FALSE(model.waiting_s.known());
    const TimedPart &loop = part_of(model, "MAIN_DO_LOOP [THE_MAIN_LOOP]");
    CHECK(loop.calls == 72);
    CHECK(loop.processes == 1); // the others' times are in their own files
    CHECK(loop.from == "MAIN_DO_LOOP [THE_MAIN_LOOP] (STDOUT.0000, line 33)");
    // 1 day in 100 s: 86400 / (365 x 100) SYPD; 8 cores
    const CoupledRun coupled = run_of_timers(run);
    CHECK(coupled.cpmip.sypd == Approx(2.36712).epsilon(1e-5));
    CHECK(coupled.cpmip.sypd * coupled.cpmip.chsy == Approx(24 * 8));
}

TEST_CASE("MITgcm: the older loop, a coupled model, threads, a coupler's time") {
    const std::string old = mitgcm_head() + mitgcm_section("ALL    [THE_MODEL_MAIN]", " 100.0") +
                            mitgcm_section("MAIN LOOP [THE_MODEL_MAIN]", " 95.0") +
                            "PROGRAM MAIN: Execution ended Normally\n";
    CHECK(only_run(read_mitgcm_stdout, "log", old).loop_s.value == 95.0);
    const TimedRun coupled = only_run(read_mitgcm_stdout, "log",
                                      mitgcm(mitgcm_section("CPL_EXPORT-IMPORT  [FORWARD_STEP]", " 18.0", 72, 72)));
    CHECK_FALSE(component_of(coupled, "mitgcm").waiting_s.known());   // sending is in that timer
    CHECK(component_of(coupled, "mitgcm").computing_s.value == 70.0); // 88 - 18
    std::string second = mitgcm_section("ALL    [THE_MODEL_MAIN]", " 100.0");
    for (std::size_t at = second.find(".0001)"); at != std::string::npos; at = second.find(".0001)"))
        second.replace(at, 6, ".0002)");
    CHECK(component_of(only_run(read_mitgcm_stdout, "log",
                                mitgcm().substr(0, mitgcm().find("PROGRAM")) + replaced(second, "ALL ", "OTHER ")),
                       "mitgcm")
              .parts.size() == 5);
}

TEST_CASE("MITgcm: what is wrong is told with its line") {
    const auto of = [](const std::string &text) { return refusal(read_mitgcm_stdout, text); };
    CHECK(of(mitgcm_head()).find("the run did not end") != std::string::npos);
    CHECK(of(mitgcm() + mitgcm()).find("line 48: a second run begins here") != std::string::npos);
    const std::string cut = mitgcm().substr(0, mitgcm().find("    Wall clock time:   100.0") - mitgcm_label.size());
    CHECK(of(cut).find("'Wall clock time' is missing: the file is cut") != std::string::npos);
    CHECK(of(replaced(mitgcm(), "   100.0", "   100,0")).find("line 12: Wall clock time is '100,0': a comma") !=
          std::string::npos);
    CHECK(of(replaced(mitgcm(), "   100.0", "   0.0")).find("line 9: the wall clock time is 0") != std::string::npos);
    CHECK(of(replaced(mitgcm(), "  nProcs =    4", "  nProcs = ****")).find("line 2: nProcs is ****") !=
          std::string::npos);
    CHECK(of(replaced(mitgcm(), "  nProcs =    4", "  nProcs = 999999999")).find("line 2: nProcs is 999999999") !=
          std::string::npos);
    std::string other = mitgcm();
    for (std::size_t at = other.find("0000.0001"); at != std::string::npos; at = other.find("0000.0001"))
        other.replace(at, 9, "0003.0001");
    CHECK(of(other).find("line 9: of process 0003") != std::string::npos);
    const TimedRun run = only_run(read_mitgcm_stdout, "log", mitgcm(mitgcm_section("X [Y]", " 1.0", 3, 2)));
    CHECK(run.remarks.at(0).find("3 starts, but 2 stops") != std::string::npos);
}

TEST_CASE("MITgcm: a file that ends with a section may have lost some") {
    const std::string whole = mitgcm(mitgcm_section("CPL_EXPORT-IMPORT  [FORWARD_STEP]", " 18.0", 72, 72));
    // CPL_EXPORT-IMPORT is what the loop holds beside computing
    const TimedRun no_coupling = only_run(read_mitgcm_stdout, "log",
                                          whole.substr(0, whole.find(mitgcm_label + "  Seconds in section \"CPL_")));
    CHECK(no_coupling.loop_s.value == 88.0);
    CHECK(no_coupling.wall_s.value == 100.0);
    CHECK_FALSE(component_of(no_coupling, "mitgcm").computing_s.known());
    CHECK(
        has_remark(no_coupling.remarks, "MAIN_DO_LOOP [THE_MAIN_LOOP] (log, line 33): the file ends with this row"));
    // MAIN LOOP is the loop only if MAIN_DO_LOOP is not inside of it
    const TimedRun no_loop = only_run(read_mitgcm_stdout, "log",
                                      whole.substr(0, whole.find(mitgcm_label + "  Seconds in section \"MAIN_DO")));
    CHECK_FALSE(no_loop.loop_s.known());
    CHECK(no_loop.startup_s.value == 10.0);
}

TEST_CASE("MITgcm: cores of the ocean are those of the run where it ran alone") {
    const CoupledRun maybe = run_of_timers(only_run(read_mitgcm_stdout, "log", mitgcm()));
    CHECK(maybe.run.cores == 8);
    CHECK(has_remark(maybe.remarks, "Cores and cost are those of mitgcm alone"));
    const CoupledRun coupled = run_of_timers(only_run(
        read_mitgcm_stdout, "log", mitgcm(mitgcm_section("CPL_EXPORT-IMPORT  [FORWARD_STEP]", " 18.0", 72, 72))));
    CHECK(coupled.run.cores == 0); // n/a
    CHECK(coupled.cpmip.sypd == Approx(2.36712).epsilon(1e-5));
    CHECK_FALSE(is_known(coupled.cpmip.chsy));
    REQUIRE(coupled.remarks.size() == 1);
    CHECK(coupled.remarks[0].find("The timers are those of mitgcm alone, and other models ran beside it") == 0);
}
