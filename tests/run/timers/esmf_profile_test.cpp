// ESMF's profile, with and without its column PEs, from tables that are made here; and beside CIME's summary.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using Catch::Contains;
using namespace timer_files;

namespace {

struct MadeRegion {
    int level;
    const char *name;
    int pets, pes;
    const char *count;
    double mean, min, max;
};

std::string made_profile(const std::vector<MadeRegion> &regions, bool with_pes = true) {
    std::string text = "********\nIMPORTANT: Large deviations between Connector times on different PETs\n"
                       "\t - [OCN-TO-MED] RunPhase1\n********\n\n";
    text += fmt::format("{:<40} {:<6} {}{:<8} Mean (s)    Min (s)     Min PET Max (s)     Max PET\n", "Region",
                        "PETs", with_pes ? "PEs    " : "", "Count");
    for (const MadeRegion &r : regions) {
        text +=
            fmt::format("{:<40} {:<6} ", std::string(static_cast<std::size_t>(r.level) * 2, ' ') + r.name, r.pets);
        if (with_pes) text += fmt::format("{:<6} ", r.pes);
        text += fmt::format("{:<8} {:<11.4f} {:<11.4f} {:<7} {:<11.4f} {:<7}\n", r.count, r.mean, r.min, 0, r.max, 1);
    }
    return text;
}

const std::vector<MadeRegion> om3 = {{1, "[ESMF]", 96, 192, "1", 1100, 1090, 1110},
                                     {2, "[ensemble] Init 1", 96, 192, "1", 100, 98, 101},
                                     {3, "[ESM0001] IPDv02p3", 96, 192, "1", 90, 80, 95},
                                     {2, "[ensemble] RunPhase1", 96, 192, "1", 990, 985, 995},
                                     {3, "[ESM0001] RunPhase1", 96, 192, "1", 990, 985, 994},
                                     {4, "[OCN] RunPhase1", 64, 128, "480", 800, 780, 820},
                                     {5, "mom_step", 64, 128, "480", 790, 770, 810},
                                     {4, "[OCN-TO-MED] RunPhase1", 96, 192, "480", 50, 1, 200},
                                     {4, "[ICE] RunPhase1", 32, 64, "480", 300, 290, 310},
                                     {5, "cice_run_total", 32, 64, "480", 295, 285, 305},
                                     {6, "cice_halo", 32, 64, "MULTIPLE", 5, 1, 9},
                                     {4, "[MED] med_phases_prep_ocn", 32, 64, "480", 12, 10, 14},
                                     {4, "[MED] med_phases_restart_write", 32, 64, "480", 3, 2, 4},
                                     {4, "[WAV] RunPhase1", 32, 64, "480", 0.0003, 0.0001, 0.0004},
                                     {2, "[ensemble] FinalizePhase1", 96, 192, "1", 7, 6, 8}};

// CIME's summary of the same run, in which the wave model is a stub.
const char *const cime_summary = R"(---------------- TIMING PROFILE ---------------------
  Case        : om3
  LID         : 77.gadi.240101-120000
  Machine     : gadi
  Driver      : CMEPS
  stop option : ndays, stop_n = 20
  run length  : 20 days (20.0 for ocean)

  component       comp_pes    root_pe   tasks  x threads instances (stride)
  ---------        ------     -------   ------   ------  ---------  ------
  cpl = cpl        64         0         32     x 2       1      (1     )
  ice = cice       64         0         32     x 2       1      (1     )
  ocn = mom        128        32        64     x 2       1      (1     )
  wav = swav       64         0         32     x 2       1      (1     )

  total pes active           : 192
  mpi tasks per node         : 48

    Init Time   :     101.000 seconds
    Run Time    :     995.000 seconds       49.750 seconds/day
    Final Time  :       8.000 seconds

    TOT Run Time:     995.000 seconds       49.750 seconds/mday         4.76 myears/wday
    CPL Run Time:      15.000 seconds        0.750 seconds/mday       315.62 myears/wday
    ICE Run Time:     310.000 seconds       15.500 seconds/mday        15.27 myears/wday
    OCN Run Time:     820.000 seconds       41.000 seconds/mday         5.77 myears/wday
    WAV Run Time:       0.000 seconds        0.000 seconds/mday         0.00 myears/wday
)";

} // namespace

TEST_CASE("ESMF profile: components as CIME reads them, connectors, regions by their way") {
    const TimedRun run =
        only_run(read_esmf_profile, "cesm.ESMF_Profile.summary.77.gadi.240101-120000", made_profile(om3));
    CHECK(run.of == "77.gadi.240101-120000");
    CHECK(run.processes == 96);
    CHECK(run.cores.value == 192);
    CHECK(run.wall_s.value == 1110);
    CHECK(run.startup_s.value == 101); // the most of each phase
    CHECK(run.loop_s.value == 995);
    CHECK(run.shutdown_s.value == 8);
    REQUIRE(run.components.size() == 3); // a stub's 0.0004 s are 0.000 in CIME's summary, which leaves it out
    const TimedComponent &ocean = component_of(run, "ocn"), &ice = component_of(run, "ice"),
                         &cpl = component_of(run, "cpl");
    CHECK(ocean.computing_s.value == 820);
    CHECK(ocean.processes == 64);
    CHECK(ocean.threads == 2); // 128 PEs / 64 PETs
    CHECK(ice.computing_s.value == 310);
    CHECK(cpl.computing_s.value == 12 + 3); // the sum of the means of the mediator's phases
    CHECK_FALSE(ocean.waiting_s.known());
    CHECK(part_of(ice, "RunPhase1/cice_run_total").calls == 480 * 32);
    CHECK(part_of(ice, "RunPhase1/cice_run_total/cice_halo").calls == 0); // MULTIPLE
    CHECK(part_of(ice, "RunPhase1/cice_run_total/cice_halo").max_s == 9);
    CHECK(part_of(ocean, "[OCN-TO-MED] RunPhase1").min_s == 1);
    CHECK(part_of(cpl, "[OCN-TO-MED] RunPhase1").max_s == 200);
    CHECK(part_of(ice, "[OCN-TO-MED] RunPhase1").name.empty());
}

TEST_CASE("ESMF profile: the layout before ESMF 8.3, and a driver without an ensemble (UFS)") {
    const std::vector<MadeRegion> ufs = {{1, "[ESMF]", 200, 200, "1", 500, 499, 501},
                                         {2, "[UFS Driver Grid Comp] IPDv02p1", 200, 200, "1", 30, 29, 31},
                                         {2, "[UFS Driver Grid Comp] IPDv02p3", 200, 200, "1", 20, 19, 21},
                                         {2, "[UFS Driver Grid Comp] RunPhase1", 200, 200, "1", 440, 439, 441},
                                         {3, "[ATM] RunPhase1", 150, 150, "72", 400, 398, 402},
                                         {3, "[ATM-TO-MED] RunPhase1", 200, 200, "72", 3, 1, 5},
                                         {3, "[MED] med_phases_prep_ocn_avg", 150, 150, "72", 2, 1, 3},
                                         {3, "[ATM-TO-MED] RunPhase1", 200, 200, "24", 1, 1, 2},
                                         {3, "[OCN] RunPhase1", 50, 50, "24", 300, 298, 302},
                                         {2, "[UFS Driver Grid Comp] FinalizePhase1", 200, 200, "1", 4, 3, 5}};
    const TimedRun run = only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(ufs, false));
    CHECK(run.of.empty());
    CHECK(run.startup_s.value == 31 + 21);
    CHECK(run.loop_s.value == 441);
    REQUIRE(run.components.size() == 3);
    CHECK(component_of(run, "atm").computing_s.value == 402);
    CHECK(component_of(run, "atm").threads == 1);
    CHECK(component_of(run, "med").computing_s.value == 2);
    // listed twice: 72 x 200 + 24 x 200 calls, means of 3 and 1 s; the PET with the most of both is not told
    const TimedPart &twice = part_of(component_of(run, "atm"), "[ATM-TO-MED] RunPhase1");
    CHECK(twice.calls == 96 * 200);
    CHECK(twice.mean_s == 4);
    CHECK_FALSE(is_known(twice.max_s));
}

// 8 PETs: 6 of the atmosphere, of which 4 forecast and 2 write, and 2 of the ocean.
const std::vector<MadeRegion> earth = {{1, "[EARTH Grid Comp] RunPhase1", 8, 8, "1", 100, 90, 105},
                                       {2, "[ATM] RunPhase1", 6, 6, "10", 70, 68, 80},
                                       {3, "[fv3_fcst] Run 1", 4, 4, "10", 69.5, 68, 70},
                                       {3, "[wrtComp_01] Run 1", 2, 2, "2", 4, 3.9, 4.1},
                                       {2, "[OCN] RunPhase1", 2, 2, "5", 50, 49, 51},
                                       {1, "[EARTH Grid Comp] Init 1", 8, 8, "1", 10, 9.9, 10.1},
                                       {2, "[ATM] IPDvXp01", 6, 6, "1", 5, 4.9, 5.1},
                                       {1, "[EARTH Grid Comp] FinalizePhase1", 8, 8, "1", 1, 0.9, 1.1}};

void check_earth(const TimedRun &run) {
    CHECK(run.processes == 8);
    CHECK(run.loop_s.value == 105);
    CHECK(run.startup_s.value == 10.1);
    CHECK(run.shutdown_s.value == 1.1);
    REQUIRE(run.components.size() == 3);
    CHECK(component_of(run, "ocn").computing_s.value == 51);
    // The 80 s of the atmosphere's phase are those of a writing PET that waits for the forecast.
    const TimedComponent &atm = component_of(run, "atm"), &writes = component_of(run, "atm wrtComp_01");
    CHECK(atm.computing_s.value == 70);
    CHECK(atm.processes == 4);
    CHECK(writes.computing_s.value == 4.1);
    CHECK(writes.processes == 2);
    CHECK(part_of(atm, "RunPhase1").max_s == 80);
    CHECK(part_of(writes, "Run 1").max_s == 4.1);
}

TEST_CASE(
    "ESMF profile: components are found by structure, whatever stands around the driver; processes with other jobs "
    "are components of their own") {
    check_earth(only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(earth, false)));
    std::vector<MadeRegion> whole = {{1, "[ESMF]", 8, 8, "1", 116, 115, 117}};
    std::vector<MadeRegion> nems = {{1, "[NEMS Grid Comp] Run 1", 8, 8, "1", 100, 90, 105}};
    for (MadeRegion region : earth) {
        ++region.level;
        whole.push_back(region);
        const bool of_end = std::string(region.name).starts_with("[EARTH Grid Comp] F");
        if (std::string(region.name).starts_with("[EARTH Grid Comp] I"))
            nems.push_back({1, "[NEMS Grid Comp] Init 1", 8, 8, "1", 10, 9.9, 10.1});
        if (of_end) nems.push_back({1, "[NEMS Grid Comp] Final 1", 8, 8, "1", 1, 0.9, 1.1});
        nems.push_back(region);
    }
    const TimedRun run = only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(whole, false));
    check_earth(run);
    CHECK(run.wall_s.value == 117);
    check_earth(only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(nems, false)));
    // A forecast in two phases: the means add up, 69.5 + 2.
    std::vector<MadeRegion> two = earth;
    two.insert(two.begin() + 3, {3, "[fv3_fcst] Run 2", 4, 4, "10", 2, 1, 3});
    const TimedRun phases = only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(two, false));
    CHECK(component_of(phases, "atm").computing_s.value == 71.5);
    CHECK(component_of(phases, "atm").processes == 4);
    // An atmosphere alone is the only phase of its driver, and its jobs are no components of a driver.
    std::vector<MadeRegion> alone = earth;
    alone.erase(alone.begin() + 4);
    const TimedRun only = only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(alone, false));
    CHECK(component_of(only, "atm").computing_s.value == 70);
    CHECK(component_of(only, "atm wrtComp_01").processes == 2);
    // Grid components on the same processes, one after the other, are parts of one component.
    std::vector<MadeRegion> same = earth;
    same[2].pets = same[3].pets = 6;
    CHECK(only_run(read_esmf_profile, "ESMF_Profile.summary", made_profile(same, false)).components.size() == 2);
}

TEST_CASE("ESMF profile: a component's own region that cannot be read is left out, with what is below it") {
    const TimedRun run =
        only_run(read_esmf_profile, "ESMF_Profile.summary", replaced(made_profile(om3), "305.0000", "********"));
    CHECK(component_of(run, "ice").computing_s.value == 310);
    CHECK(part_of(component_of(run, "ice"), "RunPhase1/cice_run_total").name.empty());
    CHECK(has_remark(run.remarks,
                     "1 row. The first: ESMF_Profile.summary: line 16: Max (s) of 'cice_run_total' is ***"));
}

TEST_CASE("ESMF profile: beside CIME's summary of the same run, whichever comes first") {
    const TimedRun profile =
        only_run(read_esmf_profile, "cesm.ESMF_Profile.summary.77.gadi.240101-120000", made_profile(om3));
    const TimedRun summary = only_run(read_cesm_timing, "cesm_timing.om3.77", cime_summary);
    for (const std::vector<TimedRun> &both : {std::vector<TimedRun>{profile, summary}, {summary, profile}}) {
        const std::vector<TimedRun> runs = joined_runs(both);
        REQUIRE(runs.size() == 1);
        CHECK(runs[0].coupler == "CMEPS");
        CHECK(runs[0].loop_s.from == "Run Time (cesm_timing.om3.77, line 20)");
        REQUIRE(runs[0].components.size() == 3);
        // both files tell the same figures
        for (const char *name : {"cpl", "ice", "ocn"}) {
            CHECK(component_of(summary, name).computing_s.value == component_of(profile, name).computing_s.value);
            CHECK(component_of(summary, name).processes == component_of(profile, name).processes);
        }
        CHECK(summary.startup_s.value == profile.startup_s.value);
        CHECK(part_of(component_of(runs[0], "ice"), "RunPhase1/cice_run_total").max_s == 305);
        CHECK(run_of_timers(runs[0]).run.layout == "max(ice+cpl,ocn)");
    }
    // a component that the summary leaves out for its 0.000 s has no place in the layout
    std::vector<MadeRegion> more = om3;
    more.insert(more.end() - 1, {4, "[ROF] RunPhase1", 32, 64, "480", 0.5, 0.25, 0.75});
    const std::string lid = "cesm.ESMF_Profile.summary.77.gadi.240101-120000";
    for (const std::vector<TimedRun> &both :
         {std::vector<TimedRun>{only_run(read_esmf_profile, lid, made_profile(more)), summary},
          {summary, only_run(read_esmf_profile, lid, made_profile(more))}}) {
        REQUIRE(joined_runs(both).size() == 1);
        CHECK(joined_runs(both)[0].components.size() == 3);
    }
}

TEST_CASE("ESMF profile: damaged tables are refused with the line") {
    const std::string text = made_profile(om3);
    CHECK(refusal(read_esmf_profile, text) == "read");
    CHECK(refusal(read_esmf_profile, text + text) ==
          "log: line 27: a second run begins here: give each run its own file");
    check_damaged(
        read_esmf_profile, text,
        {{"820.0000", "        ", "log: line 12: a region needs its name and 8 numbers"},
         {"820.0000", "820,0000", "line 12: Max (s) of '[OCN] RunPhase1' is '820,0000': a comma in a number"},
         {"820.0000", "********", "line 12: Max (s) of"},
         {"  [ESMF]", "  [XYZ] ", "there is no '[...] RunPhase1' of the whole program"}});
    check_cut(read_esmf_profile, text,
              {{"[ensemble] RunPhase1", "there is no '[...] RunPhase1' of the whole program"},
               {"  [ESMF]", "no region below"}});
    std::vector<MadeRegion> two = om3;
    two.insert(two.end() - 1, {3, "[ESM0002] RunPhase1", 96, 192, "1", 1, 1, 1});
    CHECK_THAT(refusal(read_esmf_profile, made_profile(two)), Contains("several instances"));
}

TEST_CASE("ESMF profile: a table that ends inside the run phase may have lost components") {
    const std::string text = made_profile(om3);
    CHECK(only_run(read_esmf_profile, "log", text).remarks.empty());
    const TimedRun run =
        only_run(read_esmf_profile, "log", text.substr(0, text.find("        [MED] med_phases_restart")));
    CHECK(has_remark(run.remarks, "[MED] med_phases_prep_ocn (log, line 18): the file ends with this row"));
    CHECK(run.loop_s.value == 995);
    CHECK_FALSE(run.startup_s.known());
    CHECK_FALSE(component_of(run, "cpl").computing_s.known()); // of 12 + 3 s the second is missing
    CHECK(part_of(component_of(run, "cpl"), "med_phases_prep_ocn").mean_s == 12);
    std::vector<MadeRegion> start_last = om3; // ESMF sorts phases by their times
    start_last.erase(start_last.begin() + 1, start_last.begin() + 3);
    start_last.back() = {2, "[ensemble] Init 1", 96, 192, "1", 100, 98, 101};
    const TimedRun no_end = only_run(read_esmf_profile, "log", made_profile(start_last));
    CHECK(component_of(no_end, "cpl").computing_s.value == 15);
    CHECK_FALSE(no_end.startup_s.known()); // another Init phase may follow
    CHECK(no_end.remarks.size() == 1);
}
