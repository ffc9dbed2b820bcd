// The run of TR/CMGC/20/176, appendix 3, as a literal, with the numbers that are right for it (docs/definitions.md,
// section 3): 128 processes simulated 43,200 s in 41.527 s.
//   SYPD = (43200 / (365 86400)) / (41.527 / 86400) = 43200 / 15157.355              = 2.850
//   CHSY = 128 (41.527 / 3600) / (43200 / 31536000) = 1.4765156 x 730                = 1077.856
//   ocean: loop 7.625 + 1.818 = 9.443 s, 1.818 / 9.443                               = 19.25 %
//   atmosphere: loop 9.743 s, 0.001 / 9.743                                          = 0.01 %
//   CHSY of the components: 62 (41.527 / 3600) 730 = 522.087, 63 (41.525 / 3600) 730 = 530.482 and
//   3 (41.522 / 3600) 730 = 25.259
#pragma once

#include "analysis/waiting_share.hpp"
#include "data/coupled_run.hpp"

#include <numeric>

namespace cpl_lb::test {

inline Component component(const std::string &name, std::int32_t id, std::int32_t first_rank, std::int32_t processes,
                           Nanoseconds terminate) {
    Component c;
    c.name = name;
    c.id = id;
    c.ranks.resize(static_cast<std::size_t>(processes));
    std::iota(c.ranks.begin(), c.ranks.end(), first_rank);
    c.last_terminate = terminate;
    return c;
}

inline ComponentBalance balance(double computing_s, double waiting_s, std::vector<WaitingFor> waiting_for) {
    ComponentBalance b;
    b.loop_s = computing_s + waiting_s;
    b.computing_s = computing_s;
    b.waiting_s = waiting_s;
    b.away_s = 0;
    b.coupling_cost = waiting_s / b.loop_s;
    b.coupling_cost_with_operations = b.coupling_cost;
    b.waiting_for = std::move(waiting_for);
    b.jitter_s = b.imbalance_s = 0;
    b.mapping_s = b.mapping_spread_s = b.output_s = b.output_spread_s = b.restart_s = b.restart_spread_s = 0;
    return b;
}

inline CoupledRun appendix3() {
    CoupledRun run;
    run.run.id = "appendix-3";
    run.run.wall_s = 41.527;
    run.run.simulated_s = 43200;
    run.run.cores = run.run.processes = 128;
    run.run.cores_from = "processes x threads";
    run.run.coupler = "OASIS3-MCT";
    run.component_names = {"ocean", "atmosphere", "ioserver"};
    run.field_names = {"SST", "heat"};
    run.components = {component("ocean", 1, 0, 62, 41'527'000'000),
                      component("atmosphere", 2, 62, 63, 41'525'000'000),
                      component("ioserver", 3, 125, 3, 41'522'000'000)};
    ComponentBalance &ocean = run.components[0].balance;
    ocean = balance(7.625, 1.818, {{2, 1.818, 0}});
    ocean.process_waiting_s = {.min = 1.2, .max = 1.75, .sum = 93, .count = 62}; // mean 93 / 62 = 1.5
    ocean.jitter_s = 0.135;
    ocean.imbalance_s = 0.1;
    ocean.mapping_s = 0.642;
    ocean.mapping_spread_s = 0.082;
    ocean.output_s = 0.807;
    ocean.output_spread_s = 0.192;
    ocean.coupling_cost_with_operations = 0.3460;
    ocean.startup = {20, 0.5, 0.25, 0};
    ocean.shutdown = {12.084, 0, 0, 0.125};
    ocean.steps = {{20, 3, 1, 2, 0.05, 0}, {23, 3.2, 0.5, 2.7, 0.04, 0}, {26.2, 3.243, 0.318, 2.925, 0.045, 0}};
    ocean.step_count = 3;
    ocean.step_spread = {{2, 2.7, 2.925}, {0.318, 0.5, 1}, {0.04, 0.045, 0.05}};
    ComponentBalance &atmosphere = run.components[1].balance;
    atmosphere = balance(9.742, 0.001, {{1, 0.0004, 0.0006}});
    atmosphere.jitter_s = 0.196;
    atmosphere.mapping_s = 0.324;
    atmosphere.mapping_spread_s = 0.062;
    atmosphere.output_s = 1.461;
    atmosphere.output_spread_s = 0.339;
    atmosphere.restart_s = 0.165;
    atmosphere.restart_spread_s = 0.007;
    atmosphere.coupling_cost_with_operations = 0.1833;
    run.components[2].properties.is_io_server = run.components[2].balance.is_io_server = true;
    run.components[2].balance.why_no_window = "it has no coupling event that occurs three times";
    run.components[1].dropped_events = 17;
    ocean.critical_share = 0.06;
    atmosphere.critical_share = 0.93;
    RunBalance &together = run.balance;
    together.loop_s = 9.4;
    together.on_path_s = 0.99 * 9.4;
    together.changes = 2;
    together.slow_side = 2;
    together.waiting_share = waiting_share_of_cores(run); // (62 x 1.818 + 63 x 0.001) / (62 x 9.443 + 63 x 9.743)
    together.best_cores = {54, 71, 0}; // 62 x 7.625 / 54 = 8.755 s beside 63 x 9.742 / 71 = 8.644 s
    together.best_s = 8.755;
    together.gain_s = 0.645;
    run.cpmip.sypd = 43200 / (365 * 41.527);
    run.cpmip.chsy = 128 * (41.527 / 3600) * 730;
    run.cpmip.parallelization = 128;
    run.cpmip.coupling_cost = 0.125;
    run.clock = {3.2e-6, 0, "tsc", 2, ""};
    run.analysis_s = 0.228;
    run.remarks = {"17 events of atmosphere were dropped at the memory bound"};
    return run;
}

} // namespace cpl_lb::test
