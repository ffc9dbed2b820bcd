// NEMO's timing.output: 3.x to 4.2 with means, without MPI, and 5.0.
#include "data/time.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

// Two processes of 100.5 and 99.5 s: 200 s in all. Formats of NEMO 4.0.
std::string nemo_4() {
    return "       CNRS - NERC - Met OFFICE - MERCATOR-ocean - CMCC - INGV\n                         version 4.0  "
           "(2018) \n"
           " Total timing (sum) :\n --------------------\nElapsed Time (s)  CPU Time (s)\n"
           "          200.000      190.000\n \nAveraged timing on all processors :\n"
           "-----------------------------------\n"
           "Section             Elap. Time(s)  Elap. Time(%)  CPU Time(s)  CPU Time(%)  CPU/Elap Max elap(%)  Min "
           "elap(%)  Freq\n"
           "sbc_cpl_rcv         0.2500000E+02   25.00            24.00      25.26        0.96        30.00     20.00 "
           "   144.00\n"
           "tra_adv fct         0.1000000E+02   10.00            10.00      10.53        1.00        11.00      9.00 "
           "    72.00\n"
           " \n MPI summary report :\n --------------------\n \n"
           " Process Rank | Elapsed Time (s) | CPU Time (s) | Ratio CPU/Elapsed\n"
           " -------------|------------------|--------------|------------------\n"
           "    0         |     100.500      |      95.000  |      0.945\n"
           " ****         |      99.500      |      95.000  |      0.955\n"
           " -------------|------------------|--------------|------------------\n"
           " Total        |     200.000      |     190.000  |      1.900\n"
           " -------------|------------------|--------------|------------------\n"
           " Minimum      |      99.500      |      95.000  |      0.945\n"
           " -------------|------------------|--------------|------------------\n"
           " Maximum      |     100.500      |      95.000  |      0.955\n"
           " -------------|------------------|--------------|------------------\n"
           " Average      |     100.000      |      95.000  |      0.950\n \n"
           " Detailed timing for proc :           0\n --------------------------\n"
           " Section             Elapsed Time (s)  Elapsed Time (%)  CPU Time(s)  CPU Time (%)  CPU/Elapsed  "
           "Frequency\n"
           " sbc_cpl_rcv                   30.000            29.851       28.000        29.474        0.933        "
           "144\n \n"
           " Timing started on 01/02/2020 at 10:11:12 MET +01:00 from GMT\n"
           " Timing   ended on 01/02/2020 at 10:13:00 MET +01:00 from GMT\n";
}

std::string nemo_5() {
    const std::string head =
        " Section      | Net elapsed Time            | Full elapsed Time           | Frequency\n"
        " -------------|-----------------------------|-----------------------------|----------\n";
    return "                        version 5.0  (2024) \n Timing report:\n"
           " Timing started on 01/02/2020 at 23:59:59 MET +00:00 from GMT\n"
           " Timing   ended on 02/02/2020 at 00:01:39 MET +00:00 from GMT\n Elapsed Time mesured by timing (s):\n"
           "       avg over all MPI processes = 100.000000s\n       min over all MPI processes = 99.000000s\n"
           "       max over all MPI processes = 101.000000s\n              local MPI process   = 101.000000s\n"
           "   |   Performance statistics for the ENTIRE simulation   |\n"
           " Timing : AVG values over all MPI processes:\n" +
           head +
           " step         | 40.000000s ( 40.000 %) | 88.000000s ( 88.000 %) |         10\n"
           " nemo_init    |  8.000000s (  8.000 %) | 10.000000s ( 10.000 %) |          1\n"
           "WARNING: timings below are smaller than the estimation of the timing itself: .100000s\n"
           " small        |  0.010000s (  0.010 %) |  0.020000s (  0.020 %) |          3\n"
           " Timing : MAX load unbalance over all MPI processes (max-min) :\n" +
           head + " step         |  4.000000s ( 40.000 %) |  8.000000s ( 88.000 %) |         10\n" +
           " Timing : MIN values over all MPI processes:\n" + head +
           " step         | 38.000000s ( 38.000 %) | 84.000000s ( 84.000 %) |         10\n" +
           " Timing : MAX values over all MPI processes:\n" + head +
           " step         | 42.000000s ( 42.000 %) | 92.000000s ( 92.000 %) |         10\n" +
           "   |   Performance statistics between time step 4 and 8   |\n             Model speed (SYPD) : 12.34\n"
           " Timing : AVG values over all MPI processes:\n" +
           head + " step         |  1.000000s ( 40.000 %) |  2.000000s ( 88.000 %) |          4\n";
}

} // namespace

TEST_CASE("NEMO until 4.2: elapsed time, processes, sections with least and most") {
    const TimedRun run = only_run(read_nemo_timing, "timing.output", nemo_4());
    CHECK(run.remarks.empty());
    CHECK(run.wall_s.value == 100.5); // Maximum
    CHECK(run.started == "2020-02-01T09:11:12Z");
    CHECK(run.ended == "2020-02-01T09:13:00Z");
    const TimedComponent &nemo = component_of(run, "nemo");
    CHECK(nemo.processes == 2);
    CHECK_FALSE(nemo.waiting_s.known());   // receiving is more than waiting
    CHECK(nemo.computing_s.value == 75.0); // the mean, 100, less 25 of receiving
    REQUIRE(nemo.parts.size() == 2);
    const TimedPart &advection = part_of(nemo, "tra_adv fct");
    CHECK(advection.mean_s == 10.0);
    CHECK(advection.max_s == Approx(11.0)); // 11 % of 100 s
    CHECK(advection.min_s == Approx(9.0));
    CHECK(advection.calls == 144); // 72 on each of 2
    CHECK(advection.from == "tra_adv fct (timing.output, line 12)");
    // The printed shares are ours.
    CHECK(100 * advection.mean_s / 100.0 == Approx(10.00));
}

TEST_CASE("NEMO until 4.2: without MPI, and with different sections on processes") {
    const std::string alone =
        nemo_4().substr(0, nemo_4().find("Averaged")) + nemo_4().substr(nemo_4().find(" Detailed"));
    const TimedRun run = only_run(read_nemo_timing, "log", alone);
    CHECK(component_of(run, "nemo").processes == 1);
    CHECK(run.wall_s.value == 200.0);
    CHECK(part_of(component_of(run, "nemo"), "sbc_cpl_rcv").mean_s == 30.0);
    const std::string mixed = "  Some CPU have different number of routines instrumented for timing\n" +
                              nemo_4().substr(0, nemo_4().find("Averaged")) +
                              nemo_4().substr(nemo_4().find(" MPI summary"));
    const TimedRun two = only_run(read_nemo_timing, "log", mixed);
    CHECK(component_of(two, "nemo").parts.empty());
    CHECK(two.remarks.at(0).find("no means") != std::string::npos);
}

TEST_CASE("NEMO until 4.2: a sum that is not that of its processes is told") {
    const TimedRun run = only_run(read_nemo_timing, "log", replaced(nemo_4(), "100.500      |", "101.500      |"));
    CHECK(run.remarks.at(0).find("200.000 s in all, and its parts add up to 201.000 s") != std::string::npos);
}

TEST_CASE("NEMO until 4.2: a section with less than no time is left out, and told") {
    // As in a run of 480 processes that a public repository shows: trc_adv with -8 s.
    const TimedRun run = only_run(
        read_nemo_timing, "log",
        replaced(nemo_4(), "0.1000000E+02   10.00            10.00      10.53        1.00        11.00      9.00",
                 "-.8005814E+01   -8.01            -8.00      -8.42        1.00        -4.60     -5.14"));
    CHECK(component_of(run, "nemo").parts.size() == 1);
    CHECK(run.remarks.at(0) ==
          "tra_adv fct (log, line 12): less than 0 s, because NEMO took the time of sections inside "
          "off twice. Such sections are left out: 1.");
}

TEST_CASE("NEMO until 4.2: the mean of a short section is not above its most, which has two digits") {
    // 0.004 s are 0.004 % of 100 s: printed as 0.00
    const TimedRun run = only_run(
        read_nemo_timing, "log",
        replaced(nemo_4(), "0.1000000E+02   10.00            10.00      10.53        1.00        11.00      9.00",
                 "0.4000000E-02    0.00             0.00       0.00        1.00         0.00      0.00"));
    const TimedPart &part = part_of(component_of(run, "nemo"), "tra_adv fct");
    CHECK(part.mean_s == 0.004);
    CHECK(part.max_s == 0.004);
    CHECK(part.min_s == 0.0);
}

TEST_CASE("NEMO 5: full times of the entire simulation") {
    const TimedRun run = only_run(read_nemo_timing, "timing.output", nemo_5());
    CHECK(run.wall_s.value == 101.0);
    CHECK(run.started == "2020-02-01T23:59:59Z");
    const TimedComponent &nemo = component_of(run, "nemo");
    CHECK(nemo.processes == 0); // not in the file
    CHECK(nemo.startup_s.value == 10.0);
    CHECK(nemo.loop_s.value == 90.0);      // 100 - 10
    CHECK(nemo.computing_s.value == 90.0); // it receives nothing
    REQUIRE(nemo.parts.size() == 3);
    const TimedPart &step = part_of(nemo, "step");
    CHECK(step.mean_s == 88.0);
    CHECK(step.min_s == 84.0);
    CHECK(step.max_s == 92.0);
    CHECK_FALSE(is_known(part_of(nemo, "small").min_s));
}

TEST_CASE("NEMO: what is wrong is told with its line") {
    const auto of = [](const std::string &text) { return refusal(read_nemo_timing, text); };
    CHECK(of(replaced(nemo_4(), "      9.00     72.00", "      9.00*********")).find("line 12: ") !=
          std::string::npos);
    CHECK(of(replaced(nemo_4(), "0.1000000E+02", "*************")).find("line 12: tra_adv fct is *************") !=
          std::string::npos);
    CHECK(of(replaced(nemo_4(), "  200.000      190.000", "  200,000      190,000"))
              .find("line 6: Total timing (sum) is '200,000'") != std::string::npos);
    CHECK(of(nemo_4() + nemo_4()).find("line 39: a second run begins here") != std::string::npos);
    CHECK(of(nemo_4().substr(0, nemo_4().find(" Average "))).find("the file is cut") != std::string::npos);
    CHECK(of(nemo_4().substr(0, nemo_4().find("          200.000 "))).find("the file is cut") != std::string::npos);
    CHECK(of(nemo_5() + nemo_5()).find("a second run begins here") != std::string::npos);
    CHECK(of(nemo_5().substr(0, nemo_5().find("   |   Perf"))).find("the file is cut") != std::string::npos);
    CHECK(of(replaced(nemo_5(), "= 100.000000s", "= 100.000000m")).find("no seconds") != std::string::npos);
    CHECK(of(replaced(nemo_5(), "01/02/2020", "01/13/2020")).find("is no time of day") != std::string::npos);
}
