// What is no waiting for another component: mapping, output and restarts, time away, and what happens outside the
// loop.
#include "tests/analysis/loop_literals.hpp"

using namespace cpl_lb;
using namespace cpl_lb::literals;

TEST_CASE("a mapping inside a PUT is not waiting") {
    // p: PUT n..n+0.5 with MAP n+0.1..n+0.4; q: PUT n+0.05..n+0.5 with MAP n+0.2..n+0.3; n = 0..3.
    // PUT: S = n+0.05, E = n+0.5. MAP: S = n+0.2, E = n+0.4, J = 0.1. Omega = 0.05..0.2 and 0.4..0.5: 0.25 s a step.
    // Own MAP times: 0.3 on p, 0.1 on q: mean 0.2. Omega with own operations: p 0.05..0.5 = 0.45; q 0.25 + 0.1 =
    // 0.35. Loop 1.05..3.05: steps n = 1, 2.
    std::vector<Recorded> p;
    std::vector<Recorded> q;
    for (int n = 0; n < 4; ++n) {
        p.push_back(put(n, n + 0.5));
        p.push_back(map(n + 0.1, n + 0.4));
        q.push_back(put(n + 0.05, n + 0.5));
        q.push_back(map(n + 0.2, n + 0.3));
    }
    const ComponentBalance b = balance_of({p, q}, 0, 4);
    check_loop(b, {.loop_s = 2., .computing_s = 1.5, .waiting_s = 0.5});
    CHECK(b.mapping_s == Approx(0.4));
    CHECK(b.mapping_spread_s == Approx(0.2));
    // Before the first S of the loop p maps nothing, after the last S neither does: (0.9 + 0.7) / 2 / 2 s = 40 %.
    CHECK(b.coupling_cost_with_operations == Approx(0.40));
    CHECK(b.output_s == 0.0);
}

TEST_CASE("operations beside exchanges: output, restart, and their own durations") {
    // GET n..n+0.2, OUT n+0.3..n+0.7 on p with RST n+0.4..n+0.5 inside; q has no output; n = 0..3. Loop 1..3.
    // Own: OUT 0.4 - 0.1 = 0.3, RST 0.1 a step: output = OUT + RST = 0.4 a step over the one process that did any.
    // Waiting 2 x 0.2. With operations: p 0.2 + 0.4, q 0.2 a step: mean 0.4 of 1 s.
    // Start-up 0..1 and shut-down 3..4: one step's output each.
    std::vector<Recorded> p;
    std::vector<Recorded> q;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n, n + 0.2));
        q.push_back(get(n, n + 0.2));
        p.push_back(out(n + 0.3, n + 0.7));
        p.push_back(rst(n + 0.4, n + 0.5));
    }
    const ComponentBalance b = balance_of({p, q}, 0, 4);
    CHECK(b.waiting_s == Approx(0.4));
    CHECK(b.output_s == Approx(0.8));
    CHECK(b.restart_s == Approx(0.2));
    CHECK(b.output_spread_s == 0.0);
    CHECK(b.mapping_s == 0.0);
    CHECK(b.coupling_cost_with_operations == Approx(0.4));
    CHECK(b.startup.output_s == Approx(0.4));
    CHECK(b.startup.restart_s == Approx(0.1));
    CHECK(b.shutdown.output_s == Approx(0.4));
    CHECK(b.whole_waiting_s == Approx(0.8));
    // Whole run: p 4 x 0.6, q 4 x 0.2: mean 1.6 s.
    CHECK(b.whole_waiting_and_operations_s == Approx(1.6));
    check_sum(b);
}

TEST_CASE("restarts that the processes begin one after the other") {
    // GET n..n+0.2; RST n+0.4..n+0.5 on p, n+0.45..n+0.5 on q; n = 0..3. Loop 1..3, two steps: J = 2 x 0.05, own
    // times 2 x (0.1 + 0.05) / 2.
    std::vector<std::vector<Recorded>> both(2);
    for (int n = 0; n < 4; ++n) {
        for (std::vector<Recorded> &process : both)
            process.push_back(get(n, n + 0.2));
        both[0].push_back(rst(n + 0.4, n + 0.5));
        both[1].push_back(rst(n + 0.45, n + 0.5));
    }
    const ComponentBalance b = balance_of(both, 0, 4);
    CHECK(b.restart_s == Approx(0.15));
    CHECK(b.restart_spread_s == Approx(0.1));
    check_sum(b);
}

TEST_CASE("time away in another component is neither computing nor waiting") {
    // GET n..n+0.2; away n+0.5..n+0.8 on both processes, and on q from n+0.1 too, while p still gets: that is
    // waiting. Loop 1..3: waiting 0.4; away p 0.6, q 0.6; computing 2 - 0.4 - 0.6 = 1.
    const auto process = repeated(4, [](int n) { return get(n, n + 0.2); });
    const auto short_get = repeated(4, [](int n) { return get(n, n + 0.1); });
    ComponentLiteral component = component_of({process, short_get});
    for (int n = 0; n < 4; ++n) {
        component.rows[1].away.push_back({from_seconds(n + 0.1), from_seconds(n + 0.2)});
        for (Row &row : component.rows)
            row.away.push_back({from_seconds(n + 0.5), from_seconds(n + 0.8)});
    }
    const ComponentBalance b = balance_of(component, 0, 4);
    check_loop(b, {.computing_s = 1.0, .waiting_s = 0.4, .away_s = 0.6});
    CHECK(b.whole_away_s == Approx(1.2));
}

TEST_CASE("TERM, PART and ENDF are neither waiting nor operations") {
    std::vector<Recorded> process = {{Kind::part, 0, 0, 0.0, 0.3}, {Kind::endf, 0, 0, 0.4, 0.9}};
    for (int n = 1; n < 5; ++n)
        process.push_back(get(n, n + 0.2));
    process.push_back({Kind::term, 0, 0, 5.0, 9.0});
    const ComponentBalance b = balance_of({process, process}, 0, 9);
    CHECK(b.whole_waiting_s == Approx(0.8));
    CHECK(b.whole_waiting_and_operations_s == Approx(0.8));
    CHECK(b.waiting_s == Approx(0.4));
    CHECK(b.output_s == 0.0);
    CHECK(b.shutdown.waiting_s == Approx(0.2));
}

TEST_CASE("a component without PUT and GET: the loop is computing") {
    // OUT n..n+0.3, n = 0..4: window by OUT, 1..4. Nobody exchanges: waiting 0, and the operations count over all
    // processes: 3 x 0.3 on one of two: 0.45 of 3 s.
    const auto process = repeated(5, [](int n) { return out(n, n + 0.3); });
    const ComponentBalance b = balance_of({process, {}}, 0, 5);
    CHECK(b.why_no_window.empty());
    check_loop(b, {.loop_s = 3., .computing_s = 3., .waiting_s = 0.0});
    CHECK(b.coupling_cost == 0.0);
    CHECK(b.output_s == Approx(0.9));
    CHECK(b.coupling_cost_with_operations == Approx(0.15));
    CHECK(b.waiting_for.empty());
    CHECK(b.whole_waiting_s == 0.0);
}
