// What a few steps add to the waiting: literals with known sums.
#include "analysis/few_steps.hpp"
#include "tests/report/example_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

using namespace cpl_lb;

namespace {

// 80 steps. ocean on 3 cores waits 0.0125 s in each for the atmosphere, which computes 0.0625 s on 1 core; in the
// steps named, from 1, ocean waits 0.95 s.
CoupledRun waits_long_in(const std::vector<std::size_t> &stalls, double atmosphere_then_s) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {test::component("ocean", 1, 0, 3, 0), test::component("atmosphere", 2, 3, 1, 0)};
    ComponentBalance &ocean = run.components[0].balance, &atmosphere = run.components[1].balance;
    double at = 10;
    for (std::size_t j = 1; j <= 80; ++j) {
        const bool stall = std::ranges::count(stalls, j) > 0;
        const double waits_s = stall ? 0.95 : 0.0125;
        ocean.steps.push_back({at, 0.05 + waits_s, waits_s, 0.05, 0});
        atmosphere.steps.push_back({at - 0.01, 0.05 + waits_s, 0, stall ? atmosphere_then_s : 0.0625, 0});
        at += 0.05 + waits_s;
    }
    const auto stalled = static_cast<double>(stalls.size());
    const double waiting_s = stalled * 0.95 + (80 - stalled) * 0.0125;
    std::vector<Step> of_ocean = std::move(ocean.steps), of_atmosphere = std::move(atmosphere.steps);
    ocean = test::balance(4, waiting_s, {{2, waiting_s, 0}});
    atmosphere = test::balance(4 + waiting_s, 0, {{1, 0, 0}});
    ocean.steps = std::move(of_ocean);
    atmosphere.steps = std::move(of_atmosphere);
    ocean.step_count = atmosphere.step_count = 80;
    return run;
}

} // namespace

TEST_CASE("one step of 80 adds half of the waiting, while another component computes") {
    const FewSteps few = few_steps_of(waits_long_in({41}, 1));
    CHECK(few.waiter == 1);
    CHECK(few.share == Approx(0.9375 / 1.9375)); // 0.95 - 0.0125 s of 79 x 0.0125 + 0.95 s, on 3 cores each
    CHECK(few.count == 1);
    CHECK(few.steps == 80);
    CHECK(few.computes);
    CHECK(few.component == 2);
    CHECK(few.step == 41);
    CHECK(few.longest_s == 1);
    CHECK(few.median_s == 0.0625);
}

TEST_CASE("if nobody computes so much longer in that step, the one that waits is told") {
    const FewSteps few = few_steps_of(waits_long_in({41}, 0.5)); // 0.4375 s longer, less than half of 0.9375 s
    CHECK_FALSE(few.computes);
    CHECK(few.component == 1);
    CHECK(few.step == 41);
    CHECK(few.longest_s == 0.95);
    CHECK(few.median_s == 0.0125);
    CHECK(few.share == Approx(0.9375 / 1.9375));
}

TEST_CASE("few steps are at most a tenth of all, and waits that are alike are none") {
    CHECK(few_steps_of(waits_long_in({}, 1)).share == 0);
    // 8 x 0.9375 s of 72 x 0.0125 + 8 x 0.95 s
    const FewSteps eight = few_steps_of(waits_long_in({3, 9, 20, 31, 47, 60, 61, 80}, 1));
    CHECK(eight.share == Approx(7.5 / 8.5));
    CHECK(eight.count == 8);
    CHECK(few_steps_of(waits_long_in({3, 9, 20, 31, 47, 60, 61, 79, 80}, 1)).share == 0);
    CoupledRun in_groups = waits_long_in({41}, 1);
    in_groups.components[0].balance.step_extremes.resize(80);
    CHECK(few_steps_of(in_groups).share == 0);
}

TEST_CASE("waits that come again at one distance are the model's own: an exchange that comes less often") {
    CHECK(few_steps_of(waits_long_in({20, 40, 60}, 1)).share == 0);
    // 3 x 0.9375 s of 77 x 0.0125 + 3 x 0.95 s, and 2 x 0.9375 s of 78 x 0.0125 + 2 x 0.95 s
    CHECK(few_steps_of(waits_long_in({20, 40, 61}, 1)).share == Approx(2.8125 / 3.8125));
    CHECK(few_steps_of(waits_long_in({20, 40}, 1)).share == Approx(1.875 / 2.875));
}
