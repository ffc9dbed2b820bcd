// The cycles of a replay as pieces of computing, worked out by hand.
#include "prediction/changes.hpp"
#include "prediction/predictor.hpp"
#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// They meet every 10 s: the first arrives 4 s after the last meeting, the second 10 s.
CoupledRun met_every_ten(int steps) {
    return run_of(
        {repeated(steps, [](int n) { return Recorded{Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10, no_date}; }),
         repeated(steps, [](int n) { return Recorded{Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10, no_date}; })});
}

void check_pieces(const std::vector<ComputingTime> &pieces, double length_s, double period_s, std::size_t count) {
    REQUIRE(pieces.size() == count);
    for (std::size_t n = 0; n < count; ++n) {
        CHECK(pieces[n].from_s == Approx(period_s * static_cast<double>(n)).margin(1e-9));
        CHECK(pieces[n].to_s == Approx(period_s * static_cast<double>(n) + length_s));
    }
}

} // namespace

TEST_CASE("both timelines: who computes when, before and after") {
    const CoupledRun run = met_every_ten(11);
    const MeasuredGraph measured = measured_graph(run);
    Changes changes;
    changes.speeds = {{run.components[1].name, "", 2}};
    const MeasuredGraph changed = changed_graph(run, measured, changes);
    const auto both = replayed_cycles(measured, changed, {1, 1}, 1);
    REQUIRE(both);
    // Seven cycles, all of them: 10 s each as recorded, 10 / 2 s with the second twice as fast.
    CHECK(both->first_cycle == 1);
    CHECK(both->recorded_s == Approx(70));
    CHECK(both->measured.begin_s.back() == Approx(70));
    CHECK(both->changed.begin_s.back() == Approx(35));
    check_pieces(both->measured.computing[0], 4, 10, 7);
    check_pieces(both->changed.computing[0], 4, 5, 7);
    // The second never waits: one piece.
    check_pieces(both->measured.computing[1], 70, 0, 1);
    check_pieces(both->changed.computing[1], 35, 0, 1);

    // A change of every third exchange shows three cycles or six, and so few exchanges three: from the middle, after
    // (7 - 3) / 2 = 2 of them.
    const auto three = replayed_cycles(measured, changed, {1, 1}, 3, 2);
    REQUIRE(three);
    CHECK(three->first_cycle == 3);
    CHECK(three->measured.begin_s.size() == 4);
    CHECK(three->recorded_s == Approx(30));
    CHECK(replayed_cycles(measured, changed, {1, 1}, 3)->measured.begin_s.size() == 7);
    // It has no eight.
    CHECK_FALSE(replayed_cycles(measured, changed, {1, 1}, 8));
}
