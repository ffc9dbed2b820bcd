// From recorded events to the graph, the cycle and predictions; the runs are worked out by hand.
#include "prediction/predictor.hpp"
#include "prediction/run_balance.hpp"
#include "tests/prediction/taking_turns.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

// A and B meet every 10 s: A arrives 4 s after the last meeting, B 10 s. A sends field 1, B receives it.
CoupledRun sleeper(int steps, std::int64_t date_step = 0) {
    const auto date = [=](int n) { return date_step == 0 ? no_date : date_step * n; };
    return run_of(
        {repeated(steps, [=](int n) { return Recorded{Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10, date(n)}; }),
         repeated(steps, [=](int n) { return Recorded{Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10, date(n)}; })});
}

} // namespace

TEST_CASE("two components: the slower is the critical path") {
    const MeasuredGraph m = measured_graph(sleeper(11));
    REQUIRE(m.exchanges.size() == 1);
    CHECK(m.transfers[0] == Transfer::synchronous); // A left when B came
    CHECK(m.why_no_cycle.empty());
    CHECK(m.cycle.exchanges == std::vector<std::int64_t>{1});
    // Loops: A from 14 to 104, B from 20 to 110; in common 20 to 104: 84 s, of which A waits at 24-30, ..., 94-100.
    CHECK(m.measured_s() == Approx(84));
    CHECK(m.waiting_s[0] == Approx(8 * 6.0));
    const Prediction same = predict(m, {1, 1});
    CHECK(same.model_s == Approx(84));
    CHECK(same.alpha == Approx(1));
    CHECK(same.path.seconds[1] == Approx(80)); // to 100; then A or B, 4 s
    for (const double s : same.cycles_s)
        CHECK(s == Approx(10));
    // B twice as fast: 5 s a cycle, A's 4 s still hide behind it.
    const Prediction fast = predict(m, {1, 0.5});
    CHECK(fast.cycle_mean_s == Approx(5));
    CHECK(fast.cycle_spread_s == Approx(0).margin(1e-9));
    // Four times as fast: now A's 4 s decide.
    CHECK(predict(m, {1, 0.25}).cycle_mean_s == Approx(4));
}

// One of B's processes has no record: the others' 10 s say nothing about other core counts. The path is as seen.
TEST_CASE("no gain where processes of a component are missing") {
    CoupledRun run = sleeper(11);
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.why_no_gain.empty());
    run.components[1].missing_processes = 1;
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.why_no_gain ==
          "1 process of " + run.components[1].name + " is missing: what it takes with other cores is not known");
    CHECK(run.balance.slow_side == 2);
    CHECK_FALSE(is_known(run.balance.best_s));
    CHECK(run.balance.best_cores.empty());
    // A trace does not tell of which component a process is that it lacks.
    run.components[1].missing_processes = 0;
    run.run.missing_count = 1;
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.why_no_gain.empty());
    run.run.origin = Origin::imported;
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.why_no_gain == "processes are missing, and the trace does not tell of which component");
}

TEST_CASE("a buffered send is seen, and the sender runs ahead") {
    // A sends after 4 s and goes on at once; in time it is as slow as B, because it receives field 2 from B each
    // step.
    std::vector<Recorded> a, b;
    for (int n = 0; n < 11; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 4, t + 4.1});
        a.push_back({Kind::get, 2, 2, t + 6.1, t + 10});
        b.push_back({Kind::get, 1, 1, t + 9, t + 9});
        b.push_back({Kind::put, 2, 1, t + 10, t + 10});
    }
    const MeasuredGraph m = measured_graph(run_of({a, b}));
    REQUIRE(m.exchanges.size() == 2);
    CHECK(m.exchanges[0].transfer == Transfer::buffered);
    CHECK(m.exchanges[1].transfer == Transfer::not_seen); // its receiver always came first
    CHECK(m.transfers[1] == Transfer::buffered);
    // B four times as slow decides all: 40 s a cycle; a fifth as slow (2 s): A computes 4 s and 2 s in a cycle, but
    // sends after 4 of them: B gets at 4, sends at 4.2, A receives at 6: 6 s.
    CHECK(predict(m, {1, 4}).cycle_mean_s == Approx(40).epsilon(0.001));
    CHECK(predict(m, {1, 0.2}).cycle_mean_s == Approx(6).epsilon(0.01));
}

TEST_CASE("unequal periods: 2 and 3 steps make a cycle of 6, with its model time") {
    std::vector<Recorded> a, b;
    for (int n = 0; n < 61; ++n) {
        const double t = 1.0 * n;
        if (n % 2 == 0) a.push_back({Kind::put, 1, 2, t + 0.5, t + 0.9, std::int64_t{3600} * n});
        if (n % 2 == 0) b.push_back({Kind::get, 1, 1, t + 0.9, t + 0.9, std::int64_t{3600} * n});
        if (n % 3 == 0) a.push_back({Kind::put, 2, 2, t + 0.91, t + 0.95, std::int64_t{3600} * n});
        if (n % 3 == 0) b.push_back({Kind::get, 2, 1, t + 0.95, t + 0.95, std::int64_t{3600} * n});
    }
    const MeasuredGraph m = measured_graph(run_of({a, b}));
    REQUIRE(m.why_no_cycle.empty());
    CHECK(m.cycle.exchanges == std::vector<std::int64_t>{3, 2});
    CHECK(m.cycle.period_s == Approx(6 * 3600.0));
    for (const double s : m.cycle.measured_s)
        CHECK(s == Approx(6));
}

namespace {

// Three fields every 360 s, `times` of each, in steps of 10 s; the first one's first value comes from a restart, so
// that B's loop begins a step later and the common stretch holds 7, 7 and 8 of them.
CoupledRun three_fields(int times, bool dates) {
    std::vector<Recorded> a, b;
    const auto date = [=](int n) { return dates ? std::int64_t{360} * n : no_date; };
    for (int n = 0; n < times; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 1, t + 1, date(n)});
        a.push_back({Kind::put, 2, 2, t + 4, t + 4, date(n)});
        b.push_back({Kind::get, 1, 1, t + 5, t + 5, date(n)});
        b.push_back({Kind::get, 2, 1, t + 5.5, t + 5.5, date(n)});
        b.push_back({Kind::put, 3, 1, t + 6, t + 6, date(n)});
        a.push_back({Kind::get, 3, 2, t + 7, t + 7, date(n)});
    }
    b.erase(b.begin());
    return run_of({a, b});
}

} // namespace

TEST_CASE("the ends of the common stretch do not change the cycle: ten of each of three fields") {
    for (const bool dates : {false, true}) {
        const MeasuredGraph m = measured_graph(three_fields(10, dates));
        INFO("dates " << dates);
        REQUIRE(m.why_no_cycle.empty());
        CHECK(m.cycle.exchanges == std::vector<std::int64_t>{1, 1, 1});
        if (dates) CHECK(m.cycle.period_s == 360);
    }
}

TEST_CASE("cycles from three whole ones on; fewer are said to be too few") {
    // Field 1 in each of 8 steps, field 2 in every second: four times, three whole cycles.
    const auto run = [](int steps) {
        std::vector<Recorded> a, b;
        for (int n = 0; n < steps; ++n) {
            const double t = 10.0 * n;
            a.push_back({Kind::put, 1, 2, t + 1, t + 1});
            b.push_back({Kind::get, 1, 1, t + 1, t + 1});
            if (n % 2 == 0) b.push_back({Kind::put, 2, 1, t + 2, t + 2});
            if (n % 2 == 0) a.push_back({Kind::get, 2, 2, t + 2, t + 2});
        }
        return run_of({a, b});
    };
    for (int steps = 8; steps <= 20; ++steps) {
        const MeasuredGraph m = measured_graph(run(steps));
        INFO("steps " << steps << " " << m.why_no_cycle);
        CHECK(m.cycle.exchanges == std::vector<std::int64_t>{2, 1});
    }
    const MeasuredGraph m = measured_graph(run(6));
    CHECK(m.cycle.exchanges.empty());
    CHECK(m.why_no_cycle == "the run is too short: it holds fewer than three whole cycles");
}

TEST_CASE("what one run cannot see of a transfer another run tells") {
    // A sends, B's GET is there first: nobody knows whether A would have waited.
    const auto run = [](double put_start, double put_stop) {
        return run_of({repeated(11,
                                [=](int n) {
                                    return Recorded{Kind::put, 1, 2, 10.0 * n + put_start, 10.0 * n + put_stop};
                                }),
                       repeated(11, [=](int n) {
                           return Recorded{Kind::get, 1, 1, 10.0 * n + 2, 10.0 * n + std::max(2.0, put_stop)};
                       })});
    };
    const CoupledRun not_seen = run(5, 5), buffered = run(1, 1);
    const MeasuredGraph alone = measured_graph(not_seen);
    REQUIRE(alone.exchanges[0].transfer == Transfer::not_seen);
    CHECK(alone.transfers[0] == Transfer::synchronous);
    SeenExchanges seen;
    add_seen(seen, buffered, measured_graph(buffered));
    CHECK(measured_graph(not_seen, seen).transfers[0] == Transfer::buffered);
}

TEST_CASE("a lag that one run does not show another run tells") {
    // A sends at 10 n + 1. B's GET n takes what was sent the step before. If it comes at 10 n + 9, it might as well
    // take what was sent in the same step; if it ends at 10 n + 0.5, it cannot.
    const auto run = [](double get) {
        return run_of({repeated(11,
                                [](int n) {
                                    return Recorded{Kind::put, 1, 2, 10.0 * n + 1, 10.0 * n + 1};
                                }),
                       repeated(11, [=](int n) {
                           return Recorded{Kind::get, 1, 1, 10.0 * n + get, 10.0 * n + get};
                       })});
    };
    const CoupledRun late = run(9), early = run(0.5);
    CHECK(measured_graph(late).exchanges[0].exchange.lag == 0);
    SeenExchanges seen;
    add_seen(seen, early, measured_graph(early));
    const MeasuredGraph m = measured_graph(late, seen);
    CHECK(m.exchanges[0].exchange.lag == 1);
    REQUIRE(m.exchanges[0].pairs.size() == 10);
    CHECK(m.exchanges[0].pairs[0].get == 1);
    // The smaller one does not take the larger one away.
    add_seen(seen, late, measured_graph(late));
    CHECK(measured_graph(early, seen).exchanges[0].exchange.lag == 1);
}

TEST_CASE("accumulated fields: of four PUTs the last is received") {
    std::vector<Recorded> a, b;
    for (int n = 0; n < 48; ++n)
        a.push_back({Kind::put, 1, 2, n + 0.5, n + (n % 4 == 3 ? 0.9 : 0.5)});
    for (int n = 0; n < 12; ++n)
        b.push_back({Kind::get, 1, 1, 4.0 * n + 3.9, 4.0 * n + 3.9});
    const MeasuredGraph m = measured_graph(run_of({a, b}));
    REQUIRE(m.exchanges.size() == 1);
    CHECK(m.exchanges[0].puts_per_pair == 4);
    REQUIRE(m.exchanges[0].pairs.size() == 12);
    for (std::size_t n = 0; n < 12; ++n)
        CHECK(m.exchanges[0].pairs[n].put == 4 * n + 3);
    CHECK(m.transfers[0] == Transfer::synchronous);
}

TEST_CASE("work of the coupler inside an exchange scales with its component, it is not waiting") {
    // B's GET takes from 4 to 10 with a mapping from 8 to 10: it waits 4 s, maps 2 s, computes 4 s.
    std::vector<Recorded> a, b;
    for (int n = 0; n < 12; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 8, t + 8});
        b.push_back({Kind::get, 1, 1, t + 4, t + 10});
        b.push_back({Kind::map, 1, 1, t + 8, t + 10});
    }
    const MeasuredGraph m = measured_graph(run_of({a, b}));
    // In common: from A's second PUT at 18 to B's last GET at 114, ten whole waits of 4 s from 24 to 104.
    CHECK(m.measured_s() == Approx(96));
    CHECK(m.waiting_s[1] == Approx(9 * 4.0));
    const Prediction fast = predict(m, {0.1, 1}); // A: 1 s a cycle; B: 2 + 4 = 6 s
    CHECK(fast.cycle_mean_s == Approx(6).epsilon(0.2));
}

TEST_CASE("what the run cannot answer is said") {
    const auto refusal = [](const CoupledRun &run) {
        try {
            (void)measured_graph(run);
        } catch (const PredictionError &error) {
            return std::string(error.what());
        }
        return std::string("no refusal");
    };
    CoupledRun lonely = sleeper(11);
    CoupledRun third = run_of({{}, {}, repeated(11, [](int n) {
                                   return Recorded{Kind::out, 1, 0, n + 0.0, n + 0.1};
                               })});
    lonely.components.push_back(third.components[2]);
    CHECK(refusal(lonely).find("C exchanges nothing with any other component of the run") == 0);

    CoupledRun shared = sleeper(11);
    shared.components[1].ranks = {0};
    CHECK(refusal(shared).find("share processes") != std::string::npos);

    CHECK(refusal(sleeper(2)).find("no coupling loop") != std::string::npos);

    // B also waits 1 s each step for field 3, which nobody sends: at 1 to 2 s after its other GET.
    std::vector<Recorded> a, b;
    for (int n = 0; n < 11; ++n) {
        a.push_back({Kind::put, 1, 2, 10.0 * n + 4, 10.0 * n + 10});
        b.push_back({Kind::get, 1, 1, 10.0 * n + 10, 10.0 * n + 10});
        b.push_back({Kind::get, 3, 0, 10.0 * n + 11, 10.0 * n + 12});
    }
    CoupledRun hole = run_of({a, b});
    CHECK(refusal(hole).find("for three, which nobody that was recorded sends") != std::string::npos);
    hole.field_names[2] = "one-sided";
    CHECK(refusal(hole).find(
              " s in one-sided calls: with which event of the other side such a wait ends is not known") !=
          std::string::npos);
}

// A and B send field 1 to C, which receives it from anybody, twice a step: A's at 4 s, B's at 6 s of each step of 10
// s.
TEST_CASE("a field from anybody is matched where its senders send equally often, and refused where they do not") {
    const auto sent = [](int every, double at) {
        std::vector<Recorded> events;
        for (int n = 0; n < 24; n += every)
            events.push_back({Kind::put, 1, 3, 10.0 * n + at, 10.0 * n + at});
        return events;
    };
    std::vector<Recorded> received;
    for (int n = 0; n < 24; ++n) {
        received.push_back({Kind::get, 1, 0, 10.0 * n + 1, 10.0 * n + 4});
        received.push_back({Kind::get, 1, 0, 10.0 * n + 5, 10.0 * n + 6});
    }
    CHECK_NOTHROW(measured_graph(run_of({sent(1, 4), sent(1, 6), received})));
    // 24 of A and 12 of B.
    CHECK_THROWS_WITH(measured_graph(run_of({sent(1, 4), sent(2, 6), received})),
                      "C receives one from anybody, and A sent it 24 times, B 12 times: which of them it took is not "
                      "known; name the counterpart of one in C");
}

TEST_CASE("scaling all components scales the prediction") {
    const MeasuredGraph m = measured_graph(sleeper(11));
    CHECK(predict(m, {3, 3}).predicted_s == Approx(3 * predict(m, {1, 1}).predicted_s));
}

TEST_CASE("components in turn on one process add up; the third hides behind them or not") {
    CoupledRun run = taking_turns(1);
    const MeasuredGraph m = measured_graph(run);
    CHECK(m.pool.of_all({4, 6, 5}) == 11); // A and B have the same cores
    CHECK(predict(m, {1, 1, 1}).alpha == Approx(1).epsilon(0.01));
    CHECK(predict(m, {1, 1, 1}).cycle_mean_s == Approx(10).epsilon(0.01));
    CHECK(predict(m, {1, 1, 0.5}).cycle_mean_s == Approx(8).epsilon(0.01));  // 3 + 5
    CHECK(predict(m, {1, 2, 0.5}).cycle_mean_s == Approx(13).epsilon(0.01)); // 3 + 10
    CHECK(predict(m, {2, 1, 0.5}).cycle_mean_s == Approx(11).epsilon(0.01)); // 6 + 5

    run.components[0].away_differs = true;
    CHECK_THROWS_WITH(measured_graph(run), Catch::Contains("a different number of times"));
}

TEST_CASE("one field to two receivers, and a lag of one step") {
    // A sends field 1 to B and to C. B receives in the same step; C receives, in each step, what A sent the step
    // before. A needs 10 s, B 4 s, C 9 s.
    std::vector<Recorded> a, b, c;
    for (int n = 0; n < 12; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 10, t + 10});
        a.push_back({Kind::put, 1, 3, t + 10, t + 10});
        b.push_back({Kind::get, 1, 1, t + 4, t + 10});
        if (n == 0) c.push_back({Kind::get, 1, 1, t + 0.5, t + 0.6}); // from a restart
        c.push_back({Kind::get, 1, 1, t + 19, t + 19});
    }
    const MeasuredGraph m = measured_graph(run_of({a, b, c}));
    REQUIRE(m.exchanges.size() == 2);
    CHECK(m.exchanges[0].exchange.target == 2);
    CHECK(m.exchanges[0].exchange.lag == 0);
    CHECK(m.exchanges[1].exchange.target == 3);
    CHECK(m.exchanges[1].exchange.lag == 1);
    CHECK(m.exchanges[1].pairs.front().get == 1); // its first GET is the one from the restart
    CHECK(m.exchanges[1].pairs.back().get == 12);
    CHECK(predict(m, {1, 1, 1}).cycle_mean_s == Approx(10).epsilon(0.02));
    CHECK(predict(m, {2, 1, 1}).cycle_mean_s == Approx(20).epsilon(0.02)); // A decides
}

TEST_CASE("where the critical path is, in the times of the run") {
    // A and B in turn: A computes 4 s and sends, B computes 6 s and sends back; each waits while the other computes.
    std::vector<Recorded> a, b;
    for (int n = 0; n < 6; ++n) {
        const double t = 10.0 * n;
        a.push_back({Kind::put, 1, 2, t + 4, t + 4});
        a.push_back({Kind::get, 2, 2, t + 4, t + 10});
        b.push_back({Kind::get, 1, 1, t, t + 4});
        b.push_back({Kind::put, 2, 1, t + 10, t + 10});
    }
    CoupledRun run = run_of({a, b});
    judge_balance(run, find_exchanges(run));
    const std::vector<PathStretch> &path = run.balance.path;
    // Both loops are from 14 to 54 or from 10 to 50, so 14 to 50 is in common: B 14-20, A 20-24, B 24-30, ..., 44-50.
    REQUIRE(path.size() == 7);
    for (std::size_t i = 0; i < path.size(); ++i) {
        CHECK(path[i].component == (i % 2 == 0 ? 2 : 1));
        const std::size_t steps_before = i / 2;
        const auto step = static_cast<double>(steps_before);
        CHECK(to_seconds(path[i].time.start) == Approx(10 * step + (i % 2 == 0 ? 14 : 20)));
        CHECK(to_seconds(path[i].time.stop) == Approx(10 * step + (i % 2 == 0 ? 20 : 24)));
        CHECK(path[i].is_first == (i == 0));
    }
}

// The second recorded component is slow. If the first waits for an unrecorded one (id 3), that may be why.
TEST_CASE("no slow side where one that was not recorded is waited for, and one where hardly") {
    for (const double share : {0.019, 0.021}) { // 2 % is the limit
        CoupledRun run = sleeper(11);
        for (Component &c : run.components)
            c.balance.waiting_for.clear();
        run.components[0].balance.loop_s = 90;
        run.components[0].balance.waiting_for = {{3, share * 90, 0}};
        judge_balance(run, find_exchanges(run));
        REQUIRE(run.balance.why_no_path.empty());
        CHECK(run.balance.slow_side == (share < 0.02 ? 2 : 0));
    }
}

// Two that exchange with a third only, which was not recorded: 10 s of 90 are waiting.
TEST_CASE("components around one that was not recorded: no path and no gain, and it is why") {
    const auto alone = [](std::int32_t field) {
        return repeated(10, [=](int n) { return Recorded{Kind::get, field, 3, 10.0 * n, 10.0 * n + 1}; });
    };
    CoupledRun run = run_of({alone(1), alone(2)});
    for (Component &c : run.components) {
        c.balance = balance_of({alone(c.id)}, 0, 100);
        REQUIRE_FALSE(c.balance.waiting_for.empty());
    }
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.slow_side == 0);
    CHECK(run.balance.why_no_path == "components wait for a program that is not in this run");
    CHECK(run.balance.why_no_gain == run.balance.why_no_path);
}

// 7 cores each, and ideal scaling: 4 s of 7 cores are 28, 10 s are 70. With 4 cores for A and 10 for B both take 7 s,
// so a cycle of 10 s becomes 7 s: three tenths are gained.
TEST_CASE("the gain of another split of the same cores") {
    CoupledRun run = sleeper(101);
    for (std::size_t c = 0; c < 2; ++c) {
        run.components[c].ranks.clear();
        for (std::int32_t r = 0; r < 7; ++r)
            run.components[c].ranks.push_back(static_cast<std::int32_t>(7 * c) + r);
    }
    judge_balance(run, find_exchanges(run));
    REQUIRE(run.balance.why_no_gain.empty());
    // From 20 to 1004 s: the loop of the example above, with 90 cycles more.
    CHECK(run.balance.loop_s == Approx(984));
    CHECK(run.balance.best_s == Approx(0.7 * 984).epsilon(0.005));
    CHECK(run.balance.gain_s == Approx(0.3 * 984).epsilon(0.01));
}

// A third component gets three fields of A before, from -3 s to -1 s: a loop of 1 s, and others of 990 s.
TEST_CASE("a component that takes part in the set-up only is not judged, and the others are as without it") {
    std::vector<std::vector<Recorded>> events;
    for (const Kind kind : {Kind::put, Kind::get}) {
        const bool sends = kind == Kind::put;
        events.emplace_back();
        for (int n = 0; sends && n < 3; ++n)
            events.back().push_back({Kind::put, 3, 3, n - 3.0, n - 3.0});
        for (int n = 0; n < 101; ++n)
            events.back().push_back({kind, 1, sends ? 2 : 1, 10.0 * n + (sends ? 4 : 10), 10.0 * n + 10});
    }
    events.push_back(repeated(3, [](int n) { return Recorded{Kind::get, 3, 1, n - 3.0, n - 2.9}; }));
    CoupledRun run = run_of({events[0], events[1], events[2]});
    for (std::size_t c = 0; c < 3; ++c)
        run.components[c].balance = balance_of({events[c]}, -3, 1010);
    REQUIRE(run.components[2].balance.loop_s == Approx(1));
    judge_balance(run, find_exchanges(run));
    CHECK(run.balance.why_no_path.empty());
    CHECK(run.balance.loop_s == Approx(984));
    CHECK(run.balance.left_out == std::vector<std::string>{run.components[2].name});
    CHECK_FALSE(is_known(run.components[2].balance.loop_s));
    CHECK(run.components[2].balance.why_no_window ==
          "its exchanges take less than a tenth of the longest coupling loop");
    CHECK(run.components[0].balance.waiting_s ==
          Approx(99 * 6.0)); // as in the run of two: at 24 to 30, ..., 1004 to 1010
}

// Each cycle of 10 s has `computing_s` in A; both wait the rest.
TEST_CASE("nothing is predicted from a run in which nobody computes, or whose clocks are wrong") {
    const auto idle = [](double computing_s) {
        return run_of({repeated(11,
                                [=](int n) {
                                    return Recorded{Kind::put, 1, 2, 10.0 * n + computing_s, 10.0 * n + 10};
                                }),
                       repeated(11, [](int n) {
                           return Recorded{Kind::get, 1, 1, 10.0 * n, 10.0 * n + 10};
                       })});
    };
    CHECK_NOTHROW(predict(measured_graph(idle(0.2)), {1, 1})); // 2 %
    CHECK_THROWS_WITH(predict(measured_graph(idle(0.05)), {1, 1}),
                      Catch::Contains("less than 1 % of the coupling loop"));
    CHECK_THROWS_WITH(predict(measured_graph(idle(0)), {1, 1}), Catch::Contains("nobody computes"));
    CoupledRun run = idle(0.05);
    judge_balance(run, find_exchanges(run));
    CHECK_THAT(run.balance.why_no_gain, Catch::Contains("less than 1 %"));
    CHECK(run.balance.best_cores.empty());

    MeasuredGraph late = measured_graph(sleeper(11));
    late.exchanges[0].exchange.violations = 1; // of 11
    CHECK_THROWS_WITH(predict(late, {1, 1}), Catch::Contains("the clocks are off by more than their bound: 1 of 11"));
}

TEST_CASE("the loop in parts: the same replay as the whole, where all cycles are alike") {
    const CoupledRun run = sleeper(4001); // 8,002 exchanges
    const Interval loop = common_stretch(run);
    const std::vector<MatchedExchange> exchanges = match_events(run, find_exchanges(run));
    const MeasuredGraph whole = measured_graph(run, exchanges, loop, 10'000, {});
    const MeasuredGraph parts = measured_graph(run, exchanges, loop, 4'000, {});
    CHECK(whole.parts.size() == 1);
    REQUIRE(parts.parts.size() == 4); // of 1,000 each
    CHECK(parts.examined_s() == Approx(to_seconds(loop.length()) / 2).epsilon(0.01));
    // A computes 4 s and B 10: with half of B's, 5 s decide.
    CHECK(pace(whole, {1, 0.5}) == Approx(0.5).epsilon(0.001));
    CHECK(pace(parts, {1, 0.5}) == Approx(0.5).epsilon(0.01));
    CHECK(parts.time_in_run(parts.parts[0].stop, true) == parts.parts[0].stop);
    CHECK(parts.time_in_run(parts.parts[0].stop, false) == parts.parts[1].start);
}
