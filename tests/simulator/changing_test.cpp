// Runs that change while they run: what is predicted for them, and whether advice helps.
#include "prediction/predictor.hpp"
#include "prediction/run_balance.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/coupled_example.hpp"

#include <catch2/catch.hpp>
#include <tuple>
#include <utility>
#include <vector>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

constexpr std::int64_t steps = 40;

// On one core the ocean computes 0.4 s in each of the first `slow` steps and 0.02 s after, the atmosphere 0.2 s.
Model two_regimes(std::int64_t slow, const std::vector<simulator::Exchange> &exchanges) {
    Model model = coupled_example(ideal(0.02), ideal(0.2));
    model.parts[0].course = slow_until(slow, 20);
    if (!exchanges.empty()) {
        model.exchanges = exchanges;
        model.parts[0].step = {receive(1), compute(1), send(0)};
        model.parts[1].step = {receive(0), compute(1), send(1)};
    }
    return model;
}

// Both at once; each receives what the other sent in the step before, and sends wait for nobody, or for the receiver.
const std::vector<std::vector<simulator::Exchange>> couplings = {
    {},
    {{"T", 0, 1, 1, 1, -1, 0}, {"Q", 1, 0, 1, 1, -1, 0}},
    {{"T", 0, 1, 1, 1, 1, 0}, {"Q", 1, 0, 1, 1, 1, 0}},
};

double common_s(const CoupledRun &run) {
    return to_seconds(common_stretch(run).length());
}

} // namespace

// A step takes the longer of the two, the loop has 38 of the 40 steps: neither the first nor the last.
//   N    2 + 4                       4 + 2                 3 + 3
//   40   38 x 0.2      = 7.6         38 x 0.1 = 3.8
//   30   29 x 0.2 + 9 x 0.05 = 6.25  3.8
//   24   23 x 0.2 + 15 x 0.05 = 5.35 3.8
//   20   19 x 0.2 + 19 x 0.05 = 4.75 3.8                   19 x 0.4/3 + 19 x 0.2/3 = 3.8
TEST_CASE("an ocean that is slow until some step: the summary, predict and the run with these counts say the same") {
    for (const auto &exchanges : couplings) {
        for (const auto &[slow, counts, by_hand_s] : {std::tuple<std::int64_t, Counts, double>{40, {4, 2}, 3.8},
                                                      {30, {4, 2}, 3.8},
                                                      {24, {4, 2}, 3.8},
                                                      {20, {4, 2}, 3.8},
                                                      {20, {3, 3}, 3.8}}) {
            INFO("slow until " << slow << ", with " << counts[0] << " + " << counts[1] << ", coupling "
                               << &exchanges - couplings.data());
            const Model model = two_regimes(slow, exchanges);
            CoupledRun run = as_coupled_run(simulate(model, {2, 4}, {.steps = steps}));
            const double really_s = common_s(as_coupled_run(simulate(model, counts, {.steps = steps})));
            CHECK(really_s == Approx(by_hand_s).epsilon(0.03)); // a step more or less at the ends
            const std::vector<double> factors = {2. / static_cast<double>(counts[0]),
                                                 4. / static_cast<double>(counts[1])};
            CHECK(predict(measured_graph(run), factors).predicted_s == Approx(really_s).epsilon(0.05));
            judge_balance(run, find_exchanges(run));
            REQUIRE(run.balance.why_no_gain.empty());
            CHECK(run.balance.best_s <= 1.001 * predict(measured_graph(run), factors).predicted_s);
            const std::vector<double> best = {2. / static_cast<double>(run.balance.best_cores[0]),
                                              4. / static_cast<double>(run.balance.best_cores[1])};
            CHECK(run.balance.best_s == Approx(predict(measured_graph(run), best).predicted_s));
            CHECK(run.balance.best_s < run.balance.loop_s);
        }
    }
}
