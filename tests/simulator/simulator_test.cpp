// The simulator against times worked out by hand.
#include "io/timeline/timeline_reader.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

// A sends to B, and receives what B sent the step before.
Model two(Law a, Law b) {
    Model model;
    model.exchanges = {{"T", 0, 1, 0, 1, 0, 0}, {"Q", 1, 0, 1, 1, 1, 0}};
    model.parts = {{"A", std::move(a), {receive(1), compute(1), send(0)}},
                   {"B", std::move(b), {compute(1), receive(0), send(1)}}};
    return model;
}

double sum(const std::vector<double> &values) {
    double all = 0;
    for (const double value : values)
        all += value;
    return all;
}

} // namespace

TEST_CASE("side by side: the slower decides") {
    const Model model = two(ideal(8), ideal(12));
    // 8 / 4 = 2 s beside 12 / 4 = 3 s; 8 / 2 = 4 s beside 12 / 6 = 2 s.
    CHECK(step_seconds(model, {4, 4}) == Approx(3));
    CHECK(step_seconds(model, {2, 6}) == Approx(4));
    // 10 cores: 4 and 6, 2 s each; any other split has one above.
    const Best best = best_counts(model, 10);
    CHECK(best.counts == Counts{4, 6});
    CHECK(best.step_s == Approx(2));
    CHECK(best_counts(model, 10, {2, 0}).counts[0] == 2);
    CHECK_THROWS_AS(best_counts(model, 1), BadModel);
}

TEST_CASE("one after the other: the sum decides, and the critical path says whose") {
    Model model = two(ideal(8), ideal(12));
    model.parts[1].step = {receive(0), compute(1), send(1)};
    model.exchanges[1].lag = 0; // A receives at the end of its step
    model.parts[0].step = {compute(1), send(0), receive(1)};
    CHECK(step_seconds(model, {4, 4}) == Approx(5)); // 2 + 3
    const Run run = simulate(model, {4, 4}, {.steps = 10});
    CHECK(run.end_s == Approx(50));
    const std::vector<double> path = run.critical_s(10, 40); // six steps
    CHECK(path[0] == Approx(12));
    CHECK(path[1] == Approx(18));
    CHECK(sum(path) == Approx(30));
}

TEST_CASE("a hub between two models, in the order of its exchanges") {
    // The coupler receives from the ocean, then from the atmosphere, works 0.01 s, sends to both; they receive that
    // at the begin of their next step: 0.15 + 0.01 s a step, and the atmosphere has 0.15 of it on the path.
    Model model;
    model.exchanges = {{"O", 0, 2}, {"A", 1, 2}, {"o", 2, 0, 0, 1, 1, 0}, {"a", 2, 1, 0, 1, 1, 0}};
    model.parts = {{"ocean", ideal(0.13), {compute(1), send(0), receive(2)}},
                   {"atmosphere", ideal(0.15), {compute(1), send(1), receive(3)}},
                   {"coupler", ideal(0.01), {receive(0), receive(1), compute(1), send(2), send(3)}}};
    const Run run = simulate(model, {1, 1, 1}, {.steps = 20});
    CHECK(run.end_s == Approx(20 * 0.16));
    const std::vector<double> path = run.critical_s(0, run.end_s);
    CHECK(path[0] == Approx(0).margin(1e-12));
    CHECK(path[1] == Approx(20 * 0.15));
    CHECK(path[2] == Approx(20 * 0.01));
}

TEST_CASE("what is under way, an I/O server that cannot keep up, every second step") {
    Model model = two(ideal(2), ideal(1));
    model.exchanges.push_back({"out", 0, 2, 0, 2, 1, 0}); // one send may be under way
    model.parts[0].step.push_back(send(2));
    model.parts.push_back({"server", ideal(10), {receive(2), compute(1)}});
    CHECK(steps_of_cycle(model) == 2);
    // The server works 10 s in each step, A needs 2: two steps in 20 s.
    CHECK(step_seconds(model, {1, 1, 1}) == Approx(10));
    CHECK(step_seconds(model, {1, 1, 10}) == Approx(2));
    model.exchanges[2].in_flight = -1; // A never waits for it, but the run ends with the server
    CHECK(step_seconds(model, {1, 1, 1}) == Approx(10));
}

// A sends T, up to three of them without anybody taking them, and B needs 3 s for each; A needs 2 s.
TEST_CASE("a bounded buffer: a send waits until so many are taken that it fits") {
    Model model;
    model.exchanges = {{"T", 0, 1, 0, 1, 3, 0}};
    model.parts = {{"A", ideal(2), {compute(1), send(0)}}, {"B", ideal(3), {receive(0), compute(1)}}};
    const Run run = simulate(model, {1, 1}, {.steps = 20});
    // Send n comes at 2 (n + 1). B takes the first at 2, and comes for receive k at 2 + 3 k. Send n needs receive n -
    // 3: 9 comes at 20, when 6 comes too; 10 comes at 22 and waits until 2 + 3 x 7 = 23; from then on all wait.
    const std::vector<Event> &sends = run.parts[0].events;
    CHECK(sends[9].stop_s[0] == Approx(20));
    CHECK(sends[10].start_s[0] == Approx(22));
    CHECK(sends[10].stop_s[0] == Approx(23));
    CHECK(sends[19].stop_s[0] == Approx(23 + 9 * 3));
    CHECK(step_seconds(model, {1, 1}) == Approx(3));
    CHECK(step_seconds(model, {1, 3}) == Approx(2));
    // Though A, begun late, is the last to end its steps for a while.
    model.parts[0].startup_s = 100;
    model.exchanges[0].lag = 200;
    CHECK(step_seconds(model, {1, 1}) == Approx(3));
}

TEST_CASE("who waits for each other for ever is refused") {
    Model model = two(ideal(1), ideal(1));
    model.exchanges[1].lag = 0; // A waits for Q before it sends T, B for T before it sends Q
    CHECK_THROWS_AS(step_seconds(model, {1, 1}), BadModel);
}

TEST_CASE("the laws") {
    CHECK(amdahl(10, 1).seconds(5) == Approx(3));
    CHECK(power(8, 0.5, 0.5, 1).seconds(4) == Approx(4)); // 2 + 1 + 1
    CHECK(plateau(100, 10).seconds(1) == Approx(100).epsilon(1e-4));
    CHECK(plateau(100, 10).seconds(1000) == Approx(10).epsilon(1e-4));
    CHECK(cache(100, 10, 0.5).seconds(1) == Approx(100).epsilon(1e-3));
    CHECK(cache(100, 10, 0.5).seconds(100) == Approx(0.5).epsilon(2e-3)); // half of 1 s
    CHECK(blocks(12, 0, 6).seconds(4) == Approx(4));                      // two blocks of 2 s
}

TEST_CASE("the library sees the events of a simulated run") {
    Model model = two(ideal(8), ideal(12));
    model.parts[0].imbalance = 0.5;
    const Run run = simulate(model, {4, 4}, {.steps = 12, .most_processes = 2});
    const CoupledRun seen = as_coupled_run(run);
    REQUIRE(seen.components.size() == 2);
    // Steps of 3 s. A's slowest processes compute 2 s, the fastest 1: that second is imbalance, the third is waiting.
    const ComponentBalance &a = seen.components[0].balance;
    CHECK(a.waiting_s / a.loop_s == Approx(1. / 3));
    CHECK(a.imbalance_s / a.loop_s == Approx(1. / 3));
    CHECK(seen.components[1].balance.waiting_s == Approx(0).margin(1e-6));
    CHECK(seen.components[0].ranks == std::vector<std::int32_t>{0, 1, 2, 3});
}

TEST_CASE("timelines hold what the run has") {
    const test::TemporaryFolder folder;
    Model model = two(ideal(8), ideal(12));
    model.date_step_s = 3600;
    const Run run = simulate(model, {2, 3}, {.steps = 5});
    write_timelines(folder.path(), run);
    const CoupledRun seen = as_coupled_run(run);
    for (const Component &component : seen.components) {
        const TimelineReader reader(folder / ("timeline_" + component.name + ".nc"));
        const TimelineHeader &header = reader.header();
        CHECK(header.ranks == component.ranks);
        CHECK(header.keys == component.table.keys);
        CHECK(header.simulated_s == 5 * 3600);
    }
}

TEST_CASE("random models run, and the path covers the time") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Model model = random_model(seed, {.blocks = true});
        INFO("seed " << seed << "\n" << in_words(model));
        const Counts counts(model.parts.size(), 5);
        const Run run = simulate(model, counts, {.steps = 24, .seed = seed});
        const double middle = run.end_s / 2;
        CHECK(sum(run.critical_s(middle, run.end_s)) == Approx(run.end_s - middle));
        CHECK(simulate(model, counts, {.steps = 24, .seed = seed}).end_s == run.end_s);
        // Noise of 1 % at most, and lags, do not hide the true step.
        CHECK(run.end_s / 24 > 0.7 * step_seconds(model, counts));
        CHECK(run.end_s / 24 < 1.5 * step_seconds(model, counts) + 3);
    }
}
