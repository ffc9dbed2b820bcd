// The best numbers of nodes of several kinds against trying all of them, in random small cases.
#include "prediction/concurrency.hpp"
#include "prediction/kinds_model.hpp"
#include "prediction/optimiser.hpp"
#include "tests/prediction/benchmark.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

using namespace cpl_lb;
using namespace cpl_lb::test;
using cpl_lb::simulator::Random;

namespace {

const std::vector<std::string> names = {"atm", "ocn", "ice"};
// The parts of a layout run one after the other: the nodes of each kind are the most of any part.
const std::vector<std::string> layouts = {"max(atm,ocn,ice)", "max(atm,ocn)+ice", "max(atm+ice,ocn)", "atm+ocn+ice",
                                          "atm+max(ocn,ice)"};

std::int64_t on_kind(const std::string &layout, std::int64_t atm, std::int64_t ocn, std::int64_t ice) {
    if (layout == layouts[0]) return atm + ocn + ice;
    if (layout == layouts[1]) return std::max(atm + ocn, ice);
    if (layout == layouts[2]) return std::max(atm, ice) + ocn;
    if (layout == layouts[3]) return std::max({atm, ocn, ice});
    return std::max(atm, ocn + ice);
}

double length_of(const std::string &layout, double atm, double ocn, double ice) {
    if (layout == layouts[0]) return std::max({atm, ocn, ice});
    if (layout == layouts[1]) return std::max(atm, ocn) + ice;
    if (layout == layouts[2]) return std::max(atm + ice, ocn);
    if (layout == layouts[3]) return atm + ocn + ice;
    return atm + std::max(ocn, ice);
}

struct Tried {
    double seconds = std::numeric_limits<double>::infinity(), value = seconds, weight = seconds;
};

// One layout of components on nodes, in the words of this test alone.
struct Laid {
    std::vector<std::size_t> kind;
    std::vector<std::int64_t> nodes;
    std::vector<double> s;
};

// What a way to lay them costs; an empty optional where it does not fit. atm and ocn are a pair where `shared`: their
// nodes count once.
void try_one(const KindsProblem &p, const std::string &layout, bool shared, Objective goal, const Laid &laid,
             Tried &best) {
    const std::vector<std::size_t> &kind = laid.kind;
    const std::vector<std::int64_t> &nodes = laid.nodes;
    const std::vector<double> &s = laid.s;
    const double seconds = length_of(layout, s[0], s[1], s[2]);
    double weight = 0, joules = 0;
    for (std::size_t k = 0; k < p.kinds.size(); ++k) {
        const auto on = [&](std::size_t c) { return kind[c] == k ? nodes[c] : 0; };
        const std::int64_t taken = on_kind(layout, on(0), shared ? 0 : on(1), on(2));
        if (taken > p.kinds[k].nodes) return;
        weight += p.weights[k] * static_cast<double>(taken);
        joules += p.power[k].idle_W * seconds * static_cast<double>(taken);
        for (std::size_t c = 0; c < 3; ++c)
            joules += (p.power[k].busy_W - p.power[k].idle_W) * static_cast<double>(on(c)) * s[c];
    }
    if (seconds > p.most_seconds) return;
    const double value = goal == Objective::time ? seconds : goal == Objective::cost ? seconds * weight : joules;
    const bool same = std::abs(value - best.value) <= 1e-9 * best.value;
    if (value < best.value && !same) best.weight = weight;
    if (same) best.weight = std::min(best.weight, weight);
    best.value = std::min(best.value, value);
}

Tried best_by_trying(const KindsProblem &p, const std::string &layout, bool shared, Objective goal) {
    Tried best;
    Laid laid{std::vector<std::size_t>(3), std::vector<std::int64_t>(3), std::vector<double>(3)};
    const std::function<void(std::size_t)> next = [&](std::size_t c) {
        if (c == 3) {
            if (!shared || (laid.kind[0] == laid.kind[1] && laid.nodes[0] == laid.nodes[1]))
                try_one(p, layout, shared, goal, laid, best);
            return;
        }
        for (const OnKind &on : p.components[c]) {
            for (std::size_t i = 0; i < on.nodes.size(); ++i) {
                laid.kind[c] = on.kind;
                laid.nodes[c] = on.nodes[i];
                laid.s[c] = on.seconds[i];
                next(c + 1);
            }
        }
    };
    next(0);
    return best;
}

// Two or three kinds, each component on one or more of them; times that fall, bend up again, and jump by noise.
KindsProblem random_problem(Random &random) {
    KindsProblem p;
    const std::int64_t kinds = random.whole(1, 3);
    for (std::int64_t k = 0; k < kinds; ++k) {
        p.kinds.push_back({"kind" + std::to_string(k), random.whole(3, 9), k == 0 ? 4 : 0, 8});
        p.weights.push_back(random.chance(0.3) ? 1 : random.uniform(0.5, 12));
        const double busy = random.uniform(100, 900);
        p.power.push_back({busy, busy * random.uniform(0.3, 1)});
    }
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<OnKind> component;
        for (std::size_t k = 0; k < p.kinds.size(); ++k) {
            if (k > 0 && random.chance(0.4)) continue; // all may run on the first
            OnKind on{k, {}, {}};
            const double work = random.log_uniform(10, 200), serial = random.uniform(0, 4);
            const double rises = random.chance(0.5) ? random.uniform(0, 3) : 0, noise = random.chance(0.3) ? 0.2 : 0;
            for (std::int64_t n = 1; n <= p.kinds[k].nodes; ++n) {
                const auto x = static_cast<double>(n);
                on.nodes.push_back(n);
                on.seconds.push_back((work / x + serial + rises * x) * (1 + noise * random.uniform(-1, 1)));
            }
            component.push_back(std::move(on));
        }
        p.components.push_back(std::move(component));
    }
    return p;
}

double value_by_itself(const BalanceAnswer &answer, Objective goal) {
    return goal == Objective::time   ? answer.seconds
           : goal == Objective::cost ? answer.seconds * answer.weight
                                     : answer.energy_J;
}

// atm and ocn on the first kind, ice on the others; false where it may have no other.
bool ice_elsewhere(KindsProblem &p) {
    if (p.components[2].size() == 1) return false;
    p.components[0].resize(1);
    p.components[1].resize(1);
    p.components[2].erase(p.components[2].begin());
    return true;
}

void check_against_all(int cases) {
    Random random(20261128);
    for (int n = 0; n < cases; ++n) {
        KindsProblem problem = random_problem(random);
        const std::string &text = layouts[static_cast<std::size_t>(random.whole(0, 4))];
        const Concurrency layout(text, names);
        problem.length_s = [&](const std::vector<double> &s) { return layout.length_s(s); };
        problem.path_shares = [&](const std::vector<double> &s) { return layout.path_shares(s); };
        problem.pool = layout.pool();
        // Halves of the same nodes, in either order. ice is beside both, or in turn with both, or on another kind.
        const bool one_half = text == layouts[2] || text == layouts[4];
        const bool shared = random.chance(0.5) && (!one_half || ice_elsewhere(problem));
        if (shared)
            problem.shared = {random.chance(0.5) ? std::pair<std::size_t, std::size_t>{0, 1}
                                                 : std::pair<std::size_t, std::size_t>{1, 0}};
        for (const Objective goal : {Objective::time, Objective::cost, Objective::energy}) {
            const Tried tried = best_by_trying(problem, text, shared, goal);
            INFO("case " << n << ", " << text << (shared ? ", shared" : "") << ", goal " << static_cast<int>(goal));
            if (!std::isfinite(tried.value)) {
                CHECK_THROWS_AS(balance(problem, goal), PredictionError);
                continue;
            }
            const BalanceAnswer answer = balance(problem, goal);
            CHECK(answer.proven_optimal);
            CHECK(value_by_itself(answer, goal) == Approx(tried.value).epsilon(1e-8));
            if (goal == Objective::time) CHECK(answer.weight == Approx(tried.weight).epsilon(1e-8));
            for (std::size_t k = 0; k < problem.kinds.size(); ++k)
                CHECK(answer.taken[k] <= problem.kinds[k].nodes);
        }
    }
}

} // namespace

TEST_CASE("kinds of nodes: as good as trying all counts and all kinds in a few cases") {
    check_against_all(20);
}

TEST_CASE("kinds of nodes: as good as trying all counts and all kinds", "[long]") {
    check_against_all(300);
}

TEST_CASE("time against price: no layout beats a point of the front in both") {
    Random random(7);
    for (int n = 0; n < 20; ++n) {
        KindsProblem problem = random_problem(random);
        const Concurrency layout(layouts[0], names);
        problem.length_s = [&](const std::vector<double> &s) { return layout.length_s(s); };
        problem.path_shares = [&](const std::vector<double> &s) { return layout.path_shares(s); };
        problem.pool = layout.pool();
        if (!std::isfinite(best_by_trying(problem, layouts[0], false, Objective::time).value)) continue;
        const std::vector<BalanceAnswer> front = pareto_front(problem, 100'000);
        REQUIRE(!front.empty());
        CHECK(front.back().seconds ==
              Approx(best_by_trying(problem, layouts[0], false, Objective::time).value).epsilon(1e-8));
        const double cheapest = best_by_trying(problem, layouts[0], false, Objective::cost).value;
        CHECK(front.front().seconds * front.front().weight == Approx(cheapest).epsilon(1e-8));
        for (std::size_t i = 0; i < front.size(); ++i) {
            INFO("case " << n << ", point " << i);
            const double cost = front[i].seconds * front[i].weight;
            if (i > 0) {
                CHECK(front[i].seconds < front[i - 1].seconds);
                CHECK(cost >= front[i - 1].seconds * front[i - 1].weight * (1 - 1e-9));
            }
            // Nothing that is as fast is cheaper.
            problem.most_seconds = front[i].seconds * (1 + 1e-12);
            CHECK(best_by_trying(problem, layouts[0], false, Objective::cost).value == Approx(cost).epsilon(1e-8));
        }
        problem.most_seconds = front.back().seconds * 0.99;
        CHECK_THROWS_AS(balance(problem, Objective::cost), PredictionError);
    }
}

// The day of Kim, Larson and Chiu's benchmark, whose components wait for each other in a graph: two of its five may
// choose their kind. All 5-tuples are tried.
TEST_CASE("kinds of nodes in a graph of exchanges: as good as trying all") {
    const CouplingGraph day = benchmark_day();
    const IterationModel model = iteration_model(day);
    KindsProblem problem;
    problem.kinds = {{"fast", 5, 4, 16}, {"slow", 7, 0, 16}};
    for (std::size_t c = 0; c < 5; ++c) {
        std::vector<OnKind> component;
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
            if (c != kim::atm && c != kim::ocn && k == 0) continue;
            OnKind on{k, {}, {}};
            for (std::int64_t n = 1; n <= (k == 0 ? 5 : 3); ++n) {
                on.nodes.push_back(n);
                on.seconds.push_back(benchmark_seconds(c, 16.0 * static_cast<double>(n)) / (k == 0 ? 3 : 1));
            }
            component.push_back(on);
        }
        problem.components.push_back(component);
    }
    problem.length_s = model.length_s;
    problem.path_shares = model.path_shares;
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> s(5);
    const std::function<void(std::size_t, std::int64_t, std::int64_t)> next = [&](std::size_t c, std::int64_t fast,
                                                                                  std::int64_t slow) {
        if (c == 5) {
            best = std::min(best, model.length_s(s));
            return;
        }
        for (const OnKind &on : problem.components[c]) {
            for (std::size_t i = 0; i < on.nodes.size(); ++i) {
                if (on.nodes[i] > (on.kind == 0 ? fast : slow)) break;
                s[c] = on.seconds[i];
                next(c + 1, fast - (on.kind == 0 ? on.nodes[i] : 0), slow - (on.kind == 1 ? on.nodes[i] : 0));
            }
        }
    };
    next(0, 5, 7);
    const BalanceAnswer answer = balance(problem, Objective::time);
    CHECK(answer.proven_optimal);
    CHECK(answer.seconds == Approx(best).epsilon(1e-9));
    problem.long_loop = true; // by the paths that were found: the same
    CHECK(balance(problem, Objective::time).seconds == Approx(best).epsilon(1e-9));
}

TEST_CASE("a pair on halves of the same nodes has the same number of them, which count once") {
    // atm 8 / n on the GPUs, ocn 12 / n on the other cores of the same nodes, at most 4: 3 s with 4, both. With nodes
    // of their own: 2 and 2 nodes, 6 s.
    KindsProblem problem;
    problem.kinds = {{"gpu", 4, 4, 72}};
    problem.components = {{{0, {1, 2, 3, 4}, {8, 4, 8.0 / 3, 2}}}, {{0, {1, 2, 3, 4}, {12, 6, 4, 3}}}};
    problem.length_s = [](const std::vector<double> &s) { return std::max(s[0], s[1]); };
    problem.path_shares = [](const std::vector<double> &s) {
        return s[0] > s[1] ? std::vector<double>{1, 0} : std::vector<double>{0, 1};
    };
    CHECK(balance(problem, Objective::time).seconds == Approx(6));
    problem.shared = {{0, 1}};
    const BalanceAnswer answer = balance(problem, Objective::time);
    CHECK(answer.seconds == Approx(3));
    CHECK(answer.counts == std::vector<std::int64_t>{4, 4});
    CHECK(answer.taken == std::vector<std::int64_t>{4});
    CHECK(answer.weight == Approx(4));
}

TEST_CASE("of equally fast layouts the one with the fewest nodes") {
    // atm decides with all its 3 nodes: 10 s. ocn 40 / n needs 4 of 200 for that.
    KindsProblem problem;
    problem.kinds = {{"gpu", 3, 4, 72}, {"cpu", 200, 0, 128}};
    OnKind ocn{1, {}, {}};
    for (std::int64_t n = 1; n <= 200; ++n) {
        ocn.nodes.push_back(n);
        ocn.seconds.push_back(40.0 / static_cast<double>(n));
    }
    problem.components = {{{0, {1, 2, 3}, {30, 15, 10}}}, {ocn}};
    problem.length_s = [](const std::vector<double> &s) { return std::max(s[0], s[1]); };
    problem.path_shares = [](const std::vector<double> &s) {
        return s[0] > s[1] ? std::vector<double>{1, 0} : std::vector<double>{0, 1};
    };
    const BalanceAnswer answer = balance(problem, Objective::time);
    CHECK(answer.counts == std::vector<std::int64_t>{3, 4});
    CHECK(answer.seconds == Approx(10));
}

// Three components and 300 nodes: so few boxes that it answers at once.
TEST_CASE("300 nodes of two kinds are answered by few boxes") {
    const Concurrency layout("max(atm,ocn,ice)", names);
    KindsProblem problem;
    problem.kinds = {{"gpu", 100, 4, 72}, {"cpu", 200, 0, 128}};
    problem.weights = {12, 1};
    problem.power = {{2000, 800}, {700, 300}};
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<OnKind> component;
        for (std::size_t k = 0; k < 2; ++k) {
            OnKind on{k, {}, {}};
            for (std::int64_t n = 1; n <= problem.kinds[k].nodes; ++n) {
                const auto x = static_cast<double>(n);
                on.nodes.push_back(n);
                on.seconds.push_back((k == 0 ? 200 : 1500) * (c == 0 ? 5.0 : 1) / x + 0.4 + 0.01 * x);
            }
            component.push_back(on);
        }
        problem.components.push_back(component);
    }
    problem.pool = layout.pool();
    problem.length_s = [&](const std::vector<double> &s) { return layout.length_s(s); };
    problem.path_shares = [&](const std::vector<double> &s) { return layout.path_shares(s); };
    for (const Objective goal : {Objective::time, Objective::cost, Objective::energy}) {
        const BalanceAnswer answer = balance(problem, goal);
        INFO(static_cast<int>(goal) << ": " << answer.evaluated);
        CHECK(answer.proven_optimal);
        CHECK(answer.evaluated < 20'000);
    }
}

namespace {

// atm and ocn in max(atm,ocn), each on 4 nodes of 4 GPUs and 72 cores.
KindsModel model_of_pair(double factor) {
    KindsModel model;
    model.run.names = {"atm", "ocn"};
    model.run.layout.emplace("max(atm,ocn)", model.run.names);
    model.run.pool = model.run.layout->pool();
    model.kinds = {{"gpu", 4, 4, 72}};
    model.kept_nodes = {0};
    model.allowed_nodes.resize(2);
    model.halves = {{0, 1, factor}};
    return model;
}

NodeSample sample(std::size_t component, double nodes, double seconds, bool sharing) {
    return {component, 0, nodes, sharing, false, {1, seconds}};
}

} // namespace

TEST_CASE("what sharing a node costs: measured, given, or not known") {
    std::vector<NodeSample> samples = {sample(0, 1, 8, false), sample(0, 4, 2, false), sample(1, 1, 12, false),
                                       sample(1, 4, 3, false)};
    NodePairs not_measured;
    KindsModel apart = model_of_pair(unknown);
    enter_curves(apart, samples, {{0}, {0}}, {}, not_measured);
    CHECK(apart.computing_s(1, 0, 4, CurveForm::measured) == Approx(3));
    CHECK_FALSE(apart.curve_on(1, 0).of_sharing);
    KindsModel given = model_of_pair(1.5);
    enter_curves(given, samples, {{0}, {0}}, {}, not_measured);
    CHECK(given.computing_s(1, 0, 4, CurveForm::measured) == Approx(4.5));
    CHECK(given.curve_on(0, 0).units == 4);  // GPUs
    CHECK(given.curve_on(1, 0).units == 68); // 72 cores, less one for each GPU
    // A run that had both so: its times count alone, and without the factor.
    samples.push_back(sample(0, 2, 5, true));
    samples.push_back(sample(1, 2, 9, true));
    KindsModel measured = model_of_pair(1.5);
    enter_curves(measured, samples, {{0}, {0}}, {}, not_measured);
    CHECK(measured.curve_on(1, 0).of_sharing);
    CHECK(measured.computing_s(1, 0, 2, CurveForm::measured) == Approx(9));
    CHECK(measured.computing_s(1, 0, 4, CurveForm::measured) == Approx(4.5)); // one count: ideal scaling
    CHECK(not_measured.empty());
}

TEST_CASE("a kind of node without a time is left out, and all of them are an error") {
    KindsModel model = model_of_pair(unknown);
    model.halves.clear();
    model.kinds.push_back({"cpu", 4, 0, 128});
    model.kept_nodes.push_back(0);
    const std::vector<NodeSample> samples = {sample(0, 1, 8, false), sample(1, 1, 12, false)};
    NodePairs not_measured;
    enter_curves(model, samples, {{0}, {0, 1}}, {}, not_measured);
    CHECK(not_measured == NodePairs{{1, 1}});
    CHECK_FALSE(model.may_run_on(1, 1));
    CHECK_THROWS_AS(enter_curves(model, samples, {{1}, {0}}, {}, not_measured), PredictionError);
}
