// OASIS3-MCT's own load balance analysis: version 5, the report of 2020, lucia with and without spread.
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "tests/run/timers/read_timers.hpp"

#include "data/time.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

// Version 5 writes a10, f8.3, f8.3 into the rows, and the printed share as f6.2.
std::string oasis_5(const std::string &speed = " 250025.000") {
    return "  \n  ------------------------------\n  \n Coupled model simulation time (s):  126.000\n"
           "     (coupled components only)  \n  \n  ------------------------------\n  \n Speed (SYPD) : " +
           speed +
           "\n Cost (CHPSY) :    0.020\n  \n Model      ocean simulation time :  125.500\n"
           "                   cost (CHPSY):    0.010\n  ------------------------------\n  \n"
           "      Load balance analysis \n  \n  ------------------------------\n  \n"
           "  Model    /   Computing time  /  Waiting time  \n  \n"
           "     ocean /   80.000 /   20.000\n"
           "       atm /   99.500 /    0.500\n"
           "       lpj /  -10.000 /  110.000\n"
           "    xios.x /    0.000 /    0.000\n  \n  ------------------------------\n  \n"
           "      Additional information \n  \n  ------------------------------\n  \n"
           "  ------------------------------\n         ocean\n  ------------------------------\n  \n"
           "  Specific oasis_get time \n  (n/a if no oasis_get) \n          from model        atm\n"
           "         :   19.000\n  \n  -------------------\n  \n Total jitter :    1.250\n  \n"
           " Partial coupling cost (%) :  20.00\n"
           " Partial coupling cost including OASIS operations (%) :  23.00\n  \n  \n  OASIS Operations : \n"
           "  -------------------\n Total mapping/interpolation :    2.000\n     with spread :    0.125\n  \n"
           " Total Netcdf output (OUTPUT+EXPOUT+restart):    1.000\n     with spread :    0.250\n  \n"
           " Total Netcdf output for restart  only:    0.750\n     with spread :    0.375\n  \n"
           "  ------------------------------\n           atm\n  ------------------------------\n"
           " Total jitter :    0.500\n Partial coupling cost (%) :   0.50\n"
           "  ------------------------------\n  \n  Total time of this load balancing analysis: \n"
           "       :    0.228\n  \n  ------------------------------\n  Clock spread after synchronise \n"
           "       :   0.00000100\n";
}

std::string lucia() {
    return "  Processing OASIS LUCIA log files \n  Load balance analysis \n  \n"
           "  Component -         Calculations   -     Waiting time (s) - # cpl step :\n  \n"
           "  fesom                    1616.47                 45.08          4377\n"
           "  oifs                     1263.30                397.72          ****\n  \n"
           "  Additional informations\n  Component -  OASIS mean interpolation time -    Jitter  (s): \n"
           "  fesom                  12.50                       3.25\n"
           "  oifs                    0.00                       4.00\n  \n   lucia completed successfully \n";
}

} // namespace

TEST_CASE("OASIS 5: computing, waiting, jitter, waits and operations of each component") {
    const TimedRun run = only_run(read_oasis_balance, "load_balancing_info.txt", oasis_5());
    REQUIRE(run.components.size() == 4);
    CHECK(run.wall_s.value == 126.0);
    const TimedComponent &ocean = component_of(run, "ocean");
    CHECK(ocean.computing_s.value == 80.0);
    CHECK(ocean.waiting_s.value == 20.0);
    CHECK(ocean.loop_s.value == 100.0); // 80 + 20
    CHECK(ocean.jitter_s.value == 1.25);
    REQUIRE(ocean.waits.size() == 1);
    CHECK(ocean.waits[0].component == "atm");
    CHECK(ocean.waits[0].seconds.value == 19.0);
    CHECK(ocean.mapping_s.value == 2.0);
    CHECK(ocean.mapping_spread_s.value == 0.125);
    CHECK(ocean.output_s.value == 1.0);
    CHECK(ocean.output_spread_s.value == 0.25);
    CHECK(ocean.restart_s.value == 0.75);
    CHECK(ocean.restart_spread_s.value == 0.375);
    CHECK(ocean.jitter_s.from == "Total jitter (load_balancing_info.txt, line 44)");
    CHECK(component_of(run, "atm").jitter_s.value == 0.5);
}

TEST_CASE("OASIS 5: its own shares are those of our figures, to the printed digit") {
    const CoupledRun run = run_of_timers(only_run(read_oasis_balance, "log", oasis_5()));
    CHECK(run.components[0].balance.coupling_cost == Approx(0.2000)); // "20.00"
    CHECK(run.components[1].balance.coupling_cost == Approx(0.0050)); // "  0.50"
    CHECK(run.components[0].balance.jitter_s == 1.25);
    CHECK(run.components[0].balance.restart_spread_s == 0.375);
    const TimedRun other = only_run(read_oasis_balance, "log", replaced(oasis_5(), "(%) :  20.00", "(%) :  21.00"));
    CHECK(std::count_if(other.remarks.begin(), other.remarks.end(),
                        [](const std::string &r) { return r.find("21.00 %") != std::string::npos; }) == 1);
}

TEST_CASE("OASIS 5: waits that overlap are no waiting, and what was not measured is not 0") {
    const TimedRun run = only_run(read_oasis_balance, "log", oasis_5());
    const TimedComponent &lpj = component_of(run, "lpj"), &xios = component_of(run, "xios.x");
    CHECK(lpj.loop_s.value == 100.0);
    CHECK_FALSE(lpj.computing_s.known());
    CHECK_FALSE(lpj.waiting_s.known());
    CHECK_FALSE(xios.computing_s.known());
    CHECK_FALSE(xios.waiting_s.known());
    CHECK_FALSE(xios.loop_s.known());
    CHECK(run.remarks.at(1).find("110.000 s of waiting in a loop of 100.000 s") != std::string::npos);
}

TEST_CASE("OASIS 5: the printed speed is 365 x 365 times too large") {
    // 86400 s simulated in 126 s: it prints 86400 x 365 / 126 = 250285.714
    const TimedRun run = only_run(read_oasis_balance, "log", oasis_5(" 250285.714"));
    CHECK(run.simulated_s.value == Approx(86400).epsilon(1e-8));
    const CoupledRun coupled = run_of_timers(run);
    CHECK(coupled.cpmip.sypd == Approx(1.8787).epsilon(1e-4)); // (1 / 365 a) / (126 s / 86400 s)
    for (const char *unclear : {"      5.250", " **********"}) {
        const TimedRun other = only_run(read_oasis_balance, "log", oasis_5(unclear));
        CHECK_FALSE(other.simulated_s.known());
        CHECK(other.remarks.at(0).find("not known") != std::string::npos);
    }
}

TEST_CASE("OASIS 5: the report of 2020 says 'including restart'") {
    const TimedRun run =
        only_run(read_oasis_balance, "log",
                 replaced(oasis_5(), " Total Netcdf output for restart  only:", " including restart :"));
    CHECK(component_of(run, "ocean").restart_s.value == 0.75);
}

TEST_CASE("lucia: calculations, waiting, interpolation, jitter; with spread before 2013") {
    const TimedRun run = only_run(read_oasis_balance, "log", lucia());
    REQUIRE(run.components.size() == 2);
    CHECK(run.components[0].computing_s.value == 1616.47);
    CHECK(run.components[0].waiting_s.value == 45.08);
    CHECK(run.components[0].loop_s.value == Approx(1661.55));
    CHECK(run.components[0].mapping_s.value == 12.5);
    CHECK(run.components[1].jitter_s.value == 4.0);
    CHECK_FALSE(run.wall_s.known());
    const TimedRun old =
        only_run(read_oasis_balance, "log",
                 " Load balance analysis\n  Component -           Computation -       Waiting time (s) -"
                 "  # cpl step \n  ocean        100.50 ( +/-   1.25 )        20.00 ( +/-   0.50 )    24\n");
    CHECK(old.components.at(0).computing_s.value == 100.5);
    CHECK(old.components.at(0).waiting_s.value == 20.0);
}

TEST_CASE("OASIS: what is wrong is told with its line") {
    check_damaged(read_oasis_balance, oasis_5(),
                  {{" 80.000 /   20.000", " 80.000 / ********",
                    "log: line 22: waiting time is ********: it was too large for its column"},
                   {"   80.000", "   80,000", "line 22: computing time is '80,000': a comma"},
                   {"   99.500 /    0.500", "   99.500", "line 23: a component's line needs"},
                   {"       atm /   99", "     ocean /   99", "line 23: ocean is here twice"}});
    check_cut(read_oasis_balance, oasis_5(),
              {{"Total time of", "the file is cut"}, {"     ocean /", "the file is cut"}});
    check_damaged(read_oasis_balance, lucia(), {{"1616.47", "**********", "line 6: calculations is **********"}});
    const auto twice = [](const std::string &text) { return refusal(read_oasis_balance, text + text); };
    CHECK_THAT(twice(oasis_5()), Catch::Contains("line 77: a second run begins here"));
    CHECK_THAT(twice(lucia()), Catch::Contains("a second run begins here"));
}

TEST_CASE("OASIS: our own text of that name is refused, with what to do") {
    const CoupledRun run = run_of_timers(only_run(read_oasis_balance, "log", oasis_5()));
    const TimerText ours("load_balancing_info.txt", text_summary(run));
    CHECK(is_oasis_balance(ours));
    CHECK(refusal(read_oasis_balance, text_summary(run)) ==
          "log: line 1: a summary that cpl_lb wrote: give its folder to cpl-lb summary, compare or balance");
}
