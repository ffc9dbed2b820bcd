// The end of logs of ROMS: 4.x with its words, COAWST's 3.x, 3.x before 2014 with threads.
#include "data/time.hpp"
#include "support/fmt.hpp"
#include "tests/run/timers/read_timers.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace timer_files;

namespace {

// (2x,a,t53,f14.3,2x,'(',f7.4,' %)'), with dots to column 52.
std::string roms_row(std::string name, double seconds, double percent) {
    name += " ";
    while (name.size() < 50)
        name += ".";
    return fmt::format("  {}{:14.3f}  ({:7.4f} %)\n", name, seconds, percent);
}

std::string roms_total(double seconds, double percent) {
    return fmt::format("{:46}Total:{:14.3f}  {:8.4f}\n", "", seconds, percent);
}

std::string roms(const std::string &head = " Elapsed CPU time (seconds):",
                 const std::string &profile = " Nonlinear model elapsed CPU time profile, Grid: 01") {
    return " ROMS/TOMS version 3.7\n   60.000  dt                Timestep size (s) for 3-D equations.\n"
           " NL ROMS/TOMS: started time-stepping: (Grid: 01 TimeSteps: 00000001 - 00001440)\n\n" +
           head + "\n\n Node   #    1 CPU:     100.000\n Node   #    0 CPU:     102.000\n" +
           " Total:                202.000\n Average:              101.000\n\n" + profile + "\n\n" +
           roms_row("Allocation and array initialization", 2, 0.9901) +
           roms_row("Ocean state initialization", 8, 3.9604) + roms_row("Model 2D kernel", 100, 49.5050) +
           roms_row("Two-way coupling to Atmosphere Model", 40, 19.8020) + roms_total(150, 74.2574) +
           "\n Nonlinear model message Passage profile, Grid: 01\n\n" +
           roms_row("Message Passage: 2D halo exchanges", 20, 9.9010) + roms_total(20, 9.9010) +
           "\n All percentages are with respect to total time =        202.000\n\n ROMS/TOMS: DONE...\n";
}

} // namespace

TEST_CASE("ROMS: processes, run, regions, simulated time") {
    const TimedRun run = only_run(read_roms_log, "log", roms());
    CHECK(run.remarks.empty());
    CHECK(run.wall_s.value == 102.0);
    CHECK(run.simulated_s.value == 86400.0); // 1440 x 60
    const TimedComponent &ocean = component_of(run, "roms");
    CHECK(ocean.processes == 2);
    CHECK(ocean.startup_s.value == 5.0);    // (2 + 8) / 2
    CHECK(ocean.loop_s.value == 96.0);      // 202 / 2 - 5
    CHECK_FALSE(ocean.waiting_s.known());   // sending is in the coupling
    CHECK(ocean.computing_s.value == 76.0); // 96 - 20
    const TimedPart &kernel = part_of(ocean, "Model 2D kernel");
    CHECK(kernel.mean_s == 50.0);
    // The printed share is ours: of the total of all processes.
    CHECK(100 * kernel.mean_s * 2 / 202 == Approx(49.5050).epsilon(1e-5));
    CHECK(part_of(ocean, "Message Passage: 2D halo exchanges").mean_s == 10.0);
    CHECK(kernel.from == "Model 2D kernel (log, line 16)");
}

TEST_CASE("ROMS: 4.x, 3.x before 2014 with threads, other grids and models") {
    const TimedRun four = only_run(read_roms_log, "log", roms(" Elapsed wall CPU time for each process (seconds):"));
    CHECK(component_of(four, "roms").computing_s.value == 76.0);
    std::string old = roms("Elapsed CPU time (seconds):", " Nonlinear model elapsed time profile:");
    old = replaced(replaced(old, " Node   #    1", " Thread #  1"), " Node   #    0", " Thread #  0");
    const TimedRun three = only_run(read_roms_log, "log", old);
    CHECK(component_of(three, "roms").processes == 1);
    CHECK(component_of(three, "roms").threads == 2);
    const TimedRun nested =
        only_run(read_roms_log, "log",
                 roms() + " Adjoint model elapsed CPU time profile, Grid: 02\n\n" +
                     roms_row("Model 2D kernel", 1234567890.125, 5) + roms_total(1234567890.125, 5));
    CHECK(part_of(component_of(nested, "roms"), "grid 02, Adjoint: Model 2D kernel").mean_s ==
          Approx(617283945.0625));
    const std::string bare = roms().substr(0, roms().find(" Nonlinear model elapsed"));
    CHECK(only_run(read_roms_log, "log", bare).wall_s.value == 102.0);
    CHECK_FALSE(component_of(only_run(read_roms_log, "log", bare), "roms").computing_s.known());
}

TEST_CASE("ROMS: what is wrong is told with its line") {
    const auto of = [](const std::string &text) { return refusal(read_roms_log, text); };
    CHECK(of(" ROMS/TOMS version 3.7\n step\n").find("the run did not end") != std::string::npos);
    CHECK(of(roms() + roms()).find("line 32: a second run begins here") != std::string::npos);
    CHECK(of(roms().substr(0, roms().find(" Total:"))).find("the file is cut") != std::string::npos);
    CHECK(of(roms().substr(0, roms().find("  Model 2D"))).find("the file is cut") != std::string::npos);
    CHECK(of(replaced(roms(), "     102.000", "************")).find("line 8: CPU is ************") !=
          std::string::npos);
    CHECK(of(replaced(roms(), "     102.000", "     102,000")).find("line 8: CPU is '102,000': a comma") !=
          std::string::npos);
    CHECK(of(replaced(roms(), "       100.000  (", "**************  (")).find("line 16: Model 2D kernel is ****") !=
          std::string::npos);
    const TimedRun sum = only_run(read_roms_log, "log", replaced(roms(), "CPU:     100.000", "CPU:     101.000"));
    CHECK(sum.remarks.at(0).find("202.000 s in all, and its parts add up to 203.000 s") != std::string::npos);
}
