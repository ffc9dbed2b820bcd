// What each process itself waited, by hand and on random runs.
#include "analysis/process_waiting.hpp"

#include "tests/analysis/loop_literals.hpp"
#include "tests/analysis/random_runs.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

void check_spread(const Spread &s, double mean, double least, double most, std::int64_t processes) {
    CHECK(s.mean() == Approx(mean));
    CHECK(s.min == Approx(least));
    CHECK(s.max == Approx(most));
    CHECK(s.count == processes);
}

} // namespace

// The example of docs/evidence/papers.md: GET n at [10n, 10n + 1] and [10n, 10n + 5], n = 0..5, the long one now on
// p, now on q. S = 10n, W = 5. Loop 10..50: W = 5 for n = 1..4: 20 s. p is long for even n (2, 4), q for odd n (1,
// 3): each itself waits 5 + 5 + 1 + 1 = 12 s.
TEST_CASE("the waiting of a component may exceed what any of its processes waited") {
    const auto p = repeated(6, [](int n) { return get(10. * n, 10. * n + (n % 2 == 0 ? 5 : 1)); });
    const auto q = repeated(6, [](int n) { return get(10. * n, 10. * n + (n % 2 == 0 ? 1 : 5)); });
    const ComponentBalance b = balance_of({p, q}, 0, 60);
    CHECK(b.waiting_s == Approx(20));
    check_spread(b.process_waiting_s, 12, 12, 12, 2);
}

// GET n: n..n+0.5 on one, n+0.3..n+0.5 on the other, n = 0..4: S = n + 0.3, loop 1.3..4.3, waiting 3 x 0.2 = 0.6 s.
// The early one is in its GET for 1.3..1.5 (its first 0.3 s lie before the loop), twice 0.5 s, and 4..4.3: 1.5 s.
// The late one 3 x 0.2 = 0.6 s; that of n = 4 begins where the loop ends.
TEST_CASE("who comes early waits itself, also for its own component") {
    const auto early = repeated(5, [](int n) { return get(n, n + 0.5); });
    const auto late = repeated(5, [](int n) { return get(n + 0.3, n + 0.5); });
    const ComponentBalance b = balance_of({early, late}, 0, 5);
    CHECK(b.waiting_s == Approx(0.6));
    check_spread(b.process_waiting_s, (1.5 + 0.6) / 2, 0.6, 1.5, 2);
}

// The GET lasts 0.5 s, and 0.2 s of it are a MAP. Loop 1..3: two steps of 0.3 s. Who does not exchange does not
// count, as in the waiting.
TEST_CASE("work inside an exchange is no waiting, and who does not exchange does not count") {
    std::vector<Recorded> master;
    for (int n = 0; n < 4; ++n) {
        master.push_back(get(n, n + 0.5));
        master.push_back({Kind::map, 1, 0, n + 0.1, n + 0.3});
    }
    const ComponentBalance b = balance_of({master, {}, {}}, 0, 4);
    CHECK(b.waiting_s == Approx(0.6));
    check_spread(b.process_waiting_s, 0.6, 0.6, 0.6, 1);
}

// Exchanges that overlap: 0..0.6 and 0.4..0.8 are 0.8 s of each of the two steps.
TEST_CASE("no instant counts twice") {
    std::vector<Recorded> p;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n, n + 0.6));
        p.push_back(get(n + 0.4, n + 0.8, 2));
    }
    check_spread(balance_of({p}, 0, 4).process_waiting_s, 1.6, 1.6, 1.6, 1);
}

TEST_CASE("a process whose exchanges take no time waits 0, and without a loop nobody knows") {
    const auto p = repeated(4, [](int n) { return put(n, n); });
    check_spread(balance_of({p}, 0, 4).process_waiting_s, 0, 0, 0, 1);
    const Spread none = balance_of({{get(0, 1), get(2, 3)}}, 0, 4).process_waiting_s;
    CHECK(none.count == 0);
    CHECK_FALSE(is_known(none.mean()));
}

TEST_CASE("the mean lies between least and most, also where all are the same") {
    for (int processes = 1; processes < 200; ++processes) {
        ProcessWaitingSum sum;
        for (int p = 0; p < processes; ++p)
            sum.add(ExchangeTime{100'000'007, true});
        const Spread s = sum.seconds();
        REQUIRE((s.min <= s.mean() && s.mean() <= s.max));
    }
}

// GET 0-3, OUT 5-6, a PUT of no length at 8, GET 8-10. In 1 to 9: 2 of the first GET, 1 of the last.
TEST_CASE("events one after the other, in blocks; what overlaps or is absent is left to the other way") {
    const std::vector<Kind> kinds = {Kind::get, Kind::out, Kind::put};
    const std::vector<std::uint32_t> classes = {0, 1, 2, 0};
    const std::vector<Nanoseconds> start = {0, 5, 8, 8}, stop = {3, 6, 8, 10};
    for (std::size_t first = 0; first <= 4; ++first) { // so many in the first block
        const auto two = [&](std::span<const Nanoseconds> times, bool second) {
            return second ? times.subspan(first) : times.first(first);
        };
        ExchangeTimeOfWholeEvents whole(kinds, {1, 9});
        CHECK(whole.add(std::span(classes).first(first), two(start, false), two(stop, false)));
        CHECK(whole.add(std::span(classes).subspan(first), two(start, true), two(stop, true)));
        CHECK(whole.found() == ExchangeTime{3, true});
    }
    CHECK(exchange_time({start, stop, {}}, classes, kinds, {1, 9}) == ExchangeTime{3, true});
    CHECK(exchange_time({start, stop, {}}, classes, kinds, {3, 8}) == ExchangeTime{0, false}); // OUT alone
    for (const Nanoseconds wrong : {Nanoseconds{2}, absent}) {
        const std::vector<Nanoseconds> begins = {0, wrong, 8, 8};
        CHECK_FALSE(ExchangeTimeOfWholeEvents(kinds, {1, 9}).add(classes, begins, stop));
    }
}

TEST_CASE("on random runs: a look at every nanosecond, and bounds") {
    property::RandomRuns runs(77);
    int windows = 0;
    for (int i = 0; i < 1000; ++i) {
        const property::RandomRun run = runs.next();
        if (!run.window.known()) continue;
        ++windows;
        const EventKeys &keys = run.component.table.keys;
        std::vector<Kind> kinds;
        for (const EventClass &c : keys.classes())
            kinds.push_back(c.kind);
        const Interval loop = run.window.interval();
        ProcessWaitingSum sum;
        for (const Row &row : run.component.rows) {
            const ExchangeTime own = exchange_time(row, keys.of_events(), kinds, loop);
            Nanoseconds in_exchanges = 0, in_exchanges_only = 0; // by instant
            for (Nanoseconds t = loop.start; t < loop.stop; ++t) {
                bool exchange = false, other = false;
                for (std::size_t k = 0; k < keys.size(); ++k) {
                    if (row.start[k] == absent || row.start[k] > t || row.stop[k] <= t) continue;
                    (is_exchange(keys.what(k).kind) ? exchange : other) = true;
                }
                in_exchanges += exchange ? 1 : 0;
                in_exchanges_only += exchange && !other ? 1 : 0;
            }
            REQUIRE((in_exchanges_only <= own.time && own.time <= in_exchanges));
            sum.add(own);
        }
        const Spread s = sum.seconds();
        if (s.count == 0) continue;
        REQUIRE((0 <= s.min && s.min <= s.mean() && s.mean() <= s.max && s.max <= to_seconds(loop.length())));
    }
    CHECK(windows > 300);
}
