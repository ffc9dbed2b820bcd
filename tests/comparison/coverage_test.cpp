// How often the interval holds the true change: repetitions whose noise remembers the step before, and whose means
// differ from run to run, as on a machine with other work on it.
#include "comparison/difference.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

using namespace cpl_lb;
using cpl_lb::simulator::from_environment;
using cpl_lb::simulator::Random;
using cpl_lb::simulator::tells_figures;

namespace {

constexpr int comparisons = 400;
constexpr double true_change = -0.5;

struct State {
    std::size_t runs = 1;
    double between = 0; // how much the means of runs vary: standard deviation, as a share
};

// 100 steps of 3 % noise, first-order autoregressive; the mean over all runs is `mean`.
StepValues run_of(Random &random, double mean, double memory, double between) {
    const double of_run = std::exp(between * random.normal() - 0.5 * between * between);
    StepValues values;
    double noise = random.normal();
    for (int i = 0; i < 100; ++i) {
        values.push_back(mean * of_run * (1 + 0.03 * noise));
        noise = memory * noise + std::sqrt(1 - memory * memory) * random.normal();
    }
    return values;
}

// The share of the intervals that hold the true change; of all that are printed.
double coverage(const State &before, const State &after, double memory, bool disturbed, int &printed) {
    Random random(from_environment("CPL_LB_SIMULATED_FIRST", 1));
    int held = 0;
    printed = 0;
    for (int i = 0; i < comparisons; ++i) {
        std::vector<StepValues> one, other;
        for (std::size_t r = 0; r < before.runs; ++r)
            one.push_back(run_of(random, 1, memory, before.between));
        for (std::size_t r = 0; r < after.runs; ++r)
            other.push_back(run_of(random, 1 + true_change, memory, after.between));
        const Difference d = difference_of(one, other, false, disturbed);
        if (!d.has_interval()) continue;
        ++printed;
        if (d.low <= true_change && true_change <= d.high) ++held;
    }
    if (tells_figures())
        std::printf("%zu and %zu runs, %.2f and %.2f between, memory %.1f, disturbed %d: %d of %d\n", before.runs,
                    after.runs, before.between, after.between, memory, static_cast<int>(disturbed), held, printed);
    return printed == 0 ? unknown : static_cast<double>(held) / printed;
}

} // namespace

// 95 % of 400 comparisons should hold; 3.3 standard errors below that are 91.4 %.
TEST_CASE("intervals of repetitions that vary alike hold the true change in 95 of 100") {
    const double memory = GENERATE(0.0, 0.5, 0.8);
    const std::size_t runs = GENERATE(1U, 2U, 3U, 5U);
    const double between = runs == 1 ? 0 : GENERATE(0.0, 0.02, 0.2);
    int printed = 0;
    const double held = coverage({runs, between}, {runs, between}, memory, false, printed);
    CAPTURE(memory, runs, between);
    CHECK(printed == comparisons);
    CHECK(held >= 0.914);
}

TEST_CASE("a disturbed machine: the states vary differently, and the intervals hold all the same") {
    const double memory = GENERATE(0.0, 0.8);
    const auto [before, after] =
        GENERATE(std::pair(State{2, 0.02}, State{2, 0.2}), std::pair(State{3, 0.2}, State{3, 0.02}),
                 std::pair(State{5, 0.02}, State{2, 0.2}), std::pair(State{2, 0.2}, State{5, 0.02}));
    int printed = 0;
    const double held = coverage(before, after, memory, true, printed);
    CAPTURE(memory, before.runs, after.runs, before.between);
    CHECK(printed == comparisons);
    CHECK(held >= 0.914);
    // Taken to vary alike, they would not.
    if (before.runs != after.runs) CHECK(coverage(before, after, memory, false, printed) < 0.8);
}

TEST_CASE("a disturbed machine and a single run: no interval is printed") {
    int printed = 0;
    CHECK_FALSE(is_known(coverage({1, 0.2}, {3, 0.02}, 0.5, true, printed)));
    CHECK_FALSE(is_known(coverage({1, 0.2}, {1, 0.2}, 0.5, true, printed)));
    CHECK(printed == 0);
}
