// Components whose computing changes while the run goes on, and those whose computing does not.
#include "analysis/change_points.hpp"
#include "tests/simulator/environment.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <utility>

using namespace cpl_lb;

namespace {

// Steps of a second, with some computing.
ComponentBalance steps(int count, const std::function<double(int)> &computing_s) {
    ComponentBalance balance;
    for (int i = 0; i < count; ++i)
        balance.steps.push_back({static_cast<double>(i), 1, 0, computing_s(i), 0, 0, 1});
    balance.step_count = count;
    return balance;
}

// Relative, normal; `memory`: correlation from one step to the next.
class Noise {
public:
    Noise(unsigned seed, double size, double memory = 0) : random_(seed), size_(size), memory_(memory) {}
    double operator()() {
        last_ = memory_ * last_ + std::sqrt(1 - memory_ * memory_) * normal_(random_);
        return std::exp(size_ * last_);
    }

private:
    std::mt19937 random_;
    std::normal_distribution<double> normal_;
    double size_, memory_, last_ = 0;
};

// The change found in these computing times of steps; 0.127 s is the mean of a step of the two runs on a quiet
// machine.
ComputingChange change_of(const std::vector<double> &seen, double length_s = 0.127) {
    ComponentBalance balance =
        steps(static_cast<int>(seen.size()), [&](int i) { return seen[static_cast<std::size_t>(i)]; });
    for (Step &step : balance.steps)
        step.length_s = length_s;
    return computing_change(balance);
}

} // namespace

TEST_CASE("slow until some step: two parts, with the computing of a step in each") {
    Noise noise(1, 0.02);
    const ComputingChange change =
        computing_change(steps(38, [&](int i) { return (i < 19 ? 0.2 : 0.01) * noise(); }));
    REQUIRE(change.parts.size() == 2);
    CHECK(change.parts[0].first_step == 1);
    CHECK(change.parts[0].last_step == 19);
    CHECK(change.parts[1].first_step == 20);
    CHECK(change.parts[1].last_step == 38);
    CHECK(change.parts[0].computing_s == Approx(0.2).epsilon(0.02));
    CHECK(change.parts[1].computing_s == Approx(0.01).epsilon(0.02));
    CHECK(change.parts[1].start_s == 19);
    CHECK(change.parts[1].stop_s == 38);
    CHECK(change.pattern.period == 0);
}

// The computing that a busy machine gave an ocean of 0.2 and then 0.01 s a step; beside four busy loops its short
// steps scatter by a factor of six, and all before compute 0.2 s or more, all after 0.066 s or less.
TEST_CASE("a change on a busy machine, where short steps are disturbed most, also where their noise tells nothing") {
    const std::vector<double> busy = {0.214, 0.222, 0.202, 0.201, 0.204, 0.22,  0.247, 0.254, 0.211, 0.231,
                                      0.203, 0.203, 0.22,  0.22,  0.2,   0.221, 0.235, 0.272, 0.224, 0.204,
                                      0.235, 0.209, 0.224, 0.011, 0.016, 0.024, 0.026, 0.032, 0.01,  0.026,
                                      0.036, 0.029, 0.036, 0.036, 0.02,  0.022, 0.01,  0.04};
    const std::vector<double> busier = {
        0.2001, 0.2013, 0.2008, 0.2027, 0.2039, 0.2053, 0.2067, 0.204,  0.2199, 0.2032, 0.2001, 0.2166, 0.2021,
        0.2045, 0.2001, 0.2093, 0.2047, 0.2032, 0.016,  0.02,   0.012,  0.0104, 0.0101, 0.012,  0.016,  0.016,
        0.0101, 0.0658, 0.0399, 0.0159, 0.0101, 0.012,  0.0118, 0.0101, 0.016,  0.012,  0.0101, 0.012};
    for (const auto &[seen, first_short] : {std::pair(busy, 24), std::pair(busier, 19)}) {
        const ComputingChange change = change_of(seen, 1);
        REQUIRE(change.parts.size() == 2);
        CHECK(change.parts[0].last_step == first_short - 1);
        CHECK(change.parts[1].first_step == first_short);
        CHECK(change.parts[1].last_step == 38);
    }
}

// What a quiet machine gave the same ocean, and an atmosphere of 0.05 s that does not change: other work disturbed a
// few steps of each. That is no change for good.
TEST_CASE("a few disturbed steps between others that are alike are no part of their own") {
    const std::vector<double> ocean = {0.2001, 0.2001, 0.2001, 0.2001, 0.2027, 0.2001, 0.2001, 0.2052, 0.2001, 0.2001,
                                       0.2139, 0.2001, 0.2001, 0.2001, 0.2001, 0.2001, 0.2396, 0.2001, 0.0101, 0.0156,
                                       0.0101, 0.0101, 0.0109, 0.0101, 0.0101, 0.0101, 0.0101, 0.0315, 0.0271, 0.0101,
                                       0.0101, 0.0119, 0.0101, 0.0101, 0.0101, 0.0101, 0.0101, 0.0108};
    const std::vector<double> air = {0.0501, 0.0553, 0.0501, 0.0501, 0.0502, 0.0502, 0.0501, 0.0501, 0.0501, 0.0501,
                                     0.0597, 0.0727, 0.0514, 0.0501, 0.0501, 0.0502, 0.0502, 0.0502, 0.0502, 0.0732,
                                     0.0501, 0.0502, 0.0501, 0.0501, 0.0501, 0.0501, 0.0501, 0.0637, 0.0501, 0.0501,
                                     0.0501, 0.0501, 0.05,   0.0501, 0.0501, 0.0501, 0.0501, 0.0501};
    const ComputingChange change = change_of(ocean);
    REQUIRE(change.parts.size() == 2);
    CHECK(change.parts[0].last_step == 18);
    CHECK(change.parts[1].first_step == 19);
    CHECK(change_of(air).parts.empty());
}

// The same on a busier machine: the last five steps of the ocean and the first five of the atmosphere are disturbed
// more.
TEST_CASE("a few disturbed steps at an end are no part, but a spin-up is") {
    const std::vector<double> ocean = {0.2017, 0.2001, 0.201,  0.2001, 0.2001, 0.2046, 0.2001, 0.2034, 0.2045, 0.2001,
                                       0.2078, 0.2018, 0.2001, 0.206,  0.2001, 0.2001, 0.2001, 0.2001, 0.0101, 0.0107,
                                       0.0101, 0.0108, 0.0101, 0.0101, 0.0101, 0.0101, 0.0145, 0.0108, 0.0117, 0.0101,
                                       0.0124, 0.0119, 0.0125, 0.016,  0.0152, 0.0101, 0.015,  0.0101};
    const std::vector<double> air = {0.0503, 0.0782, 0.054,  0.0725, 0.06,   0.0501, 0.0501, 0.0518, 0.0501, 0.0519,
                                     0.0501, 0.0533, 0.0505, 0.0752, 0.0501, 0.0513, 0.0507, 0.0501, 0.0501, 0.0501,
                                     0.0501, 0.0501, 0.0501, 0.0501, 0.0501, 0.0501, 0.0501, 0.0501, 0.0507, 0.0501,
                                     0.0501, 0.0501, 0.0501, 0.0844, 0.0501, 0.0501, 0.0501, 0.0501};
    const ComputingChange change = change_of(ocean);
    REQUIRE(change.parts.size() == 2);
    CHECK(change.parts[0].last_step == 18);
    CHECK(change_of(air).parts.empty());
    std::vector<double> spin_up = air;
    for (std::size_t i = 0; i < 5; ++i)
        spin_up[i] = 0.1;
    REQUIRE(change_of(spin_up).parts.size() == 2);
    CHECK(change_of(spin_up).parts[0].last_step == 5);
}

// Half of the steps between two quarters that are alike is no stall.
TEST_CASE("three regimes, of which the first and the last are alike") {
    Noise noise(6, 0.02);
    const ComputingChange change =
        computing_change(steps(80, [&](int i) { return (i < 20 || i >= 60 ? 0.2 : 0.3) * noise(); }));
    REQUIRE(change.parts.size() == 3);
    CHECK(change.parts[1].first_step == 21);
    CHECK(change.parts[1].last_step == 60);
}

TEST_CASE("every third step heavier is a pattern, and no change") {
    Noise noise(2, 0.03);
    const ComputingChange change =
        computing_change(steps(60, [&](int i) { return (i % 3 == 1 ? 0.5 : 0.2) * noise(); }));
    CHECK(change.parts.empty());
    CHECK(change.pattern.period == 3);
    CHECK(change.pattern.heavy_steps == 1);
    CHECK(change.pattern.heavy_s == Approx(0.5).epsilon(0.03));
    CHECK(change.pattern.other_s == Approx(0.2).epsilon(0.03));
}

TEST_CASE("day and night: half of the steps in a row") {
    Noise noise(3, 0.02);
    const ComputingChange change =
        computing_change(steps(120, [&](int i) { return (i % 24 < 12 ? 0.3 : 0.2) * noise(); }));
    CHECK(change.parts.empty());
    CHECK(change.pattern.period == 24);
    CHECK(change.pattern.heavy_steps == 12);
}

TEST_CASE("a pattern in two regimes") {
    Noise noise(4, 0.01);
    const ComputingChange change =
        computing_change(steps(120, [&](int i) { return (i < 60 ? 3 : 1) * (i % 4 == 0 ? 0.25 : 0.15) * noise(); }));
    CHECK(change.parts.size() == 2);
    CHECK(change.pattern.period == 4);
}

TEST_CASE("what no run is told about: one stalled step, less than a tenth, next to nothing, too few steps") {
    const auto is_told = [](const ComputingChange &change) {
        return !change.parts.empty() || change.pattern.period > 0;
    };
    Noise noise(5, 0.01);
    CHECK_FALSE(is_told(computing_change(steps(40, [&](int i) { return (i == 20 ? 5 : 0.2) * noise(); }))));
    CHECK_FALSE(is_told(computing_change(steps(40, [&](int i) { return (i < 20 ? 0.2 : 0.19) * noise(); }))));
    // 0.01 s more of steps of a second, though twice the computing.
    CHECK_FALSE(is_told(computing_change(steps(40, [&](int i) { return (i < 20 ? 0.02 : 0.01) * noise(); }))));
    CHECK_FALSE(is_told(computing_change(steps(1, [](int) { return 0.2; }))));
    CHECK_FALSE(is_told(computing_change({})));
}

TEST_CASE("changes that were found beforehand are those that are found here, but for what is left out meanwhile") {
    CoupledRun run;
    run.components.resize(4);
    for (int c = 0; c < 4; ++c) {
        run.components[static_cast<std::size_t>(c)].id = c + 5;
        run.components[static_cast<std::size_t>(c)].balance = // 5 and 7 change
            steps(40, [&](int i) { return c % 2 == 0 && i < 20 + c ? 0.4 : 0.2; });
    }
    std::vector<ComputingChange> beforehand;
    for (const Component &component : run.components)
        beforehand.push_back(computing_change(component.balance));
    const std::vector<ComputingChange> both = computing_changes(run, beforehand);
    REQUIRE(both.size() == 2);
    CHECK(both[0].component == 5);
    CHECK(both[1].component == 7);
    CHECK(both[0].parts.at(1).first_step == 21);
    CHECK(both[1].parts.at(1).first_step == 23);
    CHECK(computing_changes(run).size() == 2);
    run.components[0].balance = {}; // as a component that only sets up
    const std::vector<ComputingChange> one = computing_changes(run, beforehand);
    REQUIRE(one.size() == 1);
    CHECK(one[0].component == 7);
}

// The last kind is more than models show: three of a hundred.
TEST_CASE("noise alone, also if it is correlated, is told in less than one of a hundred runs") {
    const auto runs = static_cast<unsigned>(simulator::from_environment("CPL_LB_SIMULATED_MODELS", 300));
    for (const double memory : {0.0, 0.5, 0.8}) {
        for (const double size : {0.01, 0.05, 0.2}) {
            unsigned told = 0;
            for (unsigned seed = 1; seed <= runs; ++seed) {
                Noise noise(seed, size, memory);
                const int count = 20 + static_cast<int>(seed % 5) * 70;
                const ComputingChange change = computing_change(steps(count, [&](int) { return 0.3 * noise(); }));
                told += !change.parts.empty() || change.pattern.period > 0 ? 1 : 0;
            }
            if (simulator::tells_figures())
                std::printf("noise of %.2f, correlation %.1f: told in %u of %u runs\n", size, memory, told, runs);
            INFO("noise of " << size << ", correlation " << memory);
            CHECK(told <= (memory > 0.7 && size > 0.1 ? 4 : 1) * runs / 100);
        }
    }
}
