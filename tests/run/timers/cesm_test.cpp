// Summaries of CESM and E3SM: figures, layout, errors that such files are known for, damaged files.
#include "data/coupled_run.hpp"
#include "run/timers/turns_of_cime.hpp"
#include "tests/run/timers/cesm_file.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::test;
using namespace timer_files;

namespace {

TimedRun read(const std::string &text) {
    const TimerText file("timing/cesm_timing.made", text);
    REQUIRE(is_cesm_timing(file));
    std::vector<TimedRun> runs = read_cesm_timing(file);
    REQUIRE(runs.size() == 1);
    return runs.front();
}

bool remarks(const TimedRun &run, const std::string &words) {
    return has_remark(run.remarks, words);
}

const Component &component(const CoupledRun &run, const std::string &name) {
    for (const Component &c : run.components)
        if (c.name == name) return c;
    FAIL("no component " << name);
    return run.components.front();
}

std::string source_of(const CoupledRun &run, const std::string &figure) {
    for (const FigureSource &source : run.sources)
        if (source.figure == figure) return source.from;
    return "";
}

} // namespace

TEST_CASE("figures of a summary, with its words of all years") {
    CesmFile file;
    file.old_words = GENERATE(false, true);
    if (file.old_words) file.driver = "";
    const CoupledRun run = run_of_timers(read(file.text()));
    CHECK(run.run.id == "made.up.31415.host.260102-030405");
    CHECK(run.run.started == "2026-01-02T03:04:05");
    CHECK(run.run.coupler == (file.old_words ? "CPL7" : "CMEPS"));
    CHECK(run.run.cores == 96);
    CHECK(run.run.processes == 96); // 0 to 63 and 64 to 95
    CHECK(run.run.simulated_s == 864000);
    CHECK(run.run.wall_s == 1020.5); // 20 + 1000 + 0.5
    // As the file would print: 86400 x 10 / (1000 x 365) = 2.367 years a day, 1000 x 365 x 96 / (3600 x 10) = 973.33.
    CHECK(std::abs(run.cpmip.sypd - 2.36712) < 1e-5);
    CHECK(std::abs(run.cpmip.chsy - 973.333) < 1e-3);
    REQUIRE(run.components.size() == 6); // swav has no time
    const Component &ice = component(run, "ice");
    CHECK(ice.ranks.size() == 32);
    CHECK(ice.ranks.front() == 32);
    CHECK(ice.ranks.back() == 63);
    CHECK(ice.balance.loop_s == 1000);
    CHECK(ice.balance.computing_s == 300);
    CHECK(std::isnan(ice.balance.waiting_s));
    CHECK(ice.balance.startup.length_s == 20);
    CHECK(source_of(run, "components.ice.computing_s").find("ICE Run Time (cesm_timing.made, line") == 0);
    CHECK(source_of(run, "run.cores").find("pe count for cost estimate") == 0);
    CHECK(run.remarks.empty());
}

TEST_CASE("the longest path by the rules of the driver") {
    const CoupledRun run = run_of_timers(read(CesmFile().text()));
    CHECK(run.run.layout == "max(max(ice,lnd+rof)+cpl+atm,ocn)");
    // Ice takes 300, lnd + rof 190; then cpl and atm 550: 850 of 1000. The ocean takes 700.
    CHECK(run.balance.on_path_s == 850);
    CHECK(run.balance.why_no_path.empty());
    CHECK(component(run, "atm").balance.critical_share == 0.5);
    CHECK(component(run, "ice").balance.critical_share == 0.3);
    CHECK(component(run, "ocn").balance.critical_share == 0);
    CHECK(component(run, "lnd").balance.critical_share == 0);
    CHECK(source_of(run, "run.layout").find("driver CMEPS") != std::string::npos);
}

TEST_CASE("layouts of CIME's drivers") {
    const auto layout = [](const std::vector<CimeComponent> &c) { return layout_of_cime(c); };
    // All on the same processes, one after the other.
    CHECK(layout({{"atm", 0, 8, 1}, {"lnd", 0, 8, 1}, {"ice", 0, 8, 1}, {"ocn", 0, 8, 1}}).layout ==
          "lnd+ice+atm+ocn");
    // Waves of their own run beside.
    CHECK(layout({{"atm", 0, 8, 1}, {"lnd", 0, 8, 1}, {"wav", 8, 2, 1}, {"ocn", 10, 4, 1}}).layout ==
          "max(lnd+atm,wav,ocn)");
    // With a stride of 4 the ocean's processes lie among those of the atmosphere.
    CHECK(layout({{"atm", 0, 16, 1}, {"ocn", 2, 4, 4}}).layout == "atm+ocn");
    // Even and odd processes: in one range, but none in common.
    CHECK(layout({{"atm", 0, 8, 2}, {"ocn", 1, 8, 2}}).why_not ==
          "the processes of atm and ocn lie between each other");
    // Ice on processes that the atmosphere has not: no words of a layout say that.
    CHECK(layout({{"atm", 0, 8, 1}, {"ice", 8, 8, 1}}).layout.empty());
    CHECK(layout({{"atm", 0, 8, 1}, {"ice", 8, 8, 1}}).why_not.find("before the atmosphere") != std::string::npos);
    CHECK(layout({{"atm", 0, 8, 1}, {"tsunami", 8, 8, 1}}).layout.empty());
}

TEST_CASE("the driver's timers of a component are its regions; a barrier is no waiting for another one") {
    CesmFile file;
    file.timers = "  CPL:ATM_RUN_BARRIER                     1.500:   9.250 \n"
                  "  CPL:ATM_RUN                            40.000:  50.000 \n"
                  "  CPL:C2A                  <---->         0.100:   0.200 \n"
                  "  CPL:OCN_RUN                                                 60.000:  70.000 \n";
    const CoupledRun run = run_of_timers(read(file.text()));
    CHECK(std::isnan(component(run, "atm").balance.waiting_s));
    const std::vector<RegionSummary> &regions = component(run, "atm").regions;
    REQUIRE(regions.size() == 2);
    CHECK(regions[0].name == "CPL:ATM_RUN_BARRIER");
    CHECK(regions[0].max_s == 92.5); // 9.25 s for each of 10 days
    CHECK(regions[1].name == "CPL:ATM_RUN");
    CHECK(regions[1].min_s == 400);
    CHECK(regions[1].max_s == 500);
    REQUIRE(component(run, "ocn").regions.size() == 1);
    CHECK(component(run, "ocn").regions[0].max_s == 700);
}

TEST_CASE("what such files are known to get wrong is told") {
    CesmFile file;
    SECTION("CIME issue 1118: six times too long") {
        file.stop = "ndays, stop_n = 59";
        file.length = "354 days (353.958333333 for ocean)";
        const TimedRun timed = read(file.text());
        CHECK(remarks(timed, "354 days, but the run was to stop after 59"));
        const CoupledRun run = run_of_timers(timed);
        CHECK(std::isnan(run.run.simulated_s));
        CHECK(std::isnan(run.cpmip.sypd));
        CHECK(component(run, "atm").balance.computing_s == 500);
    }
    SECTION("a year of 365 days is no error") {
        file.stop = "nyears, stop_n = 1";
        file.length = "366 days (365.9 for ocean)";
        CHECK(read(file.text()).remarks.empty());
    }
    SECTION("CIME issue 1545: comp_pes is not tasks x threads") {
        file.rows[1].pes = 128;
        const TimedRun timed = read(file.text());
        CHECK(remarks(timed, "comp_pes is 128, and not its 64 tasks x 1 threads"));
        CHECK(component(run_of_timers(timed), "atm").cores() == 64);
    }
    SECTION("CIME issue 158: a part of the last node") {
        file.cores = 100;
        CHECK(remarks(read(file.text()), "counts 100 cores; with whole nodes of 48 the job had 144")); // 3 x 48
    }
}

TEST_CASE("speed and cost that the file prints are compared with ours") {
    CesmFile file;
    const auto metrics = [](const char *cost, const char *speed) {
        return std::string("    Model Cost:         ") + cost + "\n    Model Throughput:   " + speed + "\n";
    };
    SECTION("as a run of NorESM on 4 cores printed them: 5 days in 8078.297 s") {
        file.stop = "ndays, stop_n = 5";
        file.length = "5 days (5.0 for ocean)";
        file.run_s = 8078.297;
        file.cores = file.node = 4;
        file.metrics = metrics("    655.24   pe-hrs/simulated_year ", "      0.15   simulated_years/day ");
        CHECK(read(file.text()).remarks.empty());
        file.metrics =
            metrics("    327.62   pe-hrs/simulated_year (scale= 0.50)", "      0.15   simulated_years/day ");
        CHECK(read(file.text()).remarks.empty()); // 0.5 x 655.24
        file.metrics = metrics("    655.26   pe-hrs/simulated_year ", "      0.15   simulated_years/day ");
        CHECK(read(file.text()).remarks.size() == 1); // the run time has seven digits
    }
    SECTION("a cost by other cores than the file's") {
        // 2.37 SYPD and 973.33 hours are those of the 96 cores; 1946.67 of 192
        file.metrics = metrics("   1946.67   pe-hrs/simulated_year", "      2.37   simulated_years/day ");
        const TimedRun timed = read(file.text());
        CHECK(remarks(timed,
                      "prints 1946.67 core hours a simulated year, and its own 96 cores and its speed give 973.33"));
        CHECK(timed.simulated_s.known());
    }
    SECTION("a speed by another run length") {
        file.metrics = metrics("    973.33   pe-hrs/simulated_year", "     14.20   simulated_years/day ");
        const TimedRun timed = read(file.text());
        CHECK(remarks(timed, "prints 14.2 SYPD, and its own run length and run time give 2.37"));
        CHECK(std::isnan(run_of_timers(timed).cpmip.sypd));
    }
    SECTION("in other units") {
        file.metrics = metrics("      0.11   pe-hrs/simulated_hour", "    863.99   simulated_days/day ");
        const TimedRun timed = read(file.text());
        CHECK(timed.remarks.size() == 2);
        CHECK(remarks(timed, "in simulated_days/day, not in simulated_years/day, so it is not compared"));
        CHECK(remarks(timed, "in pe-hrs/simulated_hour, not in pe-hrs/simulated_year"));
    }
}

TEST_CASE("units of times and lengths; months have no fixed length") {
    CesmFile file;
    const std::string good = file.text();
    check_damaged(read_cesm_timing, good,
                  {{"1000.000 seconds", "  16.667 minutes", "Run Time is in 'minutes', not in seconds"},
                   {"500.000 seconds", "  0.139 hours", "ATM Run Time is in 'hours', not in seconds"},
                   {"10 days (10", "10 months (10", "run length is in 'months', not in days"}});
    file.stop = "nmonths, stop_n = 2";
    for (const char *days : {"59", "60", "61", "62"}) { // of 28 to 31 days each
        file.length = std::string(days) + " days (59.0 for ocean)";
        const TimedRun timed = read(file.text());
        CHECK(timed.remarks.empty());
        CHECK(timed.simulated_s.value == std::stod(days) * 86400);
    }
    file.length = "354 days (353.958333333 for ocean)";
    const TimedRun six_times = read(file.text());
    CHECK(remarks(six_times, "354 days, but the run was to stop after 2 months."));
    CHECK_FALSE(six_times.simulated_s.known());
}

TEST_CASE("damaged summaries are refused with their line") {
    const std::string good = CesmFile().text();
    CHECK(refusal(read_cesm_timing, good) == "read");
    CHECK_THAT(refusal(read_cesm_timing, good + good), Catch::Contains("a second run begins here"));
    check_cut(read_cesm_timing, good,
              {{"    Run Time", "no line 'Run Time': the file is cut"}, {"    OCN Run Time", "ocn has no line"}});
    // The line of the atmosphere is the 17th: 12 above the table, a blank one, two of its head, then cpl and atm.
    check_damaged(read_cesm_timing, good,
                  {{"  lnd = clm ", "  atm = clm ", "atm stands twice in the table"},
                   {"0        64     x 1       1      (1     ) \n  lnd", "0        6x4    x 1\n  lnd",
                    "log: line 17: tasks is '6x4', no number"},
                   {"   1000.000 seconds      100.000 seconds/day", "********** seconds",
                    "Run Time is **********: it was too large for its column"},
                   {"    500.000 seconds", "    500,000 seconds", "a comma in a number"},
                   {"    500.000 seconds", "500.000700.000 seconds", "two numbers without a blank"}});
    for (std::size_t cut = 0; cut < good.size(); cut += 7) { // whatever is left: a run, or one line
        const TimerText file("cut", good.substr(0, cut));
        try {
            static_cast<void>(read_cesm_timing(file));
        } catch (const FileError &error) {
            CHECK(std::string(error.what()).find("cut: line ") == 0);
        }
    }
}
