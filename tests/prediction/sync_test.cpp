// Collective operations in the graph of a run: all leave when the last has come.
#include "prediction/predictor.hpp"
#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// Each meeting is 10 s after the one before: A computes 4 s, B 10 s, C 7 s. In step n `last` of the others is named.
std::vector<Recorded> meetings(double arrives_s, const std::vector<std::int32_t> &last) {
    return repeated(11, [=](int n) {
        const std::int32_t named = last[static_cast<std::size_t>(n) % last.size()];
        return Recorded{Kind::sync, 1, named, 10.0 * n + arrives_s, 10.0 * n + 10};
    });
}

} // namespace

TEST_CASE("three components meet: the slowest is the critical path, and a faster one gives it up") {
    // Who was named last changes for B: it is the same exchange all the same.
    const CoupledRun run = run_of({meetings(4, {2}), meetings(10, {3, 1}), meetings(7, {2})});
    const MeasuredGraph m = measured_graph(run);
    REQUIRE(m.exchanges.size() == 6); // each two of them, both ways
    for (const MatchedExchange &e : m.exchanges) {
        CHECK(e.transfer == Transfer::collective);
        CHECK(e.pairs.size() == 11);
    }
    const Prediction same = predict(m, {1, 1, 1});
    CHECK(same.alpha == Approx(1));
    CHECK(same.cycle_mean_s == Approx(10));
    // B in 5 s: C's 7 s decide; with C in 3.5 s B's 5 s; A's 4 s only when both take less.
    CHECK(predict(m, {1, 0.5, 1}).cycle_mean_s == Approx(7));
    CHECK(predict(m, {1, 0.5, 0.5}).cycle_mean_s == Approx(5));
    CHECK(predict(m, {1, 0.25, 0.5}).cycle_mean_s == Approx(4));
}

TEST_CASE("a collective operation that some leave before others come is one way only") {
    // A, the root, sends after 10 s and goes on; B has come after 4 s and waits; C comes 2 s after that.
    const auto of = [](double start_s, double stop_s) {
        return repeated(11, [=](int n) { return Recorded{Kind::sync, 1, 0, 10.0 * n + start_s, 10.0 * n + stop_s}; });
    };
    const MeasuredGraph m = measured_graph(run_of({of(10, 10), of(4, 10), of(12, 12)}));
    for (const MatchedExchange &e : m.exchanges)
        CHECK(e.exchange.source != 3); // nobody waits for C
    // C twice as slow needs 20 s a step; A and B keep their 10 s.
    const Prediction slow = predict(m, {1, 1, 2});
    CHECK(slow.path.seconds[2] > slow.path.seconds[0]);
}

TEST_CASE("a root that takes long to hand out is no hole: nobody is waited for, and all are recorded") {
    // A hands out from 5 to 9 s of each 10 s, B has come after 4 s. Once A is done before B comes, so it needs no B.
    const auto of = [](std::int32_t other, double first_start_s, double first_stop_s, double start_s, double stop_s) {
        return repeated(11, [=](int n) {
            const bool first = n == 5;
            return Recorded{Kind::sync, 1, other, 10.0 * n + (first ? first_start_s : start_s),
                            10.0 * n + (first ? first_stop_s : stop_s)};
        });
    };
    const MeasuredGraph m = measured_graph(run_of({of(2, 5, 5.5, 5, 9), of(1, 6, 7, 4, 9)}));
    REQUIRE(m.exchanges.size() == 1); // B waits for A
    CHECK(m.exchanges.front().exchange.target == 2);
}
