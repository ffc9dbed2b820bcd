// Where every core hour goes: efficiencies against figures worked out by hand, and their products.
#include "analysis/waiting_share.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace cpl_lb;

namespace {

// Useful seconds of each of its processes in a loop.
Component coupled(double loop_s, double waiting_s, std::initializer_list<double> useful_s) {
    Component c;
    c.ranks.resize(useful_s.size());
    c.balance.loop_s = c.inside.length_s = loop_s;
    c.balance.waiting_s = waiting_s;
    c.balance.computing_s = loop_s - waiting_s;
    for (const double s : useful_s)
        c.inside.useful_s.add(s);
    return c;
}

} // namespace

TEST_CASE("efficiency: of a component, by hand") {
    // 10 s, of which it waits 2: 8 computing. Useful 6 and 4: mean 5, most 6.
    const Efficiency e = efficiency_of(coupled(10, 2, {6, 4}));
    CHECK(e.total == Approx(0.5));    // 5 / 10
    CHECK(e.coupling == Approx(0.8)); // 8 / 10
    CHECK(e.inside == Approx(0.625)); // 5 / 8
    CHECK(e.load_balance == Approx(5. / 6));
    CHECK(e.communication == Approx(0.75)); // 6 / 8
}

TEST_CASE("efficiency: of the run, weighted with cores") {
    CoupledRun run;
    run.components = {coupled(10, 2, {6, 4}), coupled(20, 15, {5, 5, 3.5})};
    run.components[1].threads = 2;
    const Efficiency e = efficiency_of(run);
    // Cores: 2 x 1 and 3 x 2. Loops 2 x 10 + 6 x 20 = 140, computing 2 x 8 + 6 x 5 = 46, useful 2 x 5 + 6 x 4.5 = 37.
    CHECK(e.total == Approx(37. / 140));
    CHECK(e.coupling == Approx(46. / 140));
    CHECK(e.inside == Approx(37. / 46));
    CHECK_FALSE(is_known(e.load_balance));
    CHECK_FALSE(is_known(e.communication));
}

TEST_CASE("efficiency: without MPI recorded the coupling alone") {
    CoupledRun run;
    run.components = {coupled(10, 2, {})};
    run.components[0].ranks.resize(1);
    for (const Efficiency &e : {efficiency_of(run.components[0]), efficiency_of(run)}) {
        CHECK(e.coupling == Approx(0.8));
        CHECK_FALSE(is_known(e.total));
        CHECK_FALSE(is_known(e.inside));
        CHECK_FALSE(is_known(e.load_balance));
        CHECK_FALSE(is_known(e.communication));
    }
    CHECK_FALSE(knows_inside(run));
    // One of two components without: nothing of the run's inside.
    run.components.push_back(coupled(20, 5, {10}));
    CHECK(knows_inside(run));
    CHECK(efficiency_of(run).coupling == Approx((8. + 15) / (10 + 20)));
    CHECK_FALSE(is_known(efficiency_of(run).total));
    CHECK_FALSE(is_known(efficiency_of(run).inside));
}

TEST_CASE("efficiency: nothing is coupled, so the inside of the whole run") {
    Component c = coupled(unknown, unknown, {60, 30});
    c.inside.of_whole_run = true;
    c.inside.length_s = 100;
    const Efficiency e = efficiency_of(c);
    CHECK_FALSE(is_known(e.total));
    CHECK_FALSE(is_known(e.coupling));
    CHECK(e.inside == Approx(0.45)); // mean 45 of 100
    CHECK(e.load_balance == Approx(0.75));
    CHECK(e.communication == Approx(0.6));
    // Exchanges, but too few for a loop: the waiting of the whole run is no computing.
    c.balance.whole_waiting_s = 10;
    CHECK(efficiency_of(c).inside == Approx(0.5)); // 45 of 90
    CoupledRun run;
    run.components = {c};
    CHECK(efficiency_of(run).inside == Approx(0.5));
    CHECK_FALSE(is_known(efficiency_of(run).coupling));
    // Beside a component with a loop it takes no part.
    run.components.push_back(coupled(10, 2, {6}));
    CHECK(efficiency_of(run).inside == Approx(6. / 8));
}

TEST_CASE("efficiency: another loop than the one in which MPI was summed up says nothing") {
    Component c = coupled(10, 2, {6, 4});
    c.inside.length_s = 9;
    CHECK_FALSE(is_known(efficiency_of(c).total));
    CHECK_FALSE(is_known(efficiency_of(c).communication));
    CHECK(efficiency_of(c).coupling == Approx(0.8));
    c.inside.length_s = 10.000001; // times of a compressed timeline
    CHECK(efficiency_of(c).total == Approx(0.5));
    c.inside.length_s = 10;
    c.inside.of_whole_run = true;
    CHECK_FALSE(is_known(efficiency_of(c).total));
}

TEST_CASE("efficiency: no division by zero") {
    const Efficiency e = efficiency_of(coupled(10, 10, {0, 0})); // waits always
    CHECK(e.total == 0);
    CHECK(e.coupling == 0);
    CHECK_FALSE(is_known(e.inside));
    CHECK_FALSE(is_known(e.load_balance));
    CHECK_FALSE(is_known(e.communication));
    CHECK_FALSE(is_known(efficiency_of(CoupledRun{}).coupling));
    CHECK_FALSE(is_known(efficiency_of(Component{}).coupling));
}

// Some above 1: nothing is cut.
TEST_CASE("efficiency: each line is the product of those below it") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> part(0.01, 1);
    bool above_1 = false;
    for (int i = 0; i < 1000; ++i) {
        CoupledRun run;
        for (int n = 0; n < 3; ++n) {
            const double loop_s = std::exp(20 * part(random) - 10);
            run.components.push_back(coupled(loop_s, part(random) * loop_s * 0.99,
                                             {loop_s * part(random), loop_s * part(random), loop_s * part(random)}));
            run.components.back().threads = 1 + n;
            const Efficiency e = efficiency_of(run.components.back());
            REQUIRE(e.total == Approx(e.coupling * e.inside).epsilon(1e-9));
            REQUIRE(e.inside == Approx(e.load_balance * e.communication).epsilon(1e-9));
            above_1 = above_1 || e.communication > 1;
        }
        const Efficiency e = efficiency_of(run);
        REQUIRE(e.total == Approx(e.coupling * e.inside).epsilon(1e-9));
    }
    CHECK(above_1);
}
