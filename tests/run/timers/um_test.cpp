// The Unified Model's timer summaries, from output that is made here with the widths of versions 7 and 13.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using Catch::Contains;
using timer_files::only_run;
using timer_files::part_of;
using timer_files::refusal;
using timer_files::replaced;

namespace {

struct MadeRoutine {
    const char *name;
    double mean, median, deviation, most, least;
};

std::string made_table(const std::vector<MadeRoutine> &routines, bool is_new) {
    std::string text =
        is_new ? "N  ROUTINE         MEAN       MEDIAN        SD   % of mean          MAX  (PE)          MIN  (PE)\n"
               : "    ROUTINE   MEAN   MEDIAN       SD   % of mean      MAX   (PE)      MIN   (PE)\n";
    int number = 0;
    for (const MadeRoutine &r : routines) {
        const std::string share = r.mean > 0 ? fmt::format("{:6.2f}%", r.deviation / r.mean * 100) : "******%";
        text += is_new
                    ? fmt::format("{:02} {:<30} {:12.2f} {:12.2f} {:9.2f}     {} {:12.2f} ({:3}) {:12.2f} ({:3})\n",
                                  ++number, r.name, r.mean, r.median, r.deviation, share, r.most, 7, r.least, 433)
                    : fmt::format("{:3} {:<20} {:8.2f} {:8.2f} {:8.2f}     {} {:8.2f} (****) {:8.2f} ({:4})\n",
                                  ++number, r.name, r.mean, r.median, r.deviation, share, r.most, r.least, 5);
    }
    return text + "\n";
}

std::string made_um(const std::vector<MadeRoutine> &routines, bool is_new) {
    std::string text =
        is_new ? "END OF RUN - TIMER OUTPUT\nPE 0 Elapsed Wallclock Time:           1318.208 seconds\n"
                 "MPP Timing information :\n576 processors in atmosphere configuration 24 x 24\n"
                 "Number of OMP threads : 2\n\n"
               : " MPP Timing information : \n                   240  processors in configuration      16  x \n"
                 "                    15\n\n";
    if (is_new) text += "MPP : Non Inclusive timer summary\n\nWALLCLOCK  TIMES\n" + made_table(routines, is_new);
    text += fmt::format("{}MPP : Inclusive timer summary\n\nWALLCLOCK  TIMES\n", is_new ? "" : " ") +
            made_table(routines, is_new);
    return text + "CPU TIMES (sorted by wallclock times)\n" + made_table(routines, is_new) +
           "PARALLEL SPEEDUP SUMMARY\n";
}

const std::vector<MadeRoutine> um13 = {{"U_MODEL_4A", 1314.5, 1314.5, 0.06, 1315.75, 1314.25},
                                       {"Atm_Step_4A (AS)", 1100, 1101, 4.6, 1107.5, 1090},
                                       {"oasis3_geto2a", 150.25, 150, 1, 160, 140},
                                       {"AP2 Boundary Layer", 24.75, 24, 2.5, 30, 19.5},
                                       {"INITIAL", 12.25, 12.25, 0, 12.25, 12.25},
                                       {"AS CONVERT", 0, 0, 0.25, 5.95, 0}};

} // namespace

TEST_CASE("UM: the inclusive summary of a version 13, coupled by OASIS") {
    const TimedRun run = only_run(read_um_timers, "atm.out", made_um(um13, true));
    CHECK(run.wall_s.value == 1318.208);
    CHECK(run.startup_s.value == 12.25);
    CHECK(run.loop_s.value == 1314.5 - 12.25);
    CHECK(run.loop_s.from == "U_MODEL_4A (atm.out, line 22) - INITIAL (atm.out, line 26)");
    REQUIRE(run.components.size() == 1);
    const TimedComponent &atmosphere = run.components[0];
    CHECK(atmosphere.processes == 576);
    CHECK(atmosphere.threads == 2);
    CHECK(atmosphere.computing_s.value == 1107.5);
    CHECK(atmosphere.waiting_s.value == 150.25);
    CHECK(part_of(atmosphere, "Atm_Step_4A (AS)").min_s == 1090);
    CHECK(part_of(atmosphere, "AP2 Boundary Layer").mean_s == 24.75);
    CHECK(part_of(atmosphere, "AS CONVERT").max_s == 5.95);
    CHECK(run.remarks.empty());
    // its ocean had cores, too
    const CoupledRun results = run_of_timers(run);
    CHECK(results.run.cores == 0);
    CHECK(results.remarks.size() == 1);
    CHECK(timer_files::has_remark(results.remarks, "those of atmosphere alone, and other models ran beside it"));
}

TEST_CASE("UM: a version 7, and a table of one process alone") {
    const std::vector<MadeRoutine> um7 = {{"AS3 Atmos_Phys2", 1308.25, 1308.25, 0, 1308.5, 1308},
                                          {"AP2 Hydrology", 0.5, 0.5, 0.375, 1.25, 0}};
    const TimedRun run = only_run(read_um_timers, "atm.fort6.pe0", made_um(um7, false));
    CHECK(run.components.at(0).processes == 240);
    CHECK(run.components[0].threads == 0); // not told
    CHECK_FALSE(run.loop_s.known());
    CHECK_FALSE(run.components[0].computing_s.known());
    CHECK(part_of(run.components[0], "AS3 Atmos_Phys2").max_s == 1308.5);
    const std::string one = "                    Inclusive Timer Summary for PE    0\n"
                            "   ROUTINE              CALLS  TOT CPU    AVERAGE   TOT WALL  AVERAGE  SPEED-UP\n"
                            "  1 AS2 S-L Advection    480    100.25      0.21    101.50      0.21      0.99\n"
                            "  2 AP1 Energy Correct. ****      0.41      0.00      0.45      0.00      0.91\n\n";
    const TimedRun own = only_run(read_um_timers, "atm.fort6.pe0", one);
    CHECK(part_of(own.components.at(0), "AS2 S-L Advection").max_s == 101.5);
    CHECK(part_of(own.components[0], "AS2 S-L Advection").calls == 480);
    CHECK(part_of(own.components[0], "AP1 Energy Correct.").calls == 0);
    CHECK(own.components[0].processes == 0);
}

TEST_CASE("UM: damaged summaries are refused with the line") {
    const std::string text = made_um(um13, true);
    CHECK(refusal(read_um_timers, text) == "read");
    CHECK_THAT(refusal(read_um_timers, text + text), Contains("a second run begins here"));
    const std::string own = text.substr(text.find("MPP : Inclusive"));
    CHECK_THAT(refusal(read_um_timers, replaced(own, "     1107.50", "************")),
               Contains("log: line 6: MAX of 'Atm_Step_4A (AS)' is ************: it was too large for its column"));
    CHECK_THAT(refusal(read_um_timers, replaced(own, "MEDIAN", "MODE")),
               Contains("line 4: the columns are not N, ROUTINE"));
    CHECK_THAT(refusal(read_um_timers, replaced(own, "1107.50", "1107,50")), Contains("a comma in a number"));
    CHECK_THAT(refusal(read_um_timers, replaced(own, "1107.50", "       ")), Contains("line 6: a routine needs"));
    CHECK_THAT(refusal(read_um_timers, own.substr(0, own.find("1107.50"))), Contains("line 6: a routine needs"));
    CHECK_THAT(refusal(read_um_timers, own.substr(0, own.find("WALLCLOCK"))), Contains("no WALLCLOCK TIMES below"));
    CHECK_THAT(refusal(read_um_timers, text.substr(0, text.find("MPP : Inclusive"))),
               Contains("leaves out what a routine calls"));
    CHECK_THAT(refusal(read_um_timers, replaced(text, "1318.208 seconds", "21.970 minutes")),
               Contains("in 'minutes', not in seconds"));
}

TEST_CASE("UM: only INITIAL is start-up, and all receives of OASIS are waiting") {
    std::vector<MadeRoutine> routines = {{"INITIAL_CALC", 30, 30, 0, 31, 29}, {"oasis3_getw2a", 9.5, 9, 1, 10, 9}};
    routines.insert(routines.end(), um13.begin(), um13.end());
    const TimedRun run = only_run(read_um_timers, "atm.out", made_um(routines, true));
    CHECK(run.startup_s.value == 12.25);
    CHECK(run.loop_s.value == 1314.5 - 12.25);
    CHECK(run.components.at(0).waiting_s.value == 159.75); // 9.5 + 150.25
    routines.erase(routines.begin() + 6);                  // INITIAL
    REQUIRE(std::string(routines[5].name) == "AP2 Boundary Layer");
    const TimedRun none = only_run(read_um_timers, "atm.out", made_um(routines, true));
    CHECK_FALSE(none.startup_s.known());
    CHECK_FALSE(none.loop_s.known());
}

TEST_CASE("UM: a file that ends with a routine may have lost some, and cores are those of the run if it was alone") {
    const std::string text = made_um(um13, true);
    const std::string cut =
        text.substr(0, text.find("AP2 Boundary Layer", text.find("MPP : Inclusive")) - std::string("04 ").size());
    const TimedRun run = only_run(read_um_timers, "atm.out", cut);
    CHECK(timer_files::has_remark(run.remarks, "oasis3_geto2a (atm.out, line 24): the file ends with this row"));
    CHECK_FALSE(run.components.at(0).waiting_s.known()); // another receive may follow
    CHECK(run.components[0].computing_s.value == 1107.5);
    std::vector<MadeRoutine> alone = um13;
    alone.erase(alone.begin() + 2);
    const CoupledRun results = run_of_timers(only_run(read_um_timers, "atm.out", made_um(alone, true)));
    CHECK(results.run.cores == 1152); // 576 x 2
    CHECK(timer_files::has_remark(results.remarks, "Cores and cost are those of atmosphere alone"));
}
