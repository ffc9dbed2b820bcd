// Which PUT belongs to which GET (docs/definitions.md, section 1).
#include "analysis/exchanges.hpp"
#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

std::vector<Recorded> series(Kind kind, std::int32_t counterpart, int times, double first_s, double lasts_s) {
    return repeated(
        times, [=](int n) { return Recorded{kind, 1, counterpart, first_s + n, first_s + n + lasts_s, no_date}; });
}

} // namespace

TEST_CASE("a lag of 0 where each GET ends after its PUT began") {
    // PUT n at n + 0.5, GET n at n..n+0.6: it ends 0.1 s after its PUT began.
    const auto found =
        find_exchanges(run_of({series(Kind::put, 2, 10, 0.5, 0.2), series(Kind::get, 1, 10, 0.0, 0.6)}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].field == 1);
    CHECK(found[0].source == 1);
    CHECK(found[0].target == 2);
    CHECK(found[0].lag == 0);
    CHECK(found[0].matched == 10);
    CHECK(found[0].violations == 0);
}

TEST_CASE("a lag of 1: the first GET reads a restart file") {
    // PUT n at n + 0.5; GET n at n..n+0.1 ends before PUT n begins, but after PUT n - 1 began at n - 0.5.
    const auto found =
        find_exchanges(run_of({series(Kind::put, 2, 10, 0.5, 0.2), series(Kind::get, 1, 10, 0.0, 0.1)}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].lag == 1);
    CHECK(found[0].matched == 9);
    CHECK(found[0].violations == 0);
}

TEST_CASE("unequal numbers at the ends") {
    // 10 PUTs, 12 GETs with lag 2: GET n at n..n+0.1, PUT n at n + 1.5 (GET n + 2 ends at n + 2.1).
    const auto found =
        find_exchanges(run_of({series(Kind::put, 2, 10, 1.5, 0.2), series(Kind::get, 1, 12, 0.0, 0.1)}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].puts == 10);
    CHECK(found[0].gets == 12);
    CHECK(found[0].lag == 2);
    CHECK(found[0].matched == 10);
}

TEST_CASE("a PUT begins with its first process") {
    // PUT n at n + 0.5 on one process and at n + 0.8 on the other; GET n ends at n + 0.6.
    CoupledRun run = run_of({series(Kind::put, 2, 10, 0.5, 0.4), series(Kind::get, 1, 10, 0.0, 0.6)});
    run.components[0].table =
        component_of({series(Kind::put, 2, 10, 0.5, 0.4), series(Kind::put, 2, 10, 0.8, 0.1)}).table;
    const std::vector<Exchange> found = find_exchanges(run);
    REQUIRE(found.size() == 1);
    CHECK(found[0].lag == 0);
    CHECK(found[0].matched == 10);
    CHECK(found[0].violations == 0);
}

TEST_CASE("who sends to anybody does not send to itself") {
    std::vector<Recorded> sender = series(Kind::put, 0, 10, 0.5, 0.2);
    for (const Recorded &event : series(Kind::get, 0, 10, 0.8, 0.1))
        sender.push_back(event);
    const std::vector<Exchange> found = find_exchanges(run_of({sender, series(Kind::get, 0, 10, 0.0, 0.6)}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].source == 1);
    CHECK(found[0].target == 2);
}

TEST_CASE("a call more for the same exchange is no exchange of its own") {
    const auto both = [](Kind kind, std::int32_t counterpart, double first_s) {
        std::vector<Recorded> events = series(kind, counterpart, 10, first_s, 0.2);
        for (const Recorded &event : series(kind, counterpart, 10, first_s + 0.3, 0.2))
            events.push_back({kind, 2, counterpart, event.start_s, event.stop_s});
        return events;
    };
    CoupledRun run = run_of({both(Kind::put, 2, 0), both(Kind::get, 1, 0.1)});
    CHECK(find_exchanges(run).size() == 2); // of the fields "one" and "two"
    run.field_names[1] = "one #2";
    const std::vector<Exchange> found = find_exchanges(run);
    REQUIRE(found.size() == 1);
    CHECK(found[0].field == 1);
    CHECK(found[0].puts == 10);
}

TEST_CASE("order violations are counted beyond the clock bound only") {
    // Two PUTs at 100 and 101, two GETs that ended at 1 and 2: no lag helps. Lag 0: both pairs violate; lag 1: one
    // pair.
    const Lag lag = find_lag({100, 101}, {1, 2}, 0);
    CHECK(lag.lag == 1);
    CHECK(lag.matched == 1);
    CHECK(lag.violations == 1);
    CHECK(find_lag({100, 101}, {1, 2}, 97).violations == 1); // lag 1: GET 2 at 2 < 100 - 97
    CHECK(find_lag({100, 101}, {1, 2}, 99).violations == 0);
    CHECK(find_lag({100, 101}, {1, 2}, 99).lag == 0);
    CHECK(find_lag({}, {1, 2}, 0).matched == 0);
    CHECK(find_lag({5}, {}, 0).matched == 0);
    CHECK(find_lag({5}, {9}, 0).matched == 1);
    CHECK(find_lag({5}, {1, 9}, 0).lag == 1);
}

TEST_CASE("with a violation for every lag the best one holds") {
    // 8 PUTs n at 10 n, 8 GETs that end at 10 n + 1, but the last three PUTs begin at 1000: no GET ends after. Lags
    // up to 8 - 8 / 2 = 4. Pairs that violate: lag 0: PUTs 5, 6, 7; 1: 5, 6; 2: 5; 3: pairs (0, 3) .. (4, 7): none.
    std::vector<Nanoseconds> puts = {0, 10, 20, 30, 40, 1000, 1000, 1000};
    std::vector<Nanoseconds> gets = {1, 11, 21, 31, 41, 51, 61, 71};
    CHECK(find_lag(puts, gets, 0).lag == 3);
    // All but the first two PUTs late: lag 4 still pairs PUTs 2 and 3 with GETs 6 and 7: two violations, the fewest.
    puts = {0, 10, 1000, 1000, 1000, 1000, 1000, 1000};
    const Lag lag = find_lag(puts, gets, 0);
    CHECK(lag.lag == 4);
    CHECK(lag.matched == 4);
    CHECK(lag.violations == 2);
}

TEST_CASE("the clock bound of the run is used") {
    CoupledRun run = run_of({series(Kind::put, 2, 1, 0.5, 0.2), series(Kind::get, 1, 1, 0.0, 0.4)});
    CHECK(find_exchanges(run).at(0).violations == 1); // ends 0.1 s before
    run.clock.error_bound_s = 0.15;
    CHECK(find_exchanges(run).at(0).violations == 0);
}

TEST_CASE("violations of all exchanges are added up") {
    // Component 1 puts once to 2 and once to 3; each GET ends 0.1 s before its PUT begins, which no lag helps.
    CoupledRun run = run_of({{{Kind::put, 1, 2, 0.5, 0.7, no_date}, {Kind::put, 2, 3, 0.5, 0.7, no_date}},
                             {{Kind::get, 1, 1, 0.0, 0.4, no_date}},
                             {{Kind::get, 2, 1, 0.0, 0.4, no_date}}});
    count_order_violations(run, find_exchanges(run));
    CHECK(run.clock.order_violations == 2);
    REQUIRE(run.remarks.size() == 1);
    CHECK(run.remarks[0].rfind("2 GETs ended before their PUT began", 0) == 0);
}

TEST_CASE("counterparts that were not named are inferred when there is only one") {
    CoupledRun run = run_of(
        {series(Kind::put, 0, 3, 0.0, 0.2), series(Kind::get, 0, 3, 0.0, 0.6), series(Kind::out, 0, 3, 0.0, 0.1)});
    infer_counterparts(run);
    CHECK(run.components[0].table.keys[1].counterpart == 2);
    CHECK(run.components[1].table.keys[1].counterpart == 1);
    CHECK(run.components[2].table.keys[1].counterpart == 0);
    // Two candidates are one too many; what was named stays.
    CoupledRun two = run_of(
        {series(Kind::put, 0, 3, 0.0, 0.2), series(Kind::get, 0, 3, 0.0, 0.6), series(Kind::get, 0, 3, 0.0, 0.6)});
    infer_counterparts(two);
    CHECK(two.components[0].table.keys[0].counterpart == 0);
    CHECK(two.components[1].table.keys[0].counterpart == 1);
    CoupledRun named = run_of({series(Kind::put, 7, 3, 0.0, 0.2), series(Kind::get, 0, 3, 0.0, 0.6)});
    infer_counterparts(named);
    CHECK(named.components[0].table.keys[0].counterpart == 7);
    CHECK(named.components[1].table.keys[0].counterpart == 1);
}

TEST_CASE("one field to several components") {
    const auto found = find_exchanges(run_of(
        {series(Kind::put, 0, 5, 0.0, 0.2), series(Kind::get, 1, 5, 0.0, 0.6), series(Kind::get, 1, 4, 0.0, 0.6)}));
    REQUIRE(found.size() == 2);
    CHECK(found[0].target == 2);
    CHECK(found[0].matched == 5);
    CHECK(found[1].target == 3);
    CHECK(found[1].matched == 4);
    // Named ones go where they are named.
    const auto named = find_exchanges(run_of(
        {series(Kind::put, 3, 5, 0.0, 0.2), series(Kind::get, 1, 5, 0.0, 0.6), series(Kind::get, 1, 4, 0.0, 0.6)}));
    REQUIRE(named.size() == 1);
    CHECK(named[0].target == 3);
}

TEST_CASE("many components that name no counterpart: too many pairs are not listed, and no time is none for any") {
    CoupledRun run;
    run.field_names = {"sst"};
    for (std::int32_t id = 1; id <= 2002; ++id) {
        Component c;
        c.id = id;
        c.table.keys.push_back({id % 2 == 0 ? Kind::put : Kind::get, 1, 0});
        c.table.spans.whole().push_back({1, 1, 2, 1});
        run.components.push_back(std::move(c));
    }
    CHECK_THROWS_WITH(find_exchanges(run), "1001 components send sst to anybody, and 1001 components receive it from "
                                           "anybody: too many to tell who waits for whom");
    run.components.resize(20);
    CHECK(find_exchanges(run).size() == 100);
    CHECK_THROWS_AS(find_exchanges(run, Budget(0, "no time")), BudgetUsedUp);
    CHECK(find_exchanges(run, Budget(1000, "no time")).size() == 100);
}
