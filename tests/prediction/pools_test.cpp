// Components that share cores, whole nodes, energy, memory: the optimiser against trying everything.
#include "prediction/balance_model.hpp"
#include "prediction/concurrency.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/optimiser_tables.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace cpl_lb;

namespace {

const std::vector<std::string> three = {"ice", "atm", "ocn"};
using Watts = std::vector<Power>;

double tau(std::size_t c, std::int64_t n) {
    const std::array<double, 3> work = {30, 200, 90};
    const auto p = static_cast<double>(n);
    return work[c] / p + 0.3 * std::sqrt(p);
}

BalanceProblem problem_of(const Concurrency &layout, std::int64_t total, std::int64_t node_cores,
                          const Watts &watts) {
    BalanceProblem problem;
    for (const std::string &name : three)
        problem.allowed.push_back(multiples(name, 1, total, 1));
    problem.total = total;
    problem.computing_s = tau;
    problem.length_s = [&layout](const std::vector<double> &s) { return layout.length_s(s); };
    problem.path_shares = [&layout](const std::vector<double> &s) { return layout.path_shares(s); };
    problem.pool = layout.pool();
    problem.node_cores = node_cores;
    problem.power = watts;
    return problem;
}

std::int64_t nodes(std::int64_t n, std::int64_t node_cores) {
    return (n + node_cores - 1) / node_cores;
}

// Written out for each of the layouts, not with the pool.
double best_by_trying(const BalanceProblem &p, Objective objective, bool ice_with_atm) {
    double best = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 1; i <= p.total; ++i) {
        for (std::int64_t a = 1; a <= p.total; ++a) {
            for (std::int64_t o = 1; o <= p.total; ++o) {
                const std::int64_t k = p.node_cores;
                const std::int64_t ni = k * nodes(i, k), na = k * nodes(a, k), no = k * nodes(o, k);
                const std::int64_t cores = ice_with_atm ? std::max(ni, na) + no : ni + na + no;
                if (cores > p.total) continue;
                const double s = ice_with_atm ? std::max(tau(0, i) + tau(1, a), tau(2, o))
                                              : std::max({tau(0, i), tau(1, a), tau(2, o)});
                const Watts &w = p.power;
                const double idle_ice = w[0].idle_W * static_cast<double>(ni);
                const double idle_atm = w[1].idle_W * static_cast<double>(na);
                const double idle = (ice_with_atm ? std::max(idle_ice, idle_atm) : idle_ice + idle_atm) +
                                    w[2].idle_W * static_cast<double>(no);
                const auto busy = [&](std::size_t c, std::int64_t n) {
                    return (w[c].busy_W - w[c].idle_W) * static_cast<double>(n) * tau(c, n);
                };
                const double joules = s * idle + busy(0, i) + busy(1, a) + busy(2, o);
                best = std::min(best, objective == Objective::time   ? s
                                      : objective == Objective::cost ? s * static_cast<double>(cores)
                                                                     : joules);
            }
        }
    }
    return best;
}

double value_by_itself(const BalanceAnswer &answer, Objective objective) {
    return objective == Objective::time   ? answer.seconds
           : objective == Objective::cost ? answer.seconds * static_cast<double>(answer.cores())
                                          : answer.energy_J;
}

} // namespace

TEST_CASE("as good as trying all counts, with shared cores, whole nodes, and for energy") {
    const bool ice_with_atm = GENERATE(true, false);
    const std::int64_t node_cores = GENERATE(1, 5);
    const Objective objective = GENERATE(Objective::time, Objective::cost, Objective::energy);
    const Concurrency layout(ice_with_atm ? "max(ice+atm,ocn)" : "max(ice,atm,ocn)", three);
    // Where computing is dear, more cores lose by the part that does not scale; where idling is, by waiting.
    const Watts watts = GENERATE(Watts{{10, 4}, {12, 5}, {9, 9}}, Watts{{40, 1}, {30, 2}, {90, 1}});
    const BalanceProblem problem = problem_of(layout, 32, node_cores, watts);
    const BalanceAnswer answer = balance(problem, objective);
    CHECK(answer.proven_optimal);
    CHECK(answer.cores() <= 32);
    CHECK(answer.cores() % node_cores == 0);
    CHECK(value_by_itself(answer, objective) ==
          Approx(best_by_trying(problem, objective, ice_with_atm)).epsilon(1e-8));
}

TEST_CASE("pools: CESM's layout, ice and land beside each other on the atmosphere's cores") {
    const std::vector<std::string> names = {"ice", "lnd", "atm", "ocn"};
    // From who shares with whom: ice and lnd each with atm, but not with each other.
    const Sharing shares = {{2}, {2}, {0, 1}, {}};
    for (const ProcessorPool &pool : {pool_of(shares), Concurrency("max(max(ice,lnd)+atm,ocn)", names).pool()}) {
        CHECK(pool.of_all({3, 4, 10, 5}) == 15); // max(3 + 4, 10) + 5
        CHECK(pool.of_all({8, 4, 10, 5}) == 17); // max(8 + 4, 10) + 5
        // Whatever the gains: a weighted sum never says more than the pool takes.
        for (const std::vector<double> &gains : {std::vector<double>{1, 2, 3, 4}, {0, 0, 0, 0}, {5, 1, 0, 2}}) {
            const std::vector<double> w = pool.weights(gains);
            for (const std::vector<double> &n : {std::vector<double>{3, 4, 10, 5}, {8, 4, 10, 5}, {1, 20, 3, 1}})
                CHECK(w[0] * n[0] + w[1] * n[1] + w[2] * n[2] + w[3] * n[3] <= pool.of_all(n) * (1 + 1e-12));
        }
        CHECK(pool.weights({0, 0, 1, 0})[2] == 1); // all for who alone gains
        // With another number for one of them.
        const std::vector<double> each = {3, 4, 10, 5};
        const std::vector<ProcessorPool::WithOthers> others = pool.with_others(each);
        for (std::size_t c = 0; c < each.size(); ++c) {
            for (const double n : {0.0, 1.0, 6.0, 7.0, 40.0}) {
                std::vector<double> changed = each;
                changed[c] = n;
                CHECK(std::max(others[c].least, others[c].beside + n) == pool.of_all(changed));
            }
        }
    }
    CHECK(pool_of(shares).in_turn(0, 2, 4));
    CHECK_FALSE(pool_of(shares).in_turn(0, 1, 4));
    CHECK_FALSE(pool_of(shares).in_turn(2, 3, 4));
    CHECK(pool_of(shares).shared_in_words(names) == "(ice beside lnd) + atm");
    CHECK(cores_of_their_own(3).shared_in_words(three).empty());
    // A chain a-b, b-c, c-d is neither: side by side, which takes the most.
    CHECK(pool_of({{1}, {0, 2}, {1, 3}, {2}}).of_all({1, 2, 3, 4}) == 10);
}

TEST_CASE("tables of the bounds") {
    const std::vector<double> values = {5, 3, 8, 1, 9, 2, 7};
    const RangeMinimum table(values);
    for (std::size_t a = 0; a < values.size(); ++a) {
        for (std::size_t b = a; b < values.size(); ++b)
            CHECK(table.least(a, b) == *std::min_element(values.begin() + static_cast<std::ptrdiff_t>(a),
                                                         values.begin() + static_cast<std::ptrdiff_t>(b) + 1));
    }
    // Corners (4, 10), (8, 4), (12, 2): slopes -1.5 and -0.5. The faster of the two that take 4 is the corner.
    const HullOfTimes hull({4, 4, 8, 12}, {11, 10, 4, 2});
    CHECK(hull.cheapest(0, 3, 1, 1.0).taken == 8);
    CHECK(hull.cheapest(0, 3, 1, 0.4).seconds == 2);
    CHECK(hull.cheapest(0, 3, 1, 2.0).seconds == 10);
    CHECK(hull.gain(0) == 1.5);
    CHECK(hull.gain(3) == 0.5);
}

TEST_CASE("the least cores by memory") {
    // 100 GB in all, 4 GB for a core: 25.
    CHECK(least_cores({{10, 100e9}}, 4e9) == 25);
    // 110 GB with 10, 120 GB with 20: 100 + 1 p; 100 / (4 - 1) = 33.3.
    CHECK(least_cores({{10, 110e9}, {20, 120e9}}, 4e9) == 34);
    CHECK(least_cores({{10, 110e9}, {20, 120e9}}, 1e9) == 0); // each process alone fills its core's share
    // All of it for each process: 5 GB; nothing is divided, any count has room in 6 GB.
    CHECK(least_cores({{10, 50e9}, {20, 100e9}}, 6e9) == 1);
    // Less with more processes: noise, nothing is taken off for each: 110 GB on average.
    CHECK(least_cores({{10, 120e9}, {20, 100e9}}, 4e9) == 28);
    CHECK(least_cores({}, 4e9) == 1);
}

TEST_CASE("the least cores by memory and threads") {
    BalanceModel model;
    model.names = {"ocean"};
    model.threads = {1};
    model.core_memory_B = 4e9;
    model.curves.emplace_back(std::vector<ScalingSample>{{10, 1}});
    model.other_threads = {{{2, ScalingCurve({{10, 1}})}}};
    // 100 GB with one thread: 25 cores; with two threads 60 GB: 15 cores.
    model.memory = {{{10, 100e9, 1}, {10, 60e9, 2}}};
    CHECK(model.memory_floor(0, 1) == 25);
    CHECK(model.memory_floor(0, 2) == 15);
    CHECK(model.memory_floor(0) == 15);
    CHECK(model.may_have(0, 16, 2));
    CHECK_FALSE(model.may_have(0, 17, 2)); // no whole processes
    CHECK_FALSE(model.may_have(0, 24, 1));
    // With two threads nobody measured it: that of the others counts.
    model.memory = {{{10, 100e9, 1}}};
    CHECK(model.memory_floor(0, 2) == 25);
    // One thread: 5 GB for each process, more than a core has. Two threads need 60 GB in all.
    model.memory = {{{10, 50e9, 1}, {20, 100e9, 1}, {10, 60e9, 2}}};
    CHECK(model.memory_floor(0) == 15);
    CHECK_FALSE(model.may_have(0, 1000, 1));
    model.other_threads.clear();
    CHECK_THROWS_AS(model.memory_floor(0), PredictionError);
}

TEST_CASE("samples with other threads are on curves of their own") {
    const SamplesByComponent samples = {{"ocean",
                                         {{2, 20, unknown, 1},
                                          {4, 10, unknown, 1},
                                          {4, 8, unknown, 2},
                                          {8, 3, unknown, differing_threads},
                                          {16, 2.5}}}};
    // Now one thread: those that do not say theirs, too, and none whose processes differ.
    const CurvesOfThreads one = curves_of_threads(samples, {"ocean"}, {1});
    REQUIRE(one.now[0].samples().size() == 3);
    CHECK(one.now[0].samples().back().processes == 16);
    REQUIRE(one.others[0].size() == 1);
    CHECK(one.others[0][0].threads == 2);
    // 8 s on 4 cores, where one thread takes 10 s; on 2 cores 8 x 20 / 10.
    CHECK(one.others[0][0].curve.seconds(2, CurveForm::measured) == Approx(16));
    CHECK(std::isnan(one.others[0][0].curve.uncertainty(2)));
    // Processes that differ now: all of them, and nothing else to choose.
    const CurvesOfThreads all = curves_of_threads(samples, {"ocean"}, {differing_threads});
    CHECK(all.now[0].samples().size() == 4);
    CHECK(all.others[0].empty());
    const SamplesByComponent two = {{"ocean", {{4, 8, unknown, 2}}}};
    CHECK_THROWS_AS(curves_of_threads(two, {"ocean"}, {1}), PredictionError);
}
