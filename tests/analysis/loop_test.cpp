// The figures of the coupling loop against hand-made runs, the known defects of the published implementation
// (TR/CMGC/20/176) among them.
#include "tests/analysis/loop_literals.hpp"

using namespace cpl_lb;
using namespace cpl_lb::literals;

TEST_CASE("ten steps of 9 s computing and 1 s waiting cost 10 %") {
    // 12 GETs at 0, 10, ..., 110, each waits 1 s. t0 = S_2 = 10, t1 = S_12 = 110: 12 - 2 = 10 steps, 100 s.
    // Waiting: the 2nd to the 11th, 10 x 1 s. Computing 90 s. (Window from the first to the last exchange: 11.3 %.)
    const auto process = repeated(12, [](int n) { return get(10. * n, 10. * n + 1); });
    const ComponentBalance b = balance_of({process, process}, 0, 115);
    check_loop(
        b,
        {.loop_s = 100., .computing_s = 90., .waiting_s = 10., .away_s = 0.0, .jitter_s = 0.0, .imbalance_s = 0.0});
    CHECK(b.coupling_cost == Approx(0.10));
    CHECK(b.coupling_cost_with_operations == Approx(0.10));
    REQUIRE(b.steps.size() == 10);
    CHECK(b.steps[3].start_s == Approx(40.));
    CHECK(b.steps[3].waiting_s == Approx(1.));
    CHECK(b.steps[3].computing_s == Approx(9.));
    CHECK_FALSE(b.has_dates);
    REQUIRE(b.waiting_for.size() == 1);
    CHECK(b.waiting_for[0].component == 2);
    CHECK(b.waiting_for[0].get_s == Approx(10.));
    CHECK(b.waiting_for[0].put_s == 0.0);
    // Start-up 0..10 with the first wait; shut-down 110..115 with the last.
    CHECK(b.startup.length_s == Approx(10.));
    CHECK(b.startup.waiting_s == Approx(1.));
    CHECK(b.shutdown.length_s == Approx(5.));
    CHECK(b.shutdown.waiting_s == Approx(1.));
    CHECK(b.whole_waiting_s == Approx(12.));
}

TEST_CASE("the wait of the first GET is start-up: computing is not negative") {
    // First GET 0..1, then three that wait 1 ms, 0.1 s apart: 1.1, 1.2, 1.3. Loop 1.1..1.3 = 0.2 s,
    // waiting 2 x 0.001, computing 0.198, cost 1 %. (The peer printed -0.848 s and 465 %.)
    const ComponentBalance b = balance_of({{get(0, 1), get(1.1, 1.101), get(1.2, 1.201), get(1.3, 1.301)}}, 0, 1.4);
    check_loop(b, {.loop_s = 0.2, .computing_s = 0.198, .waiting_s = 0.002});
    CHECK(b.coupling_cost == Approx(0.01));
    CHECK(b.startup.waiting_s == Approx(1.0));
}

TEST_CASE("a process that starts 0.5 s late makes no jitter later") {
    // GET 1: 0..0.6 on one, 0.5..0.6 on the other: J = 0.5, before the window. Then alike on both: J = 0.
    // Loop 1..3, waiting 2 x 0.1.
    const std::vector<Recorded> rest = {get(1, 1.1), get(2, 2.1), get(3, 3.1)};
    std::vector<Recorded> on_time = {get(0, 0.6)};
    std::vector<Recorded> late = {get(0.5, 0.6)};
    on_time.insert(on_time.end(), rest.begin(), rest.end());
    late.insert(late.end(), rest.begin(), rest.end());
    const ComponentBalance b = balance_of({on_time, late}, 0, 4);
    check_loop(b, {.computing_s = 1.8, .waiting_s = 0.2, .jitter_s = 0.0, .imbalance_s = 0.0});
}

TEST_CASE("lasting jitter is imbalance and not waiting") {
    // GET n: n..n+0.5 on one, n+0.3..n+0.5 on the other, n = 0..4. S = n + 0.3, W = 0.2, J = 0.3.
    // Loop 1.3..4.3 = 3 s. Waiting: n = 1, 2, 3: 0.6. Jitter in the window: n = 1, 2, 3: 0.9.
    // Imbalance: [n, n + 0.3] inside 1.3..4.3: n = 2, 3, 4 whole: 0.9.
    std::vector<Recorded> fast;
    std::vector<Recorded> slow;
    for (int n = 0; n < 5; ++n) {
        fast.push_back(get(n, n + 0.5));
        slow.push_back(get(n + 0.3, n + 0.5));
    }
    const ComponentBalance b = balance_of({fast, slow}, 0, 5);
    check_loop(b, {.loop_s = 3., .waiting_s = 0.6, .jitter_s = 0.9, .imbalance_s = 0.9});
    CHECK(b.steps[1].jitter_s == Approx(0.3));
}

TEST_CASE("10 events on one process and 8 on another") {
    // p: GET n..n+0.2, n = 0..9; q: n+0.1..n+0.2, n = 0..7. n = 8 and 9, by p alone, are no coupling steps: S = n +
    // 0.1, loop 1.1..7.1 = 6 s. Each waits 6 x 0.1 s (n = 1..6; that of 7 begins where the loop ends): 0.6 s,
    // computing 5.4 s. Jitter 6 x 0.1; imbalance: [n, n + 0.1] for n = 2..7 inside, n = 1 ends where the window
    // starts: 0.6 s.
    const auto p = repeated(10, [](int n) { return get(n, n + 0.2); });
    const auto q = repeated(8, [](int n) { return get(n + 0.1, n + 0.2); });
    const ComponentBalance b = balance_of({p, q}, 0, 10);
    check_loop(b, {.loop_s = 6., .computing_s = 5.4, .waiting_s = 0.6, .jitter_s = 0.6, .imbalance_s = 0.6});
}

TEST_CASE("fields on different processes, both waited for at once") {
    // Field 1 on p, field 2 on q, both n..n+0.9, n = 0..3. Loop 1..3 = 2 s. Sum of W_k = 4 x 0.9 = 3.6 s > loop;
    // each process waits 2 x 0.9 = 1.8 s.
    std::vector<Recorded> p;
    std::vector<Recorded> q;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n, n + 0.9, 1));
        q.push_back(get(n, n + 0.9, 2));
    }
    const ComponentBalance b = balance_of({p, q}, 0, 4);
    check_loop(b, {.loop_s = 2., .waiting_s = 1.8});
    CHECK(b.coupling_cost == Approx(0.9));
}

TEST_CASE("the same events in a different order on two processes") {
    // Field 1: n..n+0.45 on p, n+0.05..n+0.9 on q: S = n+0.05, E = n+0.9, W = 0.85.
    // Field 2: n+0.45..n+0.9 on p, n..n+0.05 on q: S = n+0.45, E = n+0.9, W = 0.45. Sum of W = 1.3 in a step of 1 s.
    // Union: n+0.05..n+0.9 = 0.85 s. Reference: field 1 (field 2 starts at the same time; the first recorded), so the
    // loop is 1.05..3.05 = 2 s: waiting 1.7 s.
    std::vector<Recorded> p;
    std::vector<Recorded> q;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n, n + 0.45, 1));
        p.push_back(get(n + 0.45, n + 0.9, 2));
        q.push_back(get(n, n + 0.05, 2));
        q.push_back(get(n + 0.05, n + 0.9, 1));
    }
    const ComponentLiteral component = component_of({p, q});
    WideNanoseconds sum_of_W = 0;
    for (const EventSpan &span : component.table.spans.all())
        sum_of_W += span.waiting();
    CHECK(to_seconds(sum_of_W) == Approx(4 * 1.3));
    const ComponentBalance b = balance_of(component, 0, 4);
    check_loop(b, {.loop_s = 2., .computing_s = 0.3, .waiting_s = 1.7});
}

TEST_CASE("a component that couples through its master alone") {
    // Only the first of three exchanges; C = {first}: loop 1..3, waiting 2 x 0.4 over one process.
    const auto master = repeated(4, [](int n) { return get(n, n + 0.4); });
    const ComponentBalance b = balance_of({master, {}, {}}, 0, 4);
    check_loop(b, {.computing_s = 1.2, .waiting_s = 0.8});
    CHECK(b.coupling_cost == Approx(0.4));
}

TEST_CASE("a process that exchanges only outside the window is not in C") {
    // q takes part in the first GET only, p in all of n..n+0.4, n = 0..4. C = {p} in the loop, {p, q} in the whole.
    const auto p = repeated(5, [](int n) { return get(n, n + 0.4); });
    const ComponentBalance b = balance_of({p, {get(0, 0.4)}}, 0, 5);
    CHECK(b.waiting_s == Approx(3 * 0.4));
    // Over the run p waits 5 x 0.4 = 2.0 s and q 0.4 s: mean 1.2 s.
    CHECK(b.whole_waiting_s == Approx(1.2));
    check_sum(b);
}

TEST_CASE("30 buffered PUTs of a process that is 10 s late") {
    // PUT n at 0.001 n on p, at 10 + 0.001 n on q, 0.1 ms each. S = 10 + 0.001 n, W = 0.0001, J = 10.
    // Loop 10.001..10.029 = 0.028 s. Waiting: n = 1..28: 28 x 0.0001 = 0.0028 s: 10 %. Jitter 28 x 10 = 280 s, far
    // more than the loop; imbalance: the jitters of n = 1..29 all overlap and cover the loop: 0.028 s.
    std::vector<Recorded> p;
    std::vector<Recorded> q;
    for (int n = 0; n < 30; ++n) {
        p.push_back(put(0.001 * n, 0.001 * n + 0.0001));
        q.push_back(put(10 + 0.001 * n, 10 + 0.001 * n + 0.0001));
    }
    const ComponentBalance b = balance_of({p, q}, 0, 11);
    check_loop(b,
               {.loop_s = 0.028, .computing_s = 0.0252, .waiting_s = 0.0028, .jitter_s = 280., .imbalance_s = 0.028});
    CHECK(b.coupling_cost == Approx(0.10));
    CHECK(b.waiting_for.at(0).put_s == Approx(0.0028));
}

TEST_CASE("late and long runs keep their digits") {
    // As the ten steps above, 10,000 s and 10^7 s (four months) later, with waits of 1 microsecond: 10 x 1 us.
    const double shift = GENERATE(1e4, 1e7);
    const auto process = repeated(12, [shift](int n) { return get(shift + 10. * n, shift + 10. * n + 1e-6); });
    const ComponentBalance b = balance_of({process, process}, 0, shift + 115);
    CHECK(b.loop_s == Approx(100.).epsilon(1e-12));
    CHECK(b.waiting_s == Approx(1e-5).epsilon(1e-9));
    CHECK(b.computing_s == Approx(100. - 1e-5).epsilon(1e-12));
    CHECK(b.startup.length_s == Approx(shift + 10));
}

TEST_CASE("each waiting instant belongs to the exchange that began to wait first") {
    // Within a step of 1 s (one process, buffered: the events interleave): GET 1 from 2 0.1..0.5; PUT 2 to 3
    // 0.3..0.8; GET 3 from an unknown one 0.6..0.7. GET 1 owns 0.1..0.5, PUT 2 owns 0.5..0.8, GET 3 nothing.
    std::vector<Recorded> p;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n + 0.1, n + 0.5, 1, 2));
        p.push_back(put(n + 0.3, n + 0.8, 2, 3));
        p.push_back(get(n + 0.6, n + 0.7, 3, 0));
    }
    const ComponentBalance b = balance_of({p}, 0, 4);
    CHECK(b.waiting_s == Approx(1.4));
    REQUIRE(b.waiting_for.size() == 3);
    CHECK(b.waiting_for[0].component == 0);
    CHECK(b.waiting_for[0].get_s == 0.0);
    CHECK(b.waiting_for[1].component == 2);
    CHECK(b.waiting_for[1].get_s == Approx(0.8));
    CHECK(b.waiting_for[2].component == 3);
    CHECK(b.waiting_for[2].put_s == Approx(0.6));
    CHECK(b.waiting_for[2].get_s == 0.0);
    check_sum(b);
}

TEST_CASE("a wait for all of several components belongs to the one that came last") {
    // One call gets from 3 until 0.2 s and from 2 until 0.9 s of each step of 1 s: two whole steps, 0.9 s each,
    // for 2.
    std::vector<Recorded> p;
    for (int n = 0; n < 4; ++n) {
        p.push_back(get(n, n + 0.2, 1, 3));
        p.push_back(get(n, n + 0.9, 2, 2));
    }
    const ComponentBalance b = balance_of({p}, 0, 4);
    REQUIRE(b.waiting_for.size() == 2);
    CHECK(b.waiting_for[0].component == 2);
    CHECK(b.waiting_for[0].get_s == Approx(1.8));
    CHECK(b.waiting_for[1].get_s == 0.0);
    check_sum(b);
}

TEST_CASE("an event without length waits for nobody that is not known") {
    std::vector<Recorded> p;
    for (int n = 0; n < 4; ++n) {
        p.push_back(put(n, n, 3, 0));
        p.push_back(get(n + 0.1, n + 0.5));
    }
    const ComponentBalance b = balance_of({p}, 0, 4);
    REQUIRE(b.waiting_for.size() == 1);
    CHECK(b.waiting_for[0].component == 2);
}

TEST_CASE("without a window every figure of the loop is missing and says why") {
    const std::vector<Recorded> definition = {{Kind::part, 0, 0, 0.0, 0.3}, {Kind::endf, 0, 0, 0.4, 0.9}};
    const ComponentBalance none = balance_of({definition, definition}, 0, 2);
    CHECK(none.why_no_window == "no coupling event of any field");
    CHECK(none.whole_waiting_s == 0.0);
    const ComponentBalance two = balance_of({{put(0, 0.25), put(1, 1.25)}}, 0, 2);
    CHECK(two.why_no_window == "the most frequent coupling event, PUT, happened 2 times; three are needed");
    CHECK(two.whole_waiting_s == Approx(0.5)); // known without a window
    for (const double figure : {two.loop_s, two.computing_s, two.waiting_s, two.away_s, two.jitter_s, two.imbalance_s,
                                two.coupling_cost, two.coupling_cost_with_operations, two.mapping_s, two.output_s,
                                two.restart_s, two.startup.length_s, two.shutdown.waiting_s}) {
        CHECK_FALSE(is_known(figure));
    }
    CHECK(two.steps.empty());
    CHECK(two.waiting_for.empty());
    const ComponentBalance nobody = balance_of(component_of({}), 0, 2);
    CHECK_FALSE(is_known(nobody.whole_waiting_s));
}

TEST_CASE(
    "more steps than are listed: groups of equal size, with sums and largest; the figures of the loop stay exact") {
    // 25,003 GETs, one at each whole second, of 0.5 s; the one at 20,001 s takes 0.75 s. The loop goes from the 2nd
    // to the last: 25,001 steps of 1 s. 25,001 / 10,000 rounded up: groups of 3; 8,333 of them and one of 2.
    const auto get = [](int n) { return Recorded{Kind::get, 1, 2, 1.0 * n, n == 20'001 ? n + 0.75 : n + 0.5}; };
    const ComponentLiteral c = component_of({repeated(25'003, get)});
    const Window window = find_window(c.table);
    const Interval run{0, from_seconds(25'004.0)};
    const ComponentBalance b = balance_of(c.table, window, run, share_of(c.table, c.rows[0], window, run, 2));
    CHECK(b.step_count == 25'001);
    REQUIRE(b.steps.size() == 8'334);
    REQUIRE(b.step_extremes.size() == 8'334);
    CHECK(b.steps[0].steps == 3);
    CHECK(b.steps.back().steps == 2);
    CHECK(b.steps[1].start_s == 4.0); // the loop begins at 1 s
    CHECK(b.steps[1].length_s == 3.0);
    CHECK(b.steps[1].waiting_s == Approx(1.5));
    CHECK(b.steps[1].computing_s == Approx(1.5));
    CHECK(b.step_extremes[1].max_waiting_s == Approx(0.5));
    // The step that begins at 20,001 s is number 20,000, in group 6,666: 0.5 + 0.5 + 0.75.
    CHECK(b.steps[6'666].waiting_s == Approx(1.75));
    CHECK(b.step_extremes[6'666].max_waiting_s == Approx(0.75));
    CHECK(b.step_extremes[6'666].max_computing_s == Approx(0.5));
    CHECK(b.step_extremes[6'666].min_waiting_s == Approx(0.5));
    CHECK(b.step_extremes[6'666].min_computing_s == Approx(0.25)); // 1 - 0.75
    CHECK(b.step_extremes[6'666].min_jitter_s == 0);               // a single process
    CHECK(b.steps.back().length_s == 2.0);
    CHECK(b.waiting_s == Approx(25'001 * 0.5 + 0.25));
    CHECK(b.step_spread.waiting.min_s == Approx(0.5));
    CHECK(b.step_spread.waiting.median_s == Approx(0.5));
    CHECK(b.step_spread.waiting.max_s == Approx(0.75));
    CHECK(b.step_spread.computing.min_s == Approx(0.25));
}
