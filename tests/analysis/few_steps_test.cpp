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
// steps named, from 1, ocean waits 0.95 s, and in each heavy one 0.05 s.
CoupledRun waits_long_in(const std::vector<std::size_t> &stalls, double atmosphere_then_s,
                         std::size_t heavy_every = 1000) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {test::component("ocean", 1, 0, 3, 0), test::component("atmosphere", 2, 3, 1, 0)};
    ComponentBalance &ocean = run.components[0].balance, &atmosphere = run.components[1].balance;
    double at = 10, all_s = 0;
    for (std::size_t j = 1; j <= 80; ++j) {
        const bool stall = std::ranges::count(stalls, j) > 0;
        const double waits_s = stall ? 0.95 : j % heavy_every == 0 ? 0.05 : 0.0125;
        all_s += waits_s;
        ocean.steps.push_back({at, 0.05 + waits_s, waits_s, 0.05, 0});
        atmosphere.steps.push_back({at - 0.01, 0.05 + waits_s, 0, stall ? atmosphere_then_s : 0.0625, 0});
        at += 0.05 + waits_s;
    }
    const double waiting_s = all_s;
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

// Each tenth, or each twentieth, step is longer, and one of them, or another one, far longer: the heavy ones are the
// model's, 0.05 s, and the stall adds 0.95 - 0.05 s. Waiting: with each tenth 72 x 0.0125 + 8 x 0.05 s = 1.3 s, of
// which the stall takes the place of one step.
TEST_CASE("a stall stands out though other steps are longer again and again") {
    for (const std::size_t stalled : {41U, 40U}) {
        const double instead_of = stalled == 40 ? 0.05 : 0.0125;
        const FewSteps tenth = few_steps_of(waits_long_in({stalled}, 1, 10));
        CHECK(tenth.count == 1);
        CHECK(tenth.step == static_cast<std::int64_t>(stalled));
        CHECK(tenth.computes);
        CHECK(tenth.share == Approx(0.9 / (1.3 + 0.95 - instead_of)));
    }
    // Every second one: half of the steps are heavy, the median is between, and the stall stands out from all.
    const FewSteps second = few_steps_of(waits_long_in({41}, 1, 2));
    CHECK(second.count == 1);
    CHECK(second.step == 41);
    CHECK(few_steps_of(waits_long_in({}, 1, 10)).share == 0);
    CHECK(few_steps_of(waits_long_in({}, 1, 2)).share == 0);
    // Every twelfth: 6 of 80 are heavy, fewer than a tenth, and they are still the model's.
    const FewSteps twelfth = few_steps_of(waits_long_in({41}, 1, 12));
    CHECK(twelfth.count == 1);
    CHECK(twelfth.share == Approx(0.9 / (73 * 0.0125 + 6 * 0.05 + 0.95)));
}
