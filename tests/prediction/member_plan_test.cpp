// Members at once, against times worked out by hand.
#include "prediction/member_plan.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

ScalingCurve flat_beyond_128() { // 100 s on 64 cores, 50 s on 128, 50 s on 256
    return ScalingCurve({{64, 100}, {128, 50}, {256, 50}});
}

} // namespace

// 10 nodes of 128 cores, 10 members. Measured: 50 s on one node, 50 s on two. 10 at once: 1 x 50 = 50 s.
// 5 at once on two nodes each: 2 x 50 = 100 s.
TEST_CASE("a member on one whole node where two make it no faster") {
    const auto plans = member_plans({10, 1280, 128}, flat_beyond_128(), CurveForm::measured);
    REQUIRE(plans.size() >= 3);
    CHECK(plans[0].at_once == 10);
    CHECK(plans[0].cores == 128);
    CHECK(plans[0].nodes == 1);
    CHECK(plans[0].rounds == 1);
    CHECK(plans[0].idle_cores == 0);
    CHECK(plans[0].seconds == Approx(50));
    CHECK(plans[0].measured);
    CHECK(plans[1].at_once == 5);
    CHECK(plans[1].seconds == Approx(100));
}

// 20 members on the same 10 nodes. All at once: two on a node, 64 cores each: 1 x 100 s. 10 at once: 2 x 50 = 100 s
// as well: fewer cores for each comes first. 7 at once (one node each, three idle): 3 x 50 = 150 s.
TEST_CASE("more members than nodes share nodes") {
    const auto plans = member_plans({20, 1280, 128}, flat_beyond_128(), CurveForm::measured);
    CHECK(plans[0].at_once == 20);
    CHECK(plans[0].cores == 64);
    CHECK(plans[0].nodes == 0);
    CHECK(plans[1].at_once == 10);
    CHECK(plans[1].seconds == Approx(100));
    CHECK(plans[2].at_once == 7);
    CHECK(plans[2].idle_cores == 384);
    CHECK(plans[2].seconds == Approx(150));
}

// 12 on 10 nodes: two of them on each of 10 nodes, so each on 64 cores, 100 s; 6 at once on one node: 2 x 50 = 100 s.
TEST_CASE("no member is cut across nodes") {
    for (const MemberPlan &plan : member_plans({12, 1280, 128}, flat_beyond_128(), CurveForm::measured)) {
        CHECK((plan.cores % 128 == 0 || 128 % plan.cores < plan.cores));
        CHECK((plan.nodes > 0 || plan.cores <= 128));
        CHECK(plan.idle_cores >= 0);
    }
}

TEST_CASE("without nodes the cores are divided") {
    const auto plans = member_plans({4, 256, 0}, flat_beyond_128(), CurveForm::measured);
    // 4 at once: 64 cores each, 100 s. 2 at once: 128 each, 2 x 50 = 100 s. 1: 4 x 50 = 200 s.
    CHECK(plans[0].at_once == 4);
    CHECK(plans[1].at_once == 2);
    CHECK(plans.back().at_once == 1);
    CHECK(plans.back().seconds == Approx(200));
    CHECK(member_plans({4, 0, 0}, flat_beyond_128(), CurveForm::measured).empty());
    CHECK(member_plans({4, 100, 128}, flat_beyond_128(), CurveForm::measured).empty());
}
