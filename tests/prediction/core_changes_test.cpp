// Components in turn on the same cores, and side by side; the cycles are worked out by hand.
#include "prediction/changes.hpp"
#include "prediction/predictor.hpp"
#include "tests/prediction/taking_turns.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// They meet every 10 s: the first arrives 4 s after the last meeting, the second 10 s.
CoupledRun met_in_tens() {
    return run_of({repeated(11,
                            [](int n) {
                                return Recorded{Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10};
                            }),
                   repeated(11, [](int n) {
                       return Recorded{Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10};
                   })});
}

double cycle_s(const CoupledRun &run, const Changes &changes) {
    const MeasuredGraph measured = measured_graph(run);
    return 10 * what_if(measured, changed_graph(run, measured, changes)).ratio;
}

std::string refusal(const CoupledRun &run, const Changes &changes) {
    try {
        const MeasuredGraph measured = measured_graph(run);
        (void)changed_graph(run, measured, changes);
    } catch (const PredictionError &error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("in turn: each on the cores of both, one after the other") {
    CoupledRun run = met_in_tens();
    Changes changes;
    changes.in_turn = {{run.components[0].name, run.components[1].name}};
    // 1 + 1 cores: 4 / 2 + 10 / 2.
    CHECK(cycle_s(run, changes) == Approx(7));
    // 1 + 3 cores: 4 / 4 + 10 x 3 / 4.
    run.components[1].threads = 3;
    CHECK(cycle_s(run, changes) == Approx(8.5));
    // The other way round they begin together, too.
    changes.in_turn = {{run.components[1].name, run.components[0].name}};
    CHECK(cycle_s(run, changes) == Approx(8.5));
    // And twice as fast: 1 + 7.5 / 2.
    changes.speeds = {{run.components[1].name, "", 2}};
    CHECK(cycle_s(run, changes) == Approx(4.75));
}

// The two of the exchange are in turn, a third computes beside them as long as both: 4 / 2 + 10 / 2 = 7 s, and the
// third needs 9.
TEST_CASE("in turn beside a third, which then decides") {
    CoupledRun run = run_of({repeated(11,
                                      [](int n) {
                                          return Recorded{Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10};
                                      }),
                             [] {
                                 std::vector<Recorded> both;
                                 for (int n = 0; n < 11; ++n) {
                                     both.push_back({Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10});
                                     both.push_back({Kind::get, 2, 3, 10.0 * n + 10, 10.0 * n + 10});
                                 }
                                 return both;
                             }(),
                             repeated(11, [](int n) {
                                 return Recorded{Kind::put, 2, 2, 10.0 * n + 9, 10.0 * n + 10};
                             })});
    Changes changes;
    changes.in_turn = {{run.components[0].name, run.components[1].name}};
    CHECK(cycle_s(run, changes) == Approx(9));
}

TEST_CASE("side by side on the cores that were shared") {
    const CoupledRun run = taking_turns(2);
    Changes faster;
    faster.speeds = {{run.components[2].name, "", 2}}; // 5 s: 3 + 5 decide
    CHECK(cycle_s(run, faster) == Approx(8).epsilon(0.01));
    // One core each: 6 s beside 10 s.
    Changes apart = faster;
    apart.side_by_side = {{run.components[0].name, run.components[1].name}};
    CHECK(cycle_s(run, apart) == Approx(10).epsilon(0.01));
    CHECK(changed_cores(run, {3, 5, 10}, apart) == std::vector<std::int64_t>{1, 1, 1});
    // Eight cores: 24 and 40 core seconds; 3 cores need 8 s and 5 need 8 s, 2 and 6 need 12 s.
    CoupledRun wide = run;
    wide.components[0].threads = wide.components[1].threads = 8;
    CHECK(changed_cores(wide, {3, 5, 10}, apart) == std::vector<std::int64_t>{3, 5, 1});
}

TEST_CASE("cores that cannot be changed so") {
    const CoupledRun two = met_in_tens(), three = taking_turns(2);
    const std::string a = two.components[0].name, b = two.components[1].name;
    Changes changes;
    changes.in_turn = {{a, "nobody"}};
    CHECK_THAT(refusal(two, changes), Catch::Contains("no component 'nobody'"));
    changes.in_turn = {{a, b}, {b, a}};
    CHECK_THAT(refusal(two, changes), Catch::Contains("stands in two groups"));
    changes.in_turn = {};
    changes.side_by_side = {{a, b}};
    CHECK_THAT(refusal(two, changes), Catch::Contains(a + " and " + b + " have processes of their own already"));
    changes.side_by_side = {};
    changes.in_turn = {{a, b}};
    CHECK_THAT(refusal(three, changes),
               Catch::Contains(a + " and " + b + " are in turn on the same processes already"));
    CoupledRun narrow = three;
    narrow.components[0].threads = narrow.components[1].threads = 1;
    changes.in_turn = {};
    changes.side_by_side = {{a, b}};
    CHECK_THAT(refusal(narrow, changes), Catch::Contains("fewer cores than they are"));
}
