// Each 10 s: the first component computes 3 s, sends field 3 to the second and hands its process over to it; this
// computes 5 s. Back in the first, it waits 2 s for the third, which computes 10 s. `threads`: of the first two.
#pragma once

#include "tests/analysis/literals.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb::literals {

inline CoupledRun taking_turns(std::int32_t threads) {
    std::vector<Recorded> a, b, c;
    std::vector<Interval> a_away, b_away = {{-from_seconds(1), from_seconds(3)}};
    for (int n = 0; n < 11; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 3, 2, t + 3, t + 3});
        a_away.push_back({from_seconds(t + 3), from_seconds(t + 8)});
        b.push_back({Kind::get, 3, 1, t + 3, t + 3});
        b_away.push_back({from_seconds(t + 8), from_seconds(t + 13)});
        a.push_back({Kind::get, 2, 3, t + 8, t + 10});
        c.push_back({Kind::put, 2, 1, t + 10, t + 10});
    }
    CoupledRun run = run_of({a, b, c});
    run.components[1].ranks = {0};
    run.components[0].threads = run.components[1].threads = threads;
    run.components[0].away = a_away;
    run.components[1].away = b_away;
    return run;
}

} // namespace cpl_lb::literals
