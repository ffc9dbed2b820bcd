// Collective operations over several components: who came last, and which exchanges they stand for
// (docs/definitions.md, section 1).
#include "analysis/exchanges.hpp"
#include "tests/analysis/loop_literals.hpp"

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

Recorded sync(double start_s, double stop_s) {
    return {Kind::sync, 1, 0, start_s, stop_s};
}

void name_all(CoupledRun &run) {
    std::vector<Component *> components;
    for (Component &c : run.components)
        components.push_back(&c);
    name_sync_counterparts(components, 0);
}

std::vector<std::int32_t> counterparts_of(const Component &component) {
    std::vector<std::int32_t> ids;
    ids.reserve(component.table.keys.size());
    for (const EventKey &key : component.table.keys.all())
        ids.push_back(key.counterpart);
    return ids;
}

std::vector<std::pair<std::int32_t, std::int32_t>> ways(const std::vector<Exchange> &exchanges) {
    std::vector<std::pair<std::int32_t, std::int32_t>> list;
    list.reserve(exchanges.size());
    for (const Exchange &e : exchanges)
        list.emplace_back(e.source, e.target);
    return list;
}

// In step n, of 10 s, component n % 3 comes at 4 s, the others at 1 s; all leave at 4 s.
CoupledRun barriers() {
    const auto of = [](int me) {
        return repeated(10, [me](int n) { return sync(10.0 * n + (n % 3 == me ? 4 : 1), 10.0 * n + 4); });
    };
    return run_of({of(0), of(1), of(2)});
}

// A, the root, comes at 3 s and goes on at once; B waits for it from 1 s; C comes at 6 s, when it is all over.
CoupledRun broadcasts() {
    const auto of = [](double start_s, double stop_s) {
        return repeated(5, [=](int n) { return sync(10.0 * n + start_s, 10.0 * n + stop_s); });
    };
    return run_of({of(3, 3), of(1, 3), of(6, 6)});
}

} // namespace

TEST_CASE("the last to come, of those that came before one left") {
    const auto last_to_come = [](const std::vector<Nanoseconds> &all, std::size_t own, Nanoseconds left,
                                 Nanoseconds clock_bound) {
        LastToCome last;
        last.set(all);
        return last.of(own, left, clock_bound);
    };
    const std::vector<Nanoseconds> arrivals = {3, 5, 4, absent};
    CHECK(last_to_come(arrivals, 0, 5, 0) == 1);
    CHECK(last_to_come(arrivals, 2, 5, 0) == 1);
    CHECK(last_to_come(arrivals, 1, 5, 0) == 2); // of the others
    CHECK(last_to_come(arrivals, 0, 4, 0) == 2); // at 4 the one of 5 had not come
    CHECK(last_to_come(arrivals, 0, 4, 1) == 1); // unless the clocks differ
    CHECK(last_to_come(arrivals, 0, 2, 0) == 1); // nobody had: it waited for none, and the last is named
    CHECK(last_to_come(std::vector<Nanoseconds>{7, absent}, 0, 9, 0) == 2);
    CHECK(last_to_come(std::vector<Nanoseconds>{7, 8, 8}, 0, 9, 0) == 1); // of equals the first
}

TEST_CASE("three components, of which another one is late in each step") {
    CoupledRun run = barriers();
    name_all(run);
    // Late: A B C A B C A B C A. For A itself the last of the others, B and C at 1 s alike.
    CHECK(counterparts_of(run.components[0]) == std::vector<std::int32_t>{2, 2, 3, 2, 2, 3, 2, 2, 3, 2});
    CHECK(counterparts_of(run.components[1]) == std::vector<std::int32_t>{1, 1, 3, 1, 1, 3, 1, 1, 3, 1});
    CHECK(counterparts_of(run.components[2]) == std::vector<std::int32_t>{1, 2, 1, 1, 2, 1, 1, 2, 1, 1});
    // The loop of A is from its second arrival, 11 s, to the last, 94 s: 83 s. It waits 3 s in the steps 1, 4, 7 for
    // B and in 2, 5, 8 for C.
    const EventTable &table = run.components[0].table;
    Row row;
    for (const EventSpan &span : table.spans.all()) {
        row.start.push_back(span.first_start);
        row.stop.push_back(span.last_stop);
    }
    const Interval whole{0, from_seconds(100)};
    const Window window = find_window(table);
    CHECK(window.reference_kind == Kind::sync);
    CHECK(window.occurrences == 10);
    const ComponentBalance b = cpl_lb::balance_of(table, window, whole, share_of(table, row, window, whole, 3));
    check_sum(b);
    CHECK(b.loop_s == Approx(83));
    CHECK(b.waiting_s == Approx(18));
    REQUIRE(b.waiting_for.size() == 2);
    for (const WaitingFor &w : b.waiting_for) {
        CHECK(w.get_s == Approx(9));
        CHECK(w.sync_s == Approx(9));
        CHECK(w.put_s == 0);
    }
}

TEST_CASE("to an operation that does not block a component comes when it starts it") {
    // A starts it at 0 s and waits from 2 to 5 s, B at 1 and from 1 to 5 s; C, the last, starts it at 5 s, computes
    // on, and asks at 9 s, when A and B have left.
    const auto of = [](double start_s, double from_s, double to_s) {
        std::vector<Recorded> all;
        for (int n = 0; n < 5; ++n) {
            all.push_back({Kind::put, 1, 0, 10.0 * n + start_s, 10.0 * n + start_s});
            all.push_back(sync(10.0 * n + from_s, 10.0 * n + to_s));
        }
        return all;
    };
    CoupledRun run = run_of({of(0, 2, 5), of(1, 1, 5), of(5, 9, 9)});
    name_all(run);
    for (const std::size_t c : {0U, 1U})
        for (const EventKey &key : run.components[c].table.keys.all())
            if (key.kind == Kind::sync) CHECK(key.counterpart == 3);
    for (const EventKey &key : run.components[2].table.keys.all())
        if (key.kind == Kind::sync) CHECK(key.counterpart == 2); // the last of the others
    // All wait for all.
    CHECK(ways(find_exchanges(run)) ==
          std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}, {1, 3}, {2, 1}, {2, 3}, {3, 1}, {3, 2}});
}

TEST_CASE("a counterpart that is known already stays") {
    CoupledRun run = barriers();
    run.components[0].table.keys.set_counterpart(2, 2);
    name_all(run);
    CHECK(counterparts_of(run.components[0])[2] == 2); // C came last
}

TEST_CASE("who comes after one has left did not keep it") {
    CoupledRun run = broadcasts();
    name_all(run);
    CHECK(counterparts_of(run.components[1]) == std::vector<std::int32_t>(5, 1)); // not C, which came last
    // C kept neither A nor B: they had left. A cannot wait for B in a Bcast, but B always came before it left.
    CHECK(ways(find_exchanges(run)) ==
          std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}, {1, 3}, {2, 1}, {2, 3}});
    count_order_violations(run, find_exchanges(run));
    CHECK(run.clock.order_violations == 0);
}

TEST_CASE("roots that change: both ways, but where one had left before the other came") {
    // A leaves at 1 s and B comes at 2 s in even steps, the other way round in odd ones.
    const auto of = [](int me) {
        return repeated(6, [me](int n) {
            const double at = 10.0 * n + (n % 2 == me ? 1 : 2);
            return sync(at, at);
        });
    };
    const std::vector<Exchange> found = find_exchanges(run_of({of(0), of(1)}));
    REQUIRE(ways(found) == std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 2}, {2, 1}});
    for (const Exchange &e : found) {
        CHECK(e.sync);
        CHECK(e.lag == 0);
        CHECK(e.matched == 3); // three steps of six each way
        CHECK(e.violations == 0);
    }
}

TEST_CASE("a thousand components may meet in an operation, but more pairs of them are too many to be listed") {
    CoupledRun run;
    for (std::int32_t id = 1; id <= 1001; ++id) {
        Component c;
        c.id = id;
        c.table.keys.push_back({Kind::sync, 1, 0});
        c.table.spans.whole().push_back({1, 1, 2, 1});
        run.components.push_back(std::move(c));
    }
    CHECK_THROWS_WITH(find_exchanges(run),
                      "1001 components meet in 1 collective operation: too many to tell who waits for whom");
    run.components.resize(1000);
    CHECK(find_exchanges(run).size() == 999'000);
}
