// Timers of CICE 4 to 6, from logs that are made here with the widths of its formats.
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using Catch::Contains;
using timer_files::only_run;
using timer_files::part_of;
using timer_files::refusal;
using timer_files::replaced;
using timer_files::up_to_line;

namespace {

struct MadeIceTimer {
    const char *name;
    double least, mean, most;
};

std::string made_cice(const std::vector<MadeIceTimer> &timers, bool statistics, int width = 9) {
    std::string text =
        " CICE model diagnostic output\n nprocs                    = 24\n Restart read/written  17520\n\n"
        "Timing information:\n\n";
    int number = 0;
    for (const MadeIceTimer &t : timers) {
        text += fmt::format("Timer {:3}: {:>{}}{:11.2f} seconds\n", ++number, t.name, width, t.most);
        if (!statistics) continue;
        text += fmt::format("  Timer stats (node): min = {:11.2f} seconds\n", t.least);
        text += fmt::format("                      max = {:11.2f} seconds\n", t.most);
        text += fmt::format("                      mean= {:11.2f} seconds\n", t.mean);
        for (const char *word :
             {"  Timer stats(block): min = ", "                      max = ", "                      mean= "})
            text += fmt::format("{}{:11.2f} seconds\n", word, 0.75);
    }
    return text + "\n CICE COMPLETED SUCCESSFULLY\n";
}

const std::vector<MadeIceTimer> cice6 = {{"Total", 1000, 1000.5, 1001},
                                         {"TimeLoop", 990, 990.25, 990.5},
                                         {"Dynamics", 400, 450, 500},
                                         {"Cat Conv", 1, 2, 3}};

} // namespace

TEST_CASE("CICE: total, time loop, timers with their statistics over processes") {
    const TimedRun run = only_run(read_cice_timers, "ice_diag.d", made_cice(cice6, true));
    CHECK(run.wall_s.value == 1001);
    CHECK(run.loop_s.value == 990.5);
    CHECK(run.loop_s.from == "TimeLoop (ice_diag.d, line 14)");
    REQUIRE(run.components.size() == 1);
    const TimedComponent &ice = run.components[0];
    CHECK(ice.name == "ice");
    CHECK(ice.processes == 24);
    CHECK(ice.computing_s.value == 990.5); // no timer of exchanges: alone
    REQUIRE(ice.parts.size() == 4);
    CHECK(part_of(ice, "Dynamics").min_s == 400);
    CHECK(part_of(ice, "Dynamics").mean_s == 450);
    CHECK(part_of(ice, "Dynamics").max_s == 500);
    CHECK(part_of(ice, "Cat Conv").max_s == 3);
    CHECK(run_of_timers(run).remarks.empty());
}

TEST_CASE("CICE: without statistics a timer is that of the slowest process; CICE 4 says Step; longer names") {
    const std::vector<MadeIceTimer> cice4 = {{"Total", 0, 0, 1001}, {"Step", 0, 0, 950}, {"Advection", 0, 0, 12.5}};
    const TimedRun run = only_run(read_cice_timers, "ice.log", made_cice(cice4, false, 20));
    CHECK(run.loop_s.value == 950);
    CHECK(part_of(run.components.at(0), "Advection").max_s == 12.5);
    CHECK_FALSE(is_known(part_of(run.components[0], "Advection").mean_s));
}

TEST_CASE(
    "CICE: with exchanges inside the time loop, computing is not known, and waiting only where a timer says so") {
    std::vector<MadeIceTimer> coupled = cice6;
    coupled.push_back({"Coupling", 10, 20, 30});
    const TimedRun run = only_run(read_cice_timers, "ice.log", made_cice(coupled, true));
    CHECK_FALSE(run.components.at(0).computing_s.known());
    CHECK_FALSE(run.components[0].waiting_s.known());
    coupled.push_back({"waiting_o", 40, 50, 60});
    const TimedRun waits = only_run(read_cice_timers, "ice.log", made_cice(coupled, true));
    CHECK(waits.components.at(0).waiting_s.value == 50);
    CHECK_FALSE(only_run(read_cice_timers, "ice.log", " CICE in OASIS3-MCT\n" + made_cice(cice6, true))
                    .components.at(0)
                    .computing_s.known());
    coupled = cice6;
    coupled.push_back({"Coupling", 0, 0, 0}); // compiled in, and not used
    CHECK(only_run(read_cice_timers, "ice.log", made_cice(coupled, true)).components.at(0).computing_s.known());
}

TEST_CASE("CICE: in ACCESS all exchanges have timers, and what is left of the loop is the ice's own") {
    std::vector<MadeIceTimer> access = cice6;
    access.push_back({"Coupling", 10, 20, 30}); // inside of a step there
    access.push_back({"from_atm", 58, 60, 62});
    access.push_back({"waiting_a", 48, 50, 52});
    access.push_back({"into_ocn", 4, 5, 6});
    const TimedRun run = only_run(read_cice_timers, "ice_diag.d", " oasis3\n" + made_cice(access, true));
    CHECK(run.components.at(0).computing_s.value == 990.25 - 60 - 5); // means
    CHECK(run.components[0].computing_s.from ==
          "TimeLoop (ice_diag.d, line 15) - from_atm (ice_diag.d, line 43) - into_ocn (ice_diag.d, line 57)");
    CHECK(run.components[0].waiting_s.value == 50);
}

TEST_CASE("CICE: damaged logs are refused with the line") {
    const std::string text = made_cice(cice6, true);
    CHECK(refusal(read_cice_timers, text) == "read");
    CHECK_THAT(refusal(read_cice_timers, text + text), Contains("log: line 41: a second run begins here"));
    CHECK_THAT(refusal(read_cice_timers, replaced(text, "     500.00", " **********")),
               Contains("line 21: timer 'Dynamics'"));
    CHECK_THAT(refusal(read_cice_timers, replaced(text, "500.00", "500,00")), Contains("a comma in a number"));
    CHECK_THAT(refusal(read_cice_timers, replaced(text, "500.00 seconds", "500.00 minutes")),
               Contains("line 21: a timer needs"));
    CHECK_THAT(refusal(read_cice_timers, text.substr(0, text.find("500.00 seconds"))),
               Contains("line 21: a timer needs"));
    CHECK_THAT(refusal(read_cice_timers, text.substr(0, text.find("450.00"))),
               Contains("mean of timer 'Dynamics' has no number"));
    CHECK_THAT(refusal(read_cice_timers, text.substr(0, text.find("Timer   1"))), Contains("line 5: no timer below"));
    CHECK_THAT(refusal(read_cice_timers, replaced(text, "TimeLoop", "TimeLoot")), Contains("none of the time loop"));
}

TEST_CASE("CICE: a file that ends inside its table is told, and nothing is claimed that needs the missing rows") {
    std::vector<MadeIceTimer> access = cice6;
    access.push_back({"from_atm", 58, 60, 62});
    access.push_back({"waiting_a", 48, 50, 52});
    access.push_back({"into_ocn", 4, 5, 6});
    access.push_back({"Bound", 1, 2, 3});
    const std::string whole = " oasis3\n" + made_cice(access, true);
    CHECK(only_run(read_cice_timers, "ice.log", whole).remarks.empty());
    // the block of a timer is its row and six of statistics: cut before a timer, and inside a block
    for (const std::string &cut : {whole.substr(0, whole.find("Timer   7")), up_to_line(whole, "min =       58.00"),
                                   whole.substr(0, whole.find("Timer   8")), up_to_line(whole, "Bound")}) {
        const TimedRun run = only_run(read_cice_timers, "ice.log", cut);
        CHECK(timer_files::has_remark(run.remarks, "the file ends with this row"));
        CHECK(run.loop_s.value == 990.5);
        CHECK_FALSE(run.components.at(0).computing_s.known());
        CHECK_FALSE(run.components[0].waiting_s.known());
    }
    // until CICE 5 nothing stands below the table
    const std::string ended = whole.substr(0, whole.find("\n CICE COMPLETED"));
    const TimedRun run = only_run(read_cice_timers, "ice.log", ended);
    CHECK(run.remarks.empty());
    CHECK(run.components.at(0).waiting_s.value == 50);
    CHECK(timer_files::has_remark(only_run(read_cice_timers, "ice.log", ended.substr(0, ended.size() - 1)).remarks,
                                  "the file ends"));
}

TEST_CASE("CICE: inside another model the time loop is the ice's own part, and not the loop of the run") {
    const std::vector<MadeIceTimer> in_cesm = {
        {"Total", 1000, 1000, 1000}, {"TimeLoop", 280, 290, 300}, {"Dynamics", 100, 110, 120}};
    const TimedRun run = only_run(read_cice_timers, "ice.log", made_cice(in_cesm, true));
    CHECK_FALSE(run.loop_s.known());
    CHECK(run.components.at(0).computing_s.value == 300);
    CHECK(run.wall_s.value == 1000);
    CHECK(timer_files::has_remark(run.remarks, "TimeLoop (ice.log, line 14): 300.00 s of 1000.00 s in all"));
    CHECK(std::isnan(run_of_timers(run).components.at(0).balance.loop_s));
}
