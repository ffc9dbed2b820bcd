// A run of two components with MPI recorded, with figures that can be worked out by hand.
#pragma once

#include "data/coupled_run.hpp"

#include <initializer_list>

namespace cpl_lb::test {

inline Spread spread_of(std::initializer_list<double> values) {
    Spread s;
    for (const double v : values)
        s.add(v);
    return s;
}

// Ocean, 2 cores: loop 10 s, waits 2 of them, useful 6 and 4 s: 50 = 80 x 62.5, 62.5 = 83.33 x 75 %.
// Atmosphere, 3 cores: loop 20 s, waits 15, useful 5, 5, 3.5 s: 22.5 = 25 x 90, 90 = 90 x 100 %.
// All cores: loops 2 x 10 + 3 x 20 = 80, computing 2 x 8 + 3 x 5 = 31, useful 2 x 5 + 3 x 4.5 = 23.5 s.
inline CoupledRun inside_run() {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components.resize(2);
    Component &ocean = run.components[0], &atmosphere = run.components[1];
    ocean.name = "ocean";
    ocean.id = 1;
    ocean.ranks = {0, 1};
    ocean.balance.loop_s = ocean.inside.length_s = 10;
    ocean.balance.computing_s = 8;
    ocean.balance.waiting_s = 2;
    ocean.inside.useful_s = spread_of({6, 4});
    ocean.inside.exchanges_s = spread_of({2, 2.5});
    ocean.inside.in_class_s = {spread_of({1.5, 2.5}), spread_of({0.5, 1}), spread_of({0, 0}), spread_of({0, 0})};
    ocean.inside.calls = {1200, 34, 0, 0};
    atmosphere.name = "atmosphere";
    atmosphere.id = 2;
    atmosphere.ranks = {2, 3, 4};
    atmosphere.balance.loop_s = atmosphere.inside.length_s = 20;
    atmosphere.balance.computing_s = 5;
    atmosphere.balance.waiting_s = 15;
    atmosphere.inside.useful_s = spread_of({5, 5, 3.5});
    atmosphere.inside.exchanges_s = spread_of({15, 15, 15});
    for (Spread &s : atmosphere.inside.in_class_s)
        s = spread_of({0, 0, 0});
    atmosphere.inside.in_class_s[3] = spread_of({0, 0, 1.5});
    atmosphere.inside.calls[3] = 7;
    return run;
}

// Three processes in a loop of 20 s, 60 s of core time: 3 s are waits for process 0, 5 %. Process 1 is waited for by
// one other, 12 times, 1 s of these certainly in the loop.
inline void add_traffic(Component &component) {
    InsideTraffic &traffic = component.inside.traffic;
    traffic.groups = 3;
    traffic.pairs = {{0, 1, 400, 3 << 20, 1.5}, {0, 2, 0, 0, 0.5}, {2, 0, 20, 1 << 20, 0.25}};
    traffic.waited_for = {{0, 2, 100, 2, 4, 3}, {1, 1, 12, 0.25, 1.25, 1}};
}

} // namespace cpl_lb::test
