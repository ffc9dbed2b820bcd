// Start-up, loop and shut-down of runs whose times are given.
#include "analysis/cpmip.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

// Two components from 0 to 100 s. The ocean is in its loop from 10 to 90 s, the atmosphere from 20 to 95 s: 75 steps
// of 1 s, each of an hour of the model.
CoupledRun hundred_seconds() {
    CoupledRun run;
    run.run.wall_s = 100;
    run.run.year_days = 365;
    run.component_names = {"ocean", "atmosphere"};
    for (std::int32_t id = 1; id <= 2; ++id) {
        Component c;
        c.name = run.component_names[static_cast<std::size_t>(id) - 1];
        c.id = id;
        c.ranks = id == 1 ? std::vector<std::int32_t>{0} : std::vector<std::int32_t>{1, 2};
        c.first_init = 0;
        c.last_terminate = from_seconds(100);
        c.balance.startup.length_s = id == 1 ? 10 : 20;
        c.balance.loop_s = id == 1 ? 80 : 75;
        c.balance.waiting_s = 0;
        c.balance.step_count = 75;
        c.balance.waiting_for = {{3 - id, 0, 0}};
        run.components.push_back(c);
    }
    ComponentBalance &b = run.components[1].balance;
    b.has_dates = true;
    for (std::int64_t n = 0; n < 75; ++n)
        b.steps.push_back({.start_s = 20.0 + static_cast<double>(n), .length_s = 1, .date = n * 3600});
    return run;
}

} // namespace

TEST_CASE("start-up lasts until the last component is in its loop") {
    const LongRun found = long_run_of(hundred_seconds());
    CHECK(found.startup_s == Approx(20));
    CHECK(found.last == 2);
    CHECK(found.shutdown_s == Approx(5)); // 100 - 95
    CHECK(found.work == StartupWork::not_known);
}

TEST_CASE("the speed of the loop, and a year in one job") {
    const LongRun found = long_run_of(hundred_seconds());
    // 3600 s of the model in 1 s: 3600 x 86400 s in a day, of years of 365 x 86400 s.
    CHECK(found.loop_sypd == Approx(3600.0 / 365));
    // 365 x 24 steps of 1 s, and 20 s before and 5 s behind them.
    CHECK(found.year_s == Approx(20 + 8760 + 5));
}

TEST_CASE("without dates each exchange is an equal part of the run") {
    CoupledRun run = hundred_seconds();
    run.components[1].balance.has_dates = false;
    run.run.simulated_s = 77 * 3600; // 75 whole steps, and two exchanges beside them
    CHECK(long_run_of(run).loop_sypd == Approx(3600.0 / 365));
    run.run.simulated_s = unknown;
    CHECK(std::isnan(long_run_of(run).year_s));
    CHECK(long_run_of(run).startup_s == Approx(20));
}

TEST_CASE("a loop that changes, or has few steps, tells nothing of a year") {
    CoupledRun run = hundred_seconds();
    run.balance.computing_changes = {{1, std::vector<ComputingPart>(2), {}}};
    CHECK(std::isnan(long_run_of(run).year_s));
    CHECK(long_run_of(run).startup_s == Approx(20));
    run.balance.computing_changes = {{1, {}, {12, 1, 2, 1}}}; // a pattern comes again in a longer run
    CHECK_FALSE(std::isnan(long_run_of(run).year_s));
    run.components[1].balance.step_count = 9;
    CHECK(std::isnan(long_run_of(run).year_s));
}

TEST_CASE("what a start-up goes into, if it is half of it") {
    CoupledRun run = hundred_seconds();
    Phase &startup = run.components[1].balance.startup;
    startup.setup_s = 12;
    startup.output_s = 9.9;
    LongRun found = long_run_of(run);
    CHECK(found.work == StartupWork::setup);
    CHECK(found.work_s == 12);
    startup.waiting_s = 15;
    CHECK(long_run_of(run).work == StartupWork::exchanges);
    startup.setup_s = startup.waiting_s = 0;
    CHECK(long_run_of(run).work == StartupWork::not_known);
}

TEST_CASE("how much of a start-up is MPI, if it is half of it") {
    CoupledRun run = hundred_seconds();
    const double half_s = run.components[1].balance.startup.length_s / 2;
    CHECK(std::isnan(long_run_of(run).mpi_s)); // not recorded
    Spread &in_mpi = run.components[1].inside.startup_s;
    in_mpi.add(half_s - 1);
    in_mpi.add(half_s + 0.5);
    CHECK(std::isnan(long_run_of(run).mpi_s));
    in_mpi.add(half_s + 0.5); // the mean is half of it
    CHECK(long_run_of(run).mpi_s == Approx(half_s));
    CHECK(long_run_of(run).work == StartupWork::not_known);
}

TEST_CASE("a run without a coupling loop has no start-up") {
    CoupledRun run = hundred_seconds();
    for (Component &c : run.components)
        c.balance.loop_s = unknown;
    CHECK(std::isnan(long_run_of(run).startup_s));
    CHECK(std::isnan(long_run_of(CoupledRun()).startup_s));
}
