// Who is the slow side where components stand between others: on runs in which a baton goes from one to the next, so
// that all shares of the critical path follow from the turns. And what the verdict says if one was not recorded.
#include "prediction/run_balance.hpp"
#include "report/words.hpp"
#include "tests/analysis/literals.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace cpl_lb;
using namespace cpl_lb::literals;

namespace {

struct Turn {
    std::size_t component; // from 0
    double seconds;        // it computes, then hands on
};

// The turns again and again. Who has handed on waits for the next baton. Field n: what turn n hands on.
CoupledRun baton_run(const std::vector<Turn> &turns, std::size_t components, int cycles = 12) {
    std::vector<std::vector<Recorded>> events(components);
    std::vector<double> waits_from(components, 0);
    const auto id = [](std::size_t c) { return static_cast<std::int32_t>(c) + 1; };
    double now = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (std::size_t n = 0; n < turns.size(); ++n) {
            const std::size_t from = turns[n].component, to = turns[(n + 1) % turns.size()].component;
            const auto field = static_cast<std::int32_t>(n) + 1;
            now += turns[n].seconds;
            events[from].push_back({Kind::put, field, id(to), now, now});
            waits_from[from] = now;
            events[to].push_back({Kind::get, field, id(from), waits_from[to], now});
        }
    }
    CoupledRun run = run_of(events);
    for (std::size_t c = 0; c < components; ++c)
        run.components[c].balance = balance_of({events[c]}, 0, now);
    run.field_names.resize(turns.size(), "field");
    return run;
}

void judge(CoupledRun &run) {
    judge_balance(run, find_exchanges(run));
}

// The run as it is if these components had no recorder.
CoupledRun without(CoupledRun run, std::initializer_list<std::int32_t> ids) {
    for (const std::int32_t id : ids)
        std::erase_if(run.components, [=](const Component &c) { return c.id == id; });
    return run;
}

void check_left_open(CoupledRun run) {
    judge(run);
    CHECK(run.balance.slow_side == 0);
    CHECK_FALSE(is_known(run.balance.gain_s));
    CHECK(run.balance.best_cores.empty());
    CHECK_FALSE(run.balance.why_no_gain.empty());
    const std::vector<std::string> words = plain_words(run);
    const std::string all = std::accumulate(words.begin(), words.end(), std::string());
    INFO(all);
    CHECK(words.front().find("was not recorded, and without its record nobody can know what the bottleneck is: ") !=
          std::string::npos);
    CHECK(words.front().find(" of its time waiting for it") != std::string::npos);
    for (const char *wrong : {"is the bottleneck", "wait for each other", "would take"})
        CHECK(all.find(wrong) == std::string::npos);
}

constexpr std::size_t A = 0, B = 1, C = 2, D = 3;

} // namespace

// A cycle takes 2.5 + 1.5 + 1.5 + 3 x 1.5 = 10 s. D, between all, computes 4.5 s of it, more than any other; it waits
// 55 % of its time, the others 75 and 85 %.
TEST_CASE("a hub is not the slow side, also where all wait most of their time and its part is the longest") {
    const std::vector<Turn> turns = {{A, 2.5}, {D, 1.5}, {B, 1.5}, {D, 1.5}, {C, 1.5}, {D, 1.5}};
    CoupledRun run = baton_run(turns, 4);
    judge(run);
    REQUIRE(run.balance.why_no_path.empty());
    CHECK(run.components[D].balance.critical_share == Approx(0.45).margin(0.02));
    CHECK(run.components[D].balance.waiting_s / run.components[D].balance.loop_s == Approx(0.55).margin(0.02));
    CHECK(run.balance.slow_side == 1); // A: 2.5 s
    CHECK(run.components[A].balance.critical_share == Approx(0.25).margin(0.02));
    CHECK_THAT(plain_words(run).front(), Catch::StartsWith("A is the bottleneck: "));
    CHECK_THAT(plain_words(run).front(), Catch::Contains("B spends 85 % of its time waiting for it, through D"));
    check_left_open(without(run, {4}));
    check_left_open(without(run, {1}));
    check_left_open(without(run, {2, 3}));
}

// Both compute 1 s a step, at the same time, and now one, now the other is 1 ms later: nobody waits 2 % of its time.
TEST_CASE("two that are equally slow have no slow side, where one is slower by 6 % it is the bottleneck") {
    const auto beside = [](double a_s, double b_s) {
        std::vector<std::vector<Recorded>> events(2);
        double now = 0;
        for (int step = 0; step < 30; ++step) {
            const double late_s = step % 3 == 0 ? 0.001 : -0.001;
            const double a = now + a_s + late_s, b = now + b_s;
            now = std::max(a, b);
            events[A].push_back({Kind::put, 1, 2, a, a});
            events[B].push_back({Kind::put, 2, 1, b, b});
            events[A].push_back({Kind::get, 2, 2, a, now});
            events[B].push_back({Kind::get, 1, 1, b, now});
        }
        CoupledRun run = run_of(events);
        for (std::size_t c = 0; c < 2; ++c)
            run.components[c].balance = balance_of({events[c]}, 0, now);
        run.field_names = {"to B", "to A"};
        judge(run);
        return run;
    };
    const CoupledRun equal = beside(1, 1);
    REQUIRE(equal.balance.why_no_path.empty());
    CHECK(equal.components[A].balance.critical_share == Approx(1.0 / 3).margin(0.05));
    CHECK(equal.balance.slow_side == 0);
    CHECK(equal.balance.equally_slow == std::vector<std::int32_t>{2, 1});
    CHECK_THAT(plain_words(equal).front(), Catch::StartsWith("The components are balanced"));
    CHECK(beside(1.06, 1).balance.slow_side == 1);
    CHECK(beside(1, 1.06).balance.slow_side == 2);
}

// A, B and C compute 1, 1 and c_s at the same time and tell each other at the end of each step; the last to arrive
// lets the others go. Each is the last in turn, by 1 ms.
CoupledRun all_to_all(double c_s) {
    const std::vector<double> computing_s = {1, 1, c_s};
    std::vector<std::vector<Recorded>> events(3);
    double now = 0;
    for (int step = 0; step < 30; ++step) {
        std::vector<double> arrive;
        for (std::size_t c = 0; c < 3; ++c)
            arrive.push_back(now + computing_s[c] + (static_cast<int>(c) == step % 3 ? 0.001 : 0));
        now = *std::max_element(arrive.begin(), arrive.end());
        for (const Kind kind : {Kind::put, Kind::get}) {
            for (std::size_t c = 0; c < 3; ++c) {
                for (std::size_t other = 0; other < 3; ++other) {
                    if (other == c) continue;
                    const bool sends = kind == Kind::put;
                    const std::size_t from = sends ? c : other, to = sends ? other : c;
                    events[c].push_back({kind, static_cast<std::int32_t>(3 * from + to + 1),
                                         static_cast<std::int32_t>(other + 1), arrive[c],
                                         sends ? arrive[c] : std::max(arrive[c], arrive[other])});
                }
            }
        }
    }
    CoupledRun run = run_of(events);
    for (std::size_t c = 0; c < 3; ++c)
        run.components[c].balance = balance_of({events[c]}, 0, now);
    run.field_names = {"AA", "AB", "AC", "BA", "BB", "BC", "CA", "CB", "CC"};
    judge(run);
    return run;
}

// If C computes 0.7 s, a tenth less for A and B makes the step shorter by a tenth. If it computes 1 s, nothing is
// gained.
TEST_CASE("three that are equally slow are all named, and a third that is faster is not") {
    const CoupledRun three = all_to_all(1);
    REQUIRE(three.balance.why_no_path.empty());
    CHECK(three.balance.slow_side == 0);
    std::vector<std::int32_t> named = three.balance.equally_slow;
    std::sort(named.begin(), named.end());
    CHECK(named == std::vector<std::int32_t>{1, 2, 3});
    std::vector<std::int32_t> two = all_to_all(0.7).balance.equally_slow;
    std::sort(two.begin(), two.end());
    CHECK(two == std::vector<std::int32_t>{1, 2});
}

// 4 + 2.4 + 1 + 2.4 = 9.8 s; the relay C computes 4.8 of them, and waits 51 %.
TEST_CASE("a relay between two is not the slow side") {
    CoupledRun run = baton_run({{A, 4}, {C, 2.4}, {B, 1}, {C, 2.4}}, 3);
    judge(run);
    REQUIRE(run.balance.why_no_path.empty());
    CHECK(run.components[C].balance.critical_share > run.components[A].balance.critical_share);
    CHECK(run.balance.slow_side == 1);
    check_left_open(without(run, {3})); // A and B seem to wait for each other
    check_left_open(without(run, {1}));
}

// The master hands work to B, C and D in turn: 0.9 s of its own each time, 2.7 of 7.2 s; it waits 63 %.
TEST_CASE("a master is not the slow side, though its part is the longest") {
    CoupledRun run = baton_run({{A, 0.9}, {B, 1}, {A, 0.9}, {C, 2}, {A, 0.9}, {D, 1.5}}, 4);
    judge(run);
    REQUIRE(run.balance.why_no_path.empty());
    CHECK(run.balance.slow_side == 3); // C: 2 s
    check_left_open(without(run, {1}));
    check_left_open(without(run, {3}));
}

// A and C compute 40 ms a step, each on one core, B between them 10 ms on so many. B waits for A, and C has come by
// then.
CoupledRun middle(std::size_t cores_of_b) {
    std::vector<std::vector<Recorded>> events(3);
    double now = 0;
    for (int step = 0; step < 30; ++step) {
        const double b = now + 0.010;
        now += 0.040;
        events[A].push_back({Kind::put, 1, 2, now, now});
        events[A].push_back({Kind::get, 2, 2, now, now});
        events[B].push_back({Kind::put, 2, 1, b, b});
        events[B].push_back({Kind::get, 1, 1, b, now});
        events[B].push_back({Kind::put, 3, 3, now, now});
        events[B].push_back({Kind::get, 4, 3, now, now});
        events[C].push_back({Kind::put, 4, 2, now, now});
        events[C].push_back({Kind::get, 3, 2, now, now});
    }
    CoupledRun run = run_of(events);
    run.field_names = {"A to B", "B to A", "B to C", "C to B"};
    for (std::size_t c = 0; c < 3; ++c)
        run.components[c].balance = balance_of({events[c]}, 0, now);
    for (std::size_t more = 1; more < cores_of_b; ++more)
        run.components[B].ranks.push_back(static_cast<std::int32_t>(2 + more));
    judge(run);
    return run;
}

// 4 cores wait 30 of 40 ms: 120 of 240 core ms. A, B and C compute 40 core ms each, which are 20 ms on two cores
// each.
TEST_CASE("a model in the middle of a chain that has too many cores is no hub") {
    const CoupledRun run = middle(4);
    REQUIRE(run.balance.why_no_gain.empty());
    CHECK(run.balance.waiting_share == Approx(0.5).margin(0.001));
    CHECK(run.balance.best_cores == std::vector<std::int64_t>{2, 2, 2});
    CHECK(run.balance.best_s / run.balance.loop_s == Approx(0.5).margin(0.001));
    const std::vector<std::string> words = plain_words(run);
    CHECK_THAT(words.front(), Catch::Contains("B spends 75 % of its time waiting for A."));
    CHECK_THAT(words.at(1),
               Catch::StartsWith("Lost to waiting: 50 % of the core time in the coupling loop. With A on "
                                 "2 cores, B on 2 and C on 2, the coupling loop would take about "));
}

// Its core waits 30 of 120 core ms, and is the least that it can have: no other split of three cores is shorter.
TEST_CASE("a model in the middle on one core is left out, and the verdict says how much that is") {
    const CoupledRun run = middle(1);
    CHECK(run.balance.gain_s == Approx(0).margin(1e-6));
    const std::vector<std::string> words = plain_words(run);
    CHECK_THAT(words.front(), Catch::EndsWith("except those that stand between others on one core: B (75 %)."));
    CHECK(words.at(1) == "Lost to waiting: less than 0.1 % of the core time in the coupling loop, B not counted.");
    CHECK(words.at(2) == "Not counted as lost: 25 % of all core time, in which B waits between other components. It "
                         "has one core and cannot use fewer.");
}

// Two that run one after the other stand between nobody: the longer part is the slow side.
TEST_CASE("two that run one after the other: the longer part") {
    CoupledRun run = baton_run({{A, 4}, {B, 6}}, 2);
    judge(run);
    CHECK(run.balance.slow_side == 2);
}

// 4 + 3 + 2 + 1 s: all wait most of their time, and all pass on what they get. None is more between than another.
TEST_CASE("a ring of relays: the longest part") {
    CoupledRun run = baton_run({{A, 3}, {B, 4}, {C, 2}, {D, 1}}, 4);
    judge(run);
    CHECK(run.balance.slow_side == 2);
    check_left_open(without(run, {4}));
}

// As the relay, and B writes to an I/O server each time. It waits for a program that nobody recorded, and idles.
TEST_CASE("an I/O server that waits for an unrecorded program holds nobody up") {
    CoupledRun run = baton_run({{A, 4}, {B, 6}}, 2);
    Component server = run.components[B];
    server.id = 3;
    server.name = "C";
    server.table = {};
    server.balance.is_io_server = server.properties.is_io_server = true;
    server.balance.waiting_for = {{4, server.balance.waiting_s, 0}};
    run.component_names = {"A", "B", "C", "not recorded"};
    run.components.push_back(server);
    judge(run);
    CHECK(run.balance.slow_side == 2);
    CHECK(plain_words(run).front().find("was not recorded") == std::string::npos);
}
