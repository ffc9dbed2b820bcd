// What the answers about a run may cost: without a look at each operation for each exchange, and within a budget.
#include "prediction/best_split.hpp"
#include "prediction/predictor.hpp"
#include "prediction/run_balance.hpp"
#include "prediction/stretch_points.hpp"
#include "tests/analysis/literals.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;
using namespace cpl_lb::literals;

TEST_CASE("the coupler's own work in an exchange is each instant with an operation inside it, once") {
    std::mt19937 random(28);
    const auto up_to = [&](int most) { return static_cast<Nanoseconds>(random() % static_cast<unsigned>(most + 1)); };
    for (int n = 0; n < 200; ++n) {
        // Few that overlap, or most with most, and some that hold others.
        Component c;
        const int longest = n % 2 == 0 ? 10 : 200;
        Nanoseconds start = 0;
        for (int k = 0; k < 60; ++k) {
            start += up_to(3);
            const Nanoseconds last = start + up_to(longest), stop = last + up_to(longest);
            const Kind kind =
                std::array{
                    Kind::put, Kind::get, Kind::map, Kind::map, Kind::out, Kind::undf}[static_cast<std::size_t>(
                    up_to(5))];
            c.table.keys.push_back({kind, 1, 2});
            c.table.spans.whole().push_back({start, last, stop, 1});
        }
        const Interval stretch{up_to(40), 60 + up_to(300)};
        Nanoseconds end = 0;
        for (const Placed &p : points_of(c, stretch, end)) {
            Nanoseconds work = 0;
            for (Nanoseconds t = p.arrive; t < p.leave; ++t) {
                bool any = false;
                for (std::size_t m = p.event + 1; m < c.table.keys.size() && !any; ++m) {
                    const EventSpan inside = c.table.spans[m];
                    any = is_operation(c.table.keys.what(m).kind) && inside.last_stop <= p.leave &&
                          inside.first_start <= t && t < inside.last_stop;
                }
                work += any ? 1 : 0;
            }
            CHECK(p.before + p.after == work);
            CHECK((c.table.keys.what(p.event).kind == Kind::put ? p.after : p.before) == 0);
        }
    }
}

TEST_CASE("what there is no time for is not known, and what was known before stays") {
    std::vector<Recorded> a, b;
    for (int n = 0; n < 6; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 4, t + 4});
        a.push_back({Kind::get, 2, 2, t + 4, t + 10});
        b.push_back({Kind::get, 1, 1, t, t + 4});
        b.push_back({Kind::put, 2, 1, t + 10, t + 10});
    }
    CoupledRun run = run_of({a, b});
    const std::vector<Exchange> exchanges = find_exchanges(run);
    judge_balance(run, exchanges, {.budget = Budget(0, "no time")});
    CHECK(run.balance.why_no_path == "no time");
    CHECK(run.balance.why_no_gain == "no time");
    CHECK(run.balance.slow_side == 0);
    const std::vector<MatchedExchange> matched = match_events(run, exchanges);
    constexpr std::size_t all = 1000;
    const MeasuredGraph loop = measured_graph(run, matched, common_stretch(run), all, {});
    CHECK_THROWS_AS(measured_graph(run, matched, common_stretch(run), all, Budget(0, "no time")), BudgetUsedUp);
    CHECK_THROWS_AS(best_split(loop, {{false, false}, {1, 1}}, 10, Budget(0, "no time")), BudgetUsedUp);
    CHECK(best_split(loop, {{false, false}, {1, 1}}, 10, Budget(1000, "no time")).cores.size() == 2);
}
