// Clocks of FMS in the layouts of its versions, from tables that are made here with the widths of its formats.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using Catch::Contains;
using timer_files::only_run;
using timer_files::refusal;
using timer_files::replaced;

namespace {

struct MadeClock {
    const char *name;
    int hits;
    double tmin, tmax, tavg;
    int grain, pemin, pemax;
};

enum class FmsLayout { hits, no_hits, oldest };

std::string made_fms(const std::vector<MadeClock> &clocks, FmsLayout layout, int processes = 100) {
    std::string text = " MPP_DOMAINS_STACK high water mark=      747000\n\n";
    text += layout == FmsLayout::oldest
                ? "Tabulating mpp_clock statistics across PEs...\n\n"
                : fmt::format("Tabulating mpp_clock statistics across {:6} PEs...\n\n", processes);
    text +=
        fmt::format("{:32}{}{:>14}{:>14}{:>14}{:>14}{:>7}{}\n", "", layout == FmsLayout::hits ? "      hits" : "",
                    "tmin", "tmax", "tavg", "tstd", "tfrac", layout == FmsLayout::oldest ? "" : " grain pemin pemax");
    for (const MadeClock &c : clocks) {
        text += fmt::format("{:<32}", c.name);
        if (layout == FmsLayout::hits) text += fmt::format("{:10}", c.hits);
        text += fmt::format("{:14.6f}{:14.6f}{:14.6f}{:14.6f}{:7.3f}", c.tmin, c.tmax, c.tavg, 0.5,
                            c.tavg / clocks[0].tavg);
        if (layout != FmsLayout::oldest) text += fmt::format("{:6}{:6}{:6}", c.grain, c.pemin, c.pemax);
        text += "\n";
    }
    return text + " MPP_STACK high water mark=          0\n MOM5: --- completed ---\n";
}

// A coupled run on 100 processes: the atmosphere and what goes with it have 0 to 59, the ocean 60 to 99.
const std::vector<MadeClock> coupled_clocks = {{"Total runtime", 1, 1000, 1000.5, 1000.25, 0, 0, 99},
                                               {"Initialization", 1, 90, 100, 95, 0, 0, 99},
                                               {"Main loop", 1, 880, 890, 885, 0, 0, 99},
                                               {"Termination", 1, 5, 6, 5.5, 0, 0, 99},
                                               {"Atmosphere", 480, 500, 520, 510, 1, 0, 59},
                                               {"Land", 480, 20, 40, 30, 1, 0, 59},
                                               {"Ice", 480, 100, 120, 110, 1, 0, 59},
                                               {"Ice: update slow (dn)", 24, 80, 95, 90, 41, 0, 59},
                                               {"Surface BL", 480, 10, 12, 11, 1, 0, 59},
                                               {"Ocean", 24, 700, 720, 710, 1, 60, 99},
                                               {"(Ocean tracer update)", 48, 200, 300, 250.0625, 31, 60, 99}};

} // namespace

TEST_CASE("FMS: components of a coupled run, their processes, clocks and the phases of the run") {
    const TimedRun run = only_run(read_fms_clocks, "fms.out", made_fms(coupled_clocks, FmsLayout::hits));
    CHECK(run.processes == 100);
    CHECK(run.wall_s.value == 1000.5);
    CHECK(run.startup_s.value == 100);
    CHECK(run.loop_s.value == 890);
    CHECK(run.loop_s.from == "Main loop (fms.out, line 8)");
    CHECK(run.shutdown_s.value == 6);
    REQUIRE(run.components.size() == 4);
    const TimedComponent &ocean = timer_files::component_of(run, "Ocean"),
                         &ice = timer_files::component_of(run, "Ice");
    CHECK(ocean.first_process == 60);
    CHECK(ocean.processes == 40);
    CHECK(ocean.computing_s.value == 720);
    CHECK_FALSE(ocean.waiting_s.known());
    CHECK(ice.first_process == 0);
    CHECK(ice.processes == 60);
    const TimedPart &tracers = timer_files::part_of(ocean, "(Ocean tracer update)");
    CHECK(tracers.calls == 48 * 40);
    CHECK(tracers.min_s == 200);
    CHECK(tracers.mean_s == 250.0625);
    CHECK(tracers.max_s == 300);
    // the file's own share: 250.0625 of 1000.25 s is printed as 0.250
    CHECK(fmt::format("{:7.3f}", tracers.mean_s / 1000.25) == "  0.250");
    CHECK(timer_files::part_of(ice, "Ice: update slow (dn)").mean_s == 90);
    CHECK(timer_files::part_of(ice, "Surface BL").name.empty()); // of several components
    const CoupledRun results = run_of_timers(run);
    CHECK(results.run.processes == 100);
    CHECK(results.run.cores == 0); // FMS does not tell threads
    CHECK(std::isnan(results.cpmip.chsy));
    CHECK(results.remarks.empty());
}

TEST_CASE("FMS: the layouts without hits, and without processes") {
    const TimedRun older = only_run(read_fms_clocks, "fms.out", made_fms(coupled_clocks, FmsLayout::no_hits));
    CHECK(timer_files::component_of(older, "Ocean").processes == 40);
    CHECK(timer_files::part_of(timer_files::component_of(older, "Ocean"), "(Ocean tracer update)").calls == 0);
    const std::vector<MadeClock> alone = {coupled_clocks[0], coupled_clocks[2], coupled_clocks[9],
                                          coupled_clocks[10]};
    const TimedRun oldest = only_run(read_fms_clocks, "fms.out", made_fms(alone, FmsLayout::oldest));
    REQUIRE(oldest.components.size() == 1);
    CHECK(oldest.components[0].processes == 0);
    CHECK(oldest.components[0].computing_s.value == 720);
    CHECK(oldest.processes == 0);
}

TEST_CASE("FMS: an ocean in OASIS waits in its receives; a model whose components have no clocks computes for an "
          "unknown time") {
    const std::vector<MadeClock> mom5 = {{"Total runtime", 1, 900, 900, 900, 0, 0, 48},
                                         {"Ocean", 1, 700, 710, 705, 1, 0, 48},
                                         {"oasis_recv", 1, 160, 172, 170.5, 31, 0, 48}};
    const TimedRun ocean = only_run(read_fms_clocks, "fms.out", made_fms(mom5, FmsLayout::no_hits, 49));
    CHECK(ocean.coupler == "OASIS");
    CHECK(ocean.components.at(0).waiting_s.value == 170.5); // the mean over processes
    const std::vector<MadeClock> fv3 = {{"Total runtime", 1, 900, 900, 900, 0, 0, 5},
                                        {"FV dy-core", 96, 700, 710, 705, 11, 0, 5}};
    const TimedRun model = only_run(read_fms_clocks, "fms.out", made_fms(fv3, FmsLayout::hits, 6));
    CHECK(model.components.at(0).name == "model");
    CHECK(model.components.at(0).processes == 6);
    CHECK_FALSE(model.components.at(0).computing_s.known());
    CHECK(timer_files::part_of(model.components[0], "FV dy-core").max_s == 710);
}

TEST_CASE("FMS: times of a million seconds have no blank between them; width and decimals say where each ends") {
    const std::vector<MadeClock> long_run = {{"Total runtime", 17, 2345678.25, 2345679.5, 2345678.75, 0, 0, 3},
                                             {"Ocean", 9, 234567.125, 1234568.5, 1234567.75, 1, 0, 3}};
    const std::string text = made_fms(long_run, FmsLayout::hits, 4);
    REQUIRE_THAT(text, Contains(" 172345678.2500002345679.5000002345678.750000 "));
    const TimedRun run = only_run(read_fms_clocks, "fms.out", text);
    CHECK(run.wall_s.value == 2345679.5);
    CHECK(run.components.at(0).computing_s.value == 1234568.5);
    CHECK(only_run(read_fms_clocks, "fms.out", made_fms(long_run, FmsLayout::no_hits, 4)).wall_s.value == 2345679.5);
    // and stars are stars, also where two columns are full of them
    CHECK_THAT(refusal(read_fms_clocks, replaced(text, "2345679.5000002345678.750000", std::string(28, '*'))),
               Contains("line 6: tmax of 'Total runtime' is **************: it was too large for its column"));
}

TEST_CASE("FMS: clocks whose names were cut to the same 32 characters stay apart") {
    std::vector<MadeClock> clocks = coupled_clocks;
    clocks.push_back({"(Ocean tracer_diag: total water", 24, 1, 2, 1.5, 41, 60, 99});
    clocks.push_back({"(Ocean tracer_diag: total water", 24, 3, 4, 3.5, 41, 60, 99});
    clocks.push_back({"Ice-ocean coupler", 24, 15, 16, 15.5, 1, 0, 99});
    const TimedRun run = only_run(read_fms_clocks, "fms.out", made_fms(clocks, FmsLayout::hits));
    CHECK(timer_files::part_of(timer_files::component_of(run, "Ocean"), "(Ocean tracer_diag: total water").max_s ==
          2);
    CHECK(
        timer_files::part_of(timer_files::component_of(run, "Ocean"), "(Ocean tracer_diag: total water (2)").max_s ==
        4);
    CHECK(timer_files::component_of(run, "Ice").parts.size() == 1); // the coupler is of two components
}

TEST_CASE("FMS: MOM6 of 2026 has initialisation and end inside of the clock of the ocean") {
    const std::vector<MadeClock> mom6 = {{"Total runtime", 1, 900, 900, 900, 0, 0, 5},
                                         {"Main loop", 1, 840, 840, 840, 0, 0, 5},
                                         {"Ocean Initialization", 2, 30, 34, 32, 11, 0, 5},
                                         {"Ocean MOM_end", 1, 3, 5, 4, 11, 0, 5},
                                         {"Ocean", 27, 860, 870, 865, 1, 0, 5}};
    const TimedRun run = only_run(read_fms_clocks, "fms.out", made_fms(mom6, FmsLayout::hits, 6));
    CHECK(run.components.at(0).computing_s.value == 870 - 32 - 4);
    CHECK(run.components[0].computing_s.from ==
          "Ocean (fms.out, line 10) - Ocean Initialization (fms.out, line 8) - Ocean MOM_end (fms.out, line 9)");
}

TEST_CASE("FMS: labels of srun, of several tasks whose lines are mixed") {
    const std::string text = made_fms(coupled_clocks, FmsLayout::hits);
    std::string labelled = "srun: job 7 queued and waiting for resources\n+ module load netcdf\n";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        labelled += " 4: " + text.substr(at, end - at) + "\n12: a word of task 12 in between\n";
        at = end + 1;
    }
    const TimedRun run = only_run(read_fms_clocks, "job.out", labelled);
    CHECK(run.components.size() == 4);
    CHECK(run.loop_s.from == "Main loop (job.out, line 17)"); // line 8 of the table: 2 + 2 x 7 lines stand before it
    CHECK(timer_files::component_of(run, "Ocean").computing_s.value == 720);
}

TEST_CASE("FMS: tables of two programs in one log are one run, and those of one program are two runs") {
    const std::vector<MadeClock> ocean = {{"Total runtime", 1, 90, 91, 90.5, 0, 0, 1},
                                          {"Main loop", 1, 84, 84.5, 84.25, 0, 0, 1},
                                          {"Ocean", 10, 50, 51, 50.5, 1, 0, 1}};
    const std::vector<MadeClock> air = {{"Total runtime", 1, 92, 93, 92.5, 0, 0, 3},
                                        {"Initialization", 1, 5, 5.5, 5.25, 0, 0, 3},
                                        {"FV dy-core", 10, 60, 61, 60.5, 1, 0, 3}};
    const std::string both = made_fms(ocean, FmsLayout::hits, 2) + made_fms(air, FmsLayout::hits, 4);
    const TimedRun run = only_run(read_fms_clocks, "job.out", both);
    CHECK(run.processes == 6);
    CHECK(run.wall_s.value == 93);
    CHECK_FALSE(run.loop_s.known());
    REQUIRE(run.components.size() == 2);
    CHECK(run.components[0].name == "Ocean");
    CHECK(run.components[0].processes == 2);
    CHECK(run.components[0].computing_s.value == 51);
    CHECK(run.components[0].loop_s.value == 84.5);
    CHECK(run.components[1].name == "model");
    CHECK(run.components[1].processes == 4);
    CHECK_FALSE(run.components[1].computing_s.known());
    CHECK(run.components[1].startup_s.value == 5.5);
    CHECK(timer_files::part_of(run.components[1], "FV dy-core").max_s == 61);
    CHECK(timer_files::has_remark(run.remarks, "job.out has the clocks of 2 programs."));
    CHECK(run_of_timers(run).components[1].ranks.front() == 2); // behind the ocean's
}

TEST_CASE("FMS: a clock that no figure comes from is left out if it cannot be read") {
    const std::string text = made_fms(coupled_clocks, FmsLayout::hits);
    const TimedRun run = only_run(read_fms_clocks, "log", replaced(text, "    300.000000", "**************"));
    CHECK(timer_files::component_of(run, "Ocean").computing_s.value == 720);
    CHECK(timer_files::component_of(run, "Ocean").parts.empty());
    CHECK(timer_files::has_remark(run.remarks,
                                  "1 row. The first: log: line 16: tmax of '(Ocean tracer update)' is ***"));
}

TEST_CASE("FMS: a row of a phase is refused whatever stands in place of a number") {
    const std::string text = made_fms(coupled_clocks, FmsLayout::hits);
    CHECK_THAT(refusal(read_fms_clocks, replaced(text, "    885.000000", "           NaN")), Contains("line 8: "));
}

TEST_CASE("FMS: damaged tables are refused with the line") {
    const std::string text = made_fms(coupled_clocks, FmsLayout::hits);
    CHECK(refusal(read_fms_clocks, text) == "read");
    CHECK(refusal(read_fms_clocks, text + text) ==
          "log: line 23: a second run begins here: give each run its own file");
    timer_files::check_damaged(
        read_fms_clocks, text,
        {{"    890.000000", "**************",
          "log: line 8: tmax of 'Main loop' is **************: it was too large for its column"},
         {"890.000000", "890,000000", "line 8: tmax of 'Main loop' is '890,000000': a comma in a number"},
         {"    890.000000", "              ", "line 8: a clock needs its name and 9 numbers"},
         {"Total runtime", "Total runtine", "line 5: there is no clock 'Total runtime'"},
         {"tavg", "TAVG", "line of columns"}});
    timer_files::check_cut(
        read_fms_clocks, text,
        {{"Total runtime", "line 5: no clock below"}, {"720.000000", "line 15: the file ends inside this row"}});
}

TEST_CASE("FMS: a mean outside of least and most is told") {
    std::vector<MadeClock> clocks = coupled_clocks;
    clocks[10].tavg = 301;
    const CoupledRun results =
        run_of_timers(only_run(read_fms_clocks, "fms.out", made_fms(clocks, FmsLayout::no_hits)));
    REQUIRE(results.remarks.size() == 1);
    CHECK_THAT(results.remarks[0], Contains("(Ocean tracer update) (fms.out, line 16): the mean, 301 s"));
}

TEST_CASE("FMS: a file that ends with a clock may have lost components and their ends") {
    const std::string whole = made_fms(coupled_clocks, FmsLayout::hits);
    const std::string cut = timer_files::up_to_line(whole, "Ice: update slow");
    const TimedRun run = only_run(read_fms_clocks, "fms.out", cut);
    CHECK(run.components.size() == 3);
    CHECK(timer_files::has_remark(
        run.remarks, "Ice: update slow (dn) (fms.out, line 13): the file ends with this row, so rows of its table"));
    const TimedRun ocean =
        only_run(read_fms_clocks, "fms.out", timer_files::up_to_line(whole, "(Ocean tracer update)"));
    CHECK_FALSE(timer_files::component_of(ocean, "Ocean").computing_s.known()); // Ocean MOM_end may follow
    CHECK(timer_files::component_of(ocean, "Atmosphere").computing_s.value == 520);
    // 59 without its last digit would be 6 processes
    CHECK_THAT(refusal(read_fms_clocks, cut.substr(0, cut.size() - 2)),
               Contains("log: line 13: the file ends inside this row; if the row is whole, put an end of line"));
}
