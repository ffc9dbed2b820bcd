// CPMIP metrics (docs/definitions.md, section 3).
#include "analysis/cpmip.hpp"

#include "tests/report/example_run.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace cpl_lb;

namespace {

Component component(std::int32_t id, std::int32_t first_rank, std::int32_t processes, double wall_s) {
    return test::component("", id, first_rank, processes, from_seconds(wall_s));
}

// 6 processes for 100 s: 2 that wait 30 s, 4 that wait 10 s and map for another 5 s.
CoupledRun two_components() {
    CoupledRun run;
    run.components = {component(1, 0, 2, 100.0), component(2, 2, 4, 90.0)};
    run.components[0].balance.whole_waiting_s = 30.0;
    run.components[0].balance.whole_waiting_and_operations_s = 30.0;
    run.components[1].balance.whole_waiting_s = 10.0;
    run.components[1].balance.whole_waiting_and_operations_s = 15.0;
    run.run.wall_s = 100.0;
    run.run.cores = 8;
    run.run.simulated_s = 365.0 * 86400.0 / 2.0; // half a year
    return run;
}

} // namespace

TEST_CASE("Appendix 3 of TR/CMGC/20/176: 43200 s in 41.527 s on 128 processes") {
    // SYPD = 43200 / (365 x 41.527) = 43200 / 15157.355 = 2.85010.
    // CHSY = 128 x 41.527 / 3600 / (43200 / 31536000) = 1.4765156 x 730 = 1077.856.
    CHECK(sypd(43200., 41.527, 365.) == Approx(2.85010).epsilon(1e-5));
    CHECK(chsy(128., 41.527, 43200., 365.) == Approx(1077.856).epsilon(1e-6));
    CHECK(chsy(128., 41.527, 43200., 365.) * sypd(43200., 41.527, 365.) == Approx(24. * 128.).epsilon(1e-14));
    // Years of 360 days: 365/360 times as many.
    CHECK(sypd(43200., 41.527, 360.) == Approx(2.85010 * 365. / 360.).epsilon(1e-5));
}

TEST_CASE("what is not known gives no figure") {
    CHECK_FALSE(is_known(sypd(0., 41.5, 365.))); // "not known here"
    CHECK_FALSE(is_known(sypd(unknown, 41.5, 365.)));
    CHECK_FALSE(is_known(sypd(43200., 0., 365.)));
    CHECK_FALSE(is_known(sypd(43200., 41.5, 0.)));
    CHECK_FALSE(is_known(chsy(0., 41.5, 43200., 365.)));
    CHECK_FALSE(is_known(chsy(128., 41.5, 0., 365.)));
    CoupledRun run;
    run.run.platform = "a machine";
    const Cpmip rows = cpmip_of(run);
    for (const double row :
         {rows.resolution, rows.complexity, rows.degrees_of_freedom, rows.sypd, rows.asypd, rows.chsy,
          rows.parallelization, rows.jpsy, rows.ajpsy, rows.coupling_cost, rows.coupling_cost_with_operations,
          rows.memory_bloat, rows.data_output_cost, rows.data_intensity}) {
        CHECK_FALSE(is_known(row));
    }
    CHECK(rows.platform == "a machine");
}

TEST_CASE("coupling cost, equation 7") {
    // T_M P_M = 100 x 6 = 600. Used: (100 - 30) x 2 + (90 - 10) x 4 = 140 + 320 = 460. C = 140 / 600.
    // With operations: 140 + (90 - 15) x 4 = 440: C = 160 / 600.
    CoupledRun run = two_components();
    CHECK(coupling_cost(run, false) == Approx(140. / 600.));
    CHECK(coupling_cost(run, true) == Approx(160. / 600.));
    // Two threads for each process of the second: T_M P_M = 1000, used 140 + 640 = 780.
    run.components[1].threads = 2;
    CHECK(coupling_cost(run, false) == Approx(220. / 1000.));
    run.components[0].balance.whole_waiting_s = unknown;
    CHECK_FALSE(is_known(coupling_cost(run, false)));
}

TEST_CASE("coupling cost where two components take turns on the same processes") {
    // 4 processes for 100 s: each component is away for 40 and 60 s, the first waits 10 s.
    // Used: (100 - 10 - 40) x 4 + (100 - 0 - 60) x 4 = 360 of 400: C = 0.1.
    CoupledRun run;
    run.components = {component(1, 0, 4, 100.0), component(2, 0, 4, 100.0)};
    run.components[0].balance.whole_waiting_s = 10.0;
    run.components[0].balance.whole_away_s = 40.0;
    run.components[1].balance.whole_waiting_s = 0.0;
    run.components[1].balance.whole_away_s = 60.0;
    run.run.wall_s = 100.0;
    CHECK(component_cores(run) == 4.0);
    CHECK(coupling_cost(run, false) == Approx(0.1));
}

TEST_CASE("rows that the components' properties give") {
    CoupledRun run = two_components();
    ComponentProperties &ocean = run.components[0].properties;
    ocean.horizontal_points = 1000;
    ocean.levels = 75;
    ocean.complexity = 20.0;
    ComponentProperties &atmosphere = run.components[1].properties;
    atmosphere.horizontal_points = 500;
    atmosphere.levels = 90;
    atmosphere.state_B = 500. * 90. * 8. * 12.; // 12 variables
    atmosphere.output_B = 6e9;
    const Cpmip rows = cpmip_of(run);
    CHECK(rows.resolution == Approx(75000. + 45000.));
    CHECK(rows.complexity == Approx(20. + 12.));
    CHECK(rows.degrees_of_freedom == Approx(75000. * 20. + 45000. * 12.));
    CHECK(rows.parallelization == 8.0);
    // Half a year in 100 s: 0.5 x 864 = 432 SYPD; CHSY = 8 x 100 / 3600 / 0.5 = 0.44444.
    CHECK(rows.sypd == Approx(432.));
    CHECK(rows.chsy == Approx(0.444444).epsilon(1e-5));
    CHECK(rows.sypd * rows.chsy == Approx(24. * 8.).epsilon(1e-14));
    // 6 GB in half a year: 12 GB / year over 0.44444 core hours / year = 27 GB / core hour.
    CHECK(rows.data_intensity == Approx(27.));
    CHECK_FALSE(is_known(rows.data_output_cost));
    // The second component alone: 4 cores x 90 s / 3600 / 0.5 = 0.2 core hours / year.
    CHECK(component_chsy(run, run.components[1]) == Approx(0.2));
    // A component without a grid does not take the sum away.
    run.components[0].properties = {};
    CHECK(cpmip_of(run).resolution == Approx(45000.));
    CHECK(cpmip_of(run).degrees_of_freedom == Approx(45000. * 12.));
}

TEST_CASE("an I/O server's share of the cores is the data output cost") {
    // Balaji et al. 2017, section 3.7: "the allocation fraction of the I/O server": 2 of 6.
    CoupledRun run = two_components();
    run.components[0].properties.is_io_server = true;
    CHECK(cpmip_of(run).data_output_cost == Approx(2. / 6.));
}

TEST_CASE("a process that is a server in one of its turns is one, whichever comes first") {
    // Ranks 0 and 1 run a server and then a model; with two cores in a node theirs is a server's: 2 of 4.
    CoupledRun run;
    for (const bool server : {true, false, false}) {
        Component &c = run.components.emplace_back();
        c.id = static_cast<std::int32_t>(run.components.size());
        c.ranks = c.id < 3 ? std::vector<std::int32_t>{0, 1} : std::vector<std::int32_t>{2, 3};
        c.properties.is_io_server = server;
    }
    CHECK(io_server_cost(run, 2) == Approx(0.5));
    std::swap(run.components[0].properties, run.components[1].properties);
    CHECK(io_server_cost(run, 2) == Approx(0.5));
}

TEST_CASE("memory bloat by equation 9") {
    CoupledRun run = two_components();
    run.run.processes = 3;
    // M = 400 + 300 + 300 = 1000 MB, X = 3 x 20 MB, S = 30 + 17 MB: B = (1000 - 60) / 47 = 20.
    for (const double hwm_MB : {400., 300., 300.})
        run.meters.hwm_B.add(hwm_MB * 1e6);
    for (int process = 0; process < 3; ++process)
        run.meters.executable_B.add(20e6);
    run.components[0].properties.state_B = 30e6;
    CHECK_FALSE(is_known(cpmip_of(run).memory_bloat)); // the second component's state is not known
    run.components[1].properties.is_io_server = true;  // and need not be
    CHECK(cpmip_of(run).memory_bloat == Approx(940. / 30.));
    run.components[1].properties.state_B = 17e6; // of a server that has one it counts
    CHECK(cpmip_of(run).memory_bloat == Approx(20.));
    run.components[1].properties = {};
    run.components[1].properties.state_B = 17e6;
    CHECK(cpmip_of(run).memory_bloat == Approx(20.));
    const Spread all_told = std::exchange(run.meters.executable_B, {});
    run.meters.executable_B.add(20e6); // one of three: the executables of the others are not known
    CHECK_FALSE(is_known(cpmip_of(run).memory_bloat));
    run.meters.executable_B = all_told;
    run.run.processes = 4; // one of them did not tell
    CHECK_FALSE(is_known(cpmip_of(run).memory_bloat));
    run.meters = {};
    CHECK_FALSE(is_known(cpmip_of(run).memory_bloat));
}

TEST_CASE("measured energy by simulated years") {
    CoupledRun run = two_components(); // half a year
    CHECK_FALSE(is_known(cpmip_of(run).ajpsy));
    run.meters.energy_J = 7e6;
    CHECK(cpmip_of(run).ajpsy == Approx(14e6));
    run.run.simulated_s = 0;
    CHECK_FALSE(is_known(cpmip_of(run).ajpsy));
}
