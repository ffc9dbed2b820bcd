// Properties of the load balance on random runs (random_runs.hpp), and a second implementation that looks at every
// nanosecond (by_instant.hpp).
#include "tests/analysis/balance_figures.hpp"
#include "tests/analysis/by_instant.hpp"

#include <catch2/catch.hpp>

#include <bit>

using namespace cpl_lb;
using namespace cpl_lb::property;

namespace {

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<double> figures(const ComponentBalance &b) {
    std::vector<double> all = loop_seconds(b);
    for (const Phase &p : {b.startup, b.shutdown})
        all.insert(all.end(), {p.length_s, p.waiting_s, p.output_s, p.restart_s});
    all.insert(all.end(), {b.away_s, b.restart_s, b.restart_spread_s, b.whole_waiting_s,
                           b.whole_waiting_and_operations_s, b.whole_away_s});
    return all;
}

} // namespace

TEST_CASE("every share agrees with a look at every nanosecond") {
    RandomRuns runs(20210);
    int windows = 0;
    for (int i = 0; i < 400; ++i) {
        const RandomRun run = runs.next();
        windows += run.window.known() ? 1 : 0;
        for (const Row &row : run.component.rows) {
            const Share share = share_of(run.component.table, row, run.window, run.run, highest_counterpart);
            const Share by_instant = ByInstant(run, row).share();
            INFO("run " << i);
            REQUIRE(share.whole == by_instant.whole);
            REQUIRE(share.loop == by_instant.loop);
            REQUIRE((share.startup == by_instant.startup && share.shutdown == by_instant.shutdown));
            REQUIRE(share == by_instant);
        }
    }
    CHECK(windows > 100);
}

TEST_CASE("computing, waiting and time away make up the loop; the parts of the waiting make up the waiting") {
    RandomRuns runs(4711);
    for (int i = 0; i < 2000; ++i) {
        const RandomRun run = runs.next();
        if (!run.window.known()) continue;
        const Share sum = run.sum();
        const Nanoseconds loop = run.window.interval().length();
        WideNanoseconds parts = 0;
        for (const WideNanoseconds part : sum.waiting_for_get)
            parts += part;
        for (const WideNanoseconds part : sum.waiting_for_put)
            parts += part;
        for (const WideNanoseconds part : sum.waiting_for_sync)
            parts += part;
        WideNanoseconds steps = 0;
        for (const WideNanoseconds step : sum.step_waiting)
            steps += step;
        REQUIRE((parts == sum.loop.waiting && steps == sum.loop.waiting));
        const std::int64_t members = sum.loop.exchanging > 0 ? sum.loop.exchanging : sum.processes;
        REQUIRE(sum.loop.waiting + sum.loop.away <= WideNanoseconds{loop} * members);
        REQUIRE(sum.loop.waiting_or_operations >= sum.loop.waiting);
        const ComponentBalance b = run.balance();
        REQUIRE(b.computing_s + b.waiting_s + b.away_s == Approx(b.loop_s).epsilon(1e-14));
        REQUIRE(b.computing_s >= 0.0);
        REQUIRE((b.coupling_cost >= 0.0 && b.coupling_cost <= 1.0));
        REQUIRE((b.imbalance_s >= 0.0 && b.imbalance_s <= b.loop_s));
        for (const Step &step : b.steps)
            REQUIRE((step.computing_s >= 0.0 && step.waiting_s >= 0.0));
    }
}

TEST_CASE("the order of the processes changes no bit") {
    RandomRuns runs(99);
    std::mt19937 random(1); // NOLINT: a fixed seed is wanted
    for (int i = 0; i < 500; ++i) {
        RandomRun run = runs.next();
        const std::vector<double> before = figures(run.balance());
        std::shuffle(run.component.rows.begin(), run.component.rows.end(), random);
        const std::vector<double> after = figures(run.balance());
        REQUIRE(std::equal(before.begin(), before.end(), after.begin(), after.end(), same_bits));
    }
}

TEST_CASE("one calculator for all rows and the sum of shares are the same") {
    RandomRuns runs(5);
    for (int i = 0; i < 300; ++i) {
        const RandomRun run = runs.next();
        ShareCalculator calculator(run.component.table, run.window, run.run, highest_counterpart);
        Share calculated;
        for (const Row &row : run.component.rows)
            calculator.add(row, calculated);
        Share one_by_one;
        for (std::size_t p = run.component.rows.size(); p-- > 0;) {
            const Row &row = run.component.rows[p];
            one_by_one += share_of(run.component.table, row, run.window, run.run, highest_counterpart);
        }
        REQUIRE(one_by_one == calculated);
    }
}

TEST_CASE("processes of the same pattern may come in any order, with their number known or not") {
    RandomRuns runs(77);
    std::mt19937 random(3); // NOLINT: a fixed seed is wanted
    for (int i = 0; i < 300; ++i) {
        const RandomRun run = runs.next();
        std::vector<Row> rows;
        for (int times = 0; times < 3; ++times)
            rows.insert(rows.end(), run.component.rows.begin(), run.component.rows.end());
        std::shuffle(rows.begin(), rows.end(), random);
        const std::int64_t processes = i % 2 == 0 ? 0 : static_cast<std::int64_t>(run.component.rows.size());
        ShareCalculator calculator(run.component.table, run.window, run.run, highest_counterpart, processes);
        Share calculated;
        Share one_by_one;
        for (const Row &row : rows) {
            calculator.add(row, calculated);
            one_by_one += share_of(run.component.table, row, run.window, run.run, highest_counterpart);
        }
        REQUIRE(one_by_one == calculated);
    }
}

TEST_CASE("the spread of the steps is that of the listed steps") {
    RandomRuns runs(8);
    for (int i = 0; i < 300; ++i) {
        const ComponentBalance b = runs.next().balance();
        if (b.steps.empty()) continue;
        const auto check = [&b](double Step::*figure, const StepRange &spread) {
            std::vector<double> sorted;
            for (const Step &step : b.steps)
                sorted.push_back(step.*figure);
            std::sort(sorted.begin(), sorted.end());
            const std::size_t n = sorted.size();
            REQUIRE(spread.min_s == sorted.front());
            REQUIRE(spread.max_s == sorted.back());
            REQUIRE(spread.median_s == (n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2])));
        };
        check(&Step::computing_s, b.step_spread.computing);
        check(&Step::waiting_s, b.step_spread.waiting);
        check(&Step::jitter_s, b.step_spread.jitter);
    }
}

// GETs without length at 0, a, 2 a and 4 a on 16 processes, a = 2^60 ns: 16 a is more than 64 bits hold. The loop
// goes from a to 4 a, its steps compute for a and 2 a; 2^60 ns are 1152921504.606846976 s.
TEST_CASE("sums beyond 64 bits") {
    constexpr Nanoseconds a = Nanoseconds{1} << 60U;
    ComponentLiteral component;
    for (const Nanoseconds start : {Nanoseconds{0}, a, 2 * a, 4 * a}) {
        component.table.keys.push_back({Kind::get, 1, 2});
        component.table.spans.whole().push_back({start, start, start, 16});
    }
    Row row;
    row.start = row.stop = {0, a, 2 * a, 4 * a};
    const Window window = find_window(component.table);
    const Interval run{0, 4 * a};
    const Share sum = repeated(share_of(component.table, row, window, run, highest_counterpart), 16);
    const ComponentBalance b = cpl_lb::balance_of(component.table, window, run, sum);
    REQUIRE(b.steps.size() == 2);
    CHECK(b.steps[0].computing_s == Approx(1152921504.606846976).epsilon(1e-15));
    CHECK(b.steps[1].computing_s == Approx(2305843009.213693952).epsilon(1e-15));
    CHECK(b.step_spread.computing.min_s == b.steps[0].computing_s);
    CHECK(b.step_spread.computing.max_s == b.steps[1].computing_s);
    CHECK(b.step_spread.computing.median_s == Approx(1729382256.910270464).epsilon(1e-15));
    CHECK(b.computing_s == Approx(3458764513.820540928).epsilon(1e-15));
    CHECK(b.waiting_s == 0.0);
}

TEST_CASE("scaling time scales every figure") {
    RandomRuns runs(31);
    for (int i = 0; i < 300; ++i) {
        RandomRun run = runs.next();
        const std::vector<double> before = figures(run.balance());
        constexpr Nanoseconds factor = 1'000'000'007;
        for (EventSpan &span : run.component.table.spans.whole()) {
            span.first_start *= factor;
            span.last_start *= factor;
            span.last_stop *= factor;
        }
        for (Row &row : run.component.rows) {
            for (Nanoseconds &t : row.start)
                t = t == absent ? absent : t * factor;
            for (Nanoseconds &t : row.stop)
                t = t == absent ? absent : t * factor;
            for (Interval &away : row.away)
                away = {away.start * factor, away.stop * factor};
        }
        run.window = find_window(run.component.table);
        run.run.stop *= factor;
        const std::vector<double> after = figures(run.balance());
        REQUIRE(after.size() == before.size());
        for (std::size_t f = 0; f < after.size(); ++f) {
            if (is_known(before[f]) || is_known(after[f])) {
                REQUIRE(after[f] == Approx(before[f] * static_cast<double>(factor)).epsilon(1e-12));
            }
        }
    }
}
