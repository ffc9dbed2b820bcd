// The optimiser against trying everything, and on the benchmark of section VI of Kim, Larson and Chiu.
#include "prediction/concurrency.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"
#include "tests/prediction/benchmark.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

const std::vector<std::string> three = {"ice", "atm", "ocn"};

BalanceProblem layout_problem(const Concurrency &layout, std::int64_t total) {
    BalanceProblem problem;
    for (const std::string &name : three)
        problem.allowed.push_back(multiples(name, 1, total, 1));
    problem.total = total;
    problem.computing_s = [](std::size_t c, std::int64_t n) {
        const std::array<double, 3> work = {30, 200, 90};
        const auto p = static_cast<double>(n);
        return work[c] / p + 0.3 * std::sqrt(p); // not convex everywhere, with a best count
    };
    problem.length_s = [&layout](const std::vector<double> &s) { return layout.length_s(s); };
    problem.path_shares = [&layout](const std::vector<double> &s) { return layout.path_shares(s); };
    return problem;
}

double best_by_trying(const BalanceProblem &p, Objective objective) {
    double best = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 1; i <= p.total; ++i) {
        for (std::int64_t j = 1; i + j <= p.total; ++j) {
            for (std::int64_t k = 1; i + j + k <= p.total; ++k) {
                const double s = p.length_s({p.computing_s(0, i), p.computing_s(1, j), p.computing_s(2, k)});
                best = std::min(best, objective == Objective::time ? s : s * static_cast<double>(i + j + k));
            }
        }
    }
    return best;
}

} // namespace

TEST_CASE("the benchmark's iteration times, worked out by another program from the same curves") {
    const CouplingGraph day = benchmark_day();
    const auto seconds = [&](const std::vector<std::int64_t> &counts) {
        return day.length_s(benchmark_times(counts));
    };
    CHECK(seconds({16, 64, 80, 16, 32}) == Approx(22.984).margin(0.0006)); // the paper measured 22.07
    CHECK(seconds({42, 42, 42, 41, 41}) == Approx(33.446).margin(0.0006)); // 32.30
    CHECK(seconds({10, 40, 50, 10, 98}) == Approx(34.427).margin(0.0006)); // 34.81
    CHECK(seconds({6, 24, 78, 6, 10}) == Approx(51.192).margin(0.0006));   // 50.26
    CHECK(seconds({8, 56, 38, 4, 18}) == Approx(36.165).margin(0.0006));   // 36.18
}

TEST_CASE("as good as trying all counts, for time and for cost") {
    for (const char *text : {"max(ice+atm,ocn)", "max(ice,atm,ocn)", "ice+max(atm,ocn)", "ice+atm+ocn"}) {
        const Concurrency layout(text, three);
        const BalanceProblem problem = layout_problem(layout, 40);
        for (const Objective objective : {Objective::time, Objective::cost}) {
            const BalanceAnswer answer = balance(problem, objective);
            INFO(text);
            CHECK(answer.proven_optimal);
            CHECK(answer.cores() <= 40);
            const double value =
                objective == Objective::time ? answer.seconds : answer.seconds * static_cast<double>(answer.cores());
            CHECK(value == Approx(best_by_trying(problem, objective)).epsilon(1e-8));
        }
    }
}

TEST_CASE("allowed counts and blocks are kept; what cannot be is refused") {
    const Concurrency layout("max(ice+atm,ocn)", three);
    BalanceProblem problem = layout_problem(layout, 40);
    problem.allowed[1].counts = {8, 16, 24};
    problem.allowed[2] = multiples("ocn", 5, 40, 4); // from 8
    const BalanceAnswer answer = balance(problem, Objective::time);
    CHECK(answer.counts[1] % 8 == 0);
    CHECK(answer.counts[2] % 4 == 0);
    CHECK(answer.counts[2] >= 8);
    problem.total = 16; // 1 + 8 + 8 = 17
    CHECK_THROWS_AS(balance(problem, Objective::time), PredictionError);
    CHECK_THROWS_AS(multiples("ocn", 5, 7, 4), PredictionError);
}

TEST_CASE("section VI: no worse than the counts that its developers found") {
    const CouplingGraph day = benchmark_day();
    const BalanceAnswer large = balance(benchmark_problem(day, 208), Objective::time, 2000);
    CHECK(large.seconds < 22.496); // figure 5: (18, 64, 78, 7, 41)
    CHECK(large.gap < 0.005);
    const BalanceAnswer small = balance(benchmark_problem(day, 124), Objective::time, 2000);
    CHECK(small.seconds < 35.234); // figure 6: (12, 48, 46, 2, 16)
    CHECK(small.gap < 0.005);
}

TEST_CASE("section VI: the best counts from eight measured ones by the default curve") {
    const CouplingGraph day = benchmark_day();
    std::vector<ScalingCurve> curves;
    for (std::size_t c = 0; c < 5; ++c) {
        std::vector<ScalingSample> samples;
        for (const double p : {2, 4, 8, 16, 32, 64, 128, 208})
            samples.push_back({p, benchmark_seconds(c, p)});
        curves.emplace_back(samples);
    }
    BalanceProblem problem = benchmark_problem(day, 208);
    problem.computing_s = [&](std::size_t c, std::int64_t n) {
        return curves[c].seconds(static_cast<double>(n), CurveForm::measured);
    };
    const BalanceAnswer answer = balance(problem, Objective::time, 2000);
    // The optimum of the true curves is 21.849 s, worked out by another program.
    const double truth = day.length_s(benchmark_times(answer.counts));
    CHECK(truth >= 21.849 - 0.0006);
    CHECK(truth <= 21.849 * 1.005);
    CHECK(answer.seconds == Approx(truth).epsilon(0.005));
}

TEST_CASE("more cores: never slower, and the front falls") {
    const Concurrency layout("max(ice+atm,ocn)", three);
    const std::vector<BalanceAnswer> front = pareto_front(on_one_kind(layout_problem(layout, 64)), 1000, 8);
    REQUIRE(front.size() > 2);
    for (std::size_t i = 1; i < front.size(); ++i) {
        CHECK(front[i].seconds < front[i - 1].seconds);
        CHECK(front[i].cores() > front[i - 1].cores());
    }
}

TEST_CASE("layouts in words") {
    const std::vector<std::string> names = {"ice", "lnd", "atm", "ocn"};
    const Concurrency layout("max( max(ice,lnd) + atm , ocn )", names);
    CHECK(layout.length_s({1, 2, 3, 4}) == 5);
    CHECK(layout.path_shares({1, 2, 3, 4}) == std::vector<double>{0, 1, 1, 0});
    CHECK(layout.path_shares({1, 2, 3, 9}) == std::vector<double>{0, 0, 0, 1});
    for (const char *wrong : {"", "ice", "max(ice,lnd,atm,ocn", "max(ice,lnd)+atm+ocn)", "ice+lnd+atm+ocn+ice",
                              "ice+lnd+atm+wave", "ice++lnd+atm+ocn"})
        CHECK_THROWS_AS(Concurrency(wrong, names), PredictionError);
    // Somebody's mistake, not a layout; it must not take the stack.
    const std::string deep(100000, '(');
    CHECK_THROWS_WITH(Concurrency(deep, names), Catch::Contains("too many parentheses"));
}

TEST_CASE("a layout with steps on cores of their own, and names that hold its sign") {
    // One after the other in time, 1 + 2 + 4, beside 5; only b and c share their cores.
    const std::vector<std::string> four = {"a", "b", "c", "ocn"};
    const Concurrency layout("max(a > b+c, ocn)", four);
    CHECK(layout.length_s({1, 2, 4, 5}) == Approx(7));
    CHECK(layout.path_shares({1, 2, 4, 5}) == std::vector<double>{1, 1, 1, 0});
    CHECK(layout.pool().in_turn(1, 2, 4));
    CHECK_FALSE(layout.pool().in_turn(0, 1, 4));
    CHECK(Concurrency("x>y>x", {"x>y", "x"}).length_s({1, 2}) == Approx(3));
}
