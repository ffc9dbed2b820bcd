// The advice of balance nodes on simulated models, each part with a law of its own on each kind of node: against
// the truth, for which all layouts on both kinds are tried.
#include "prediction/kinds_model.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/simulator/targets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <limits>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

const std::vector<KindOfNode> kinds = {{"gpu", 5, 4, 72}, {"cpu", 6, 0, 8}};
constexpr std::array<std::int64_t, 2> units = {4, 8}; // GPUs, cores

struct Laid {
    std::vector<std::size_t> kind;
    Counts nodes;
};

struct ModelOnKinds {
    Model model;
    std::vector<std::array<Law, 2>> laws;

    [[nodiscard]] Model laid(const Laid &on) const {
        Model as_laid = model;
        for (std::size_t c = 0; c < laws.size(); ++c)
            as_laid.parts[c].law = laws[c][on.kind[c]];
        return as_laid;
    }
    [[nodiscard]] static Counts processes(const Laid &on) {
        Counts all;
        for (std::size_t c = 0; c < on.nodes.size(); ++c)
            all.push_back(on.nodes[c] * units[on.kind[c]]);
        return all;
    }
    [[nodiscard]] double step_s(const Laid &on) const { return step_seconds(laid(on), processes(on)); }
};

struct True {
    double least_s = std::numeric_limits<double>::infinity(), least_node_s = least_s;
};

void try_all(const ModelOnKinds &m, Laid &on, std::size_t c, True &best) {
    std::array<std::int64_t, 2> taken = {0, 0};
    for (std::size_t d = 0; d < c; ++d)
        taken[on.kind[d]] += on.nodes[d];
    if (c == m.laws.size()) {
        const double seconds = m.step_s(on);
        best.least_s = std::min(best.least_s, seconds);
        best.least_node_s = std::min(best.least_node_s, seconds * static_cast<double>(taken[0] + taken[1]));
        return;
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        for (std::int64_t n = 1; n <= kinds[k].nodes - taken[k]; ++n) {
            on.kind[c] = k;
            on.nodes[c] = n;
            try_all(m, on, c + 1, best);
        }
    }
}

// Four runs on each kind, with counts that are not in step with each other.
KindsModel measured(const ModelOnKinds &m, std::uint64_t seed) {
    const std::array<Counts, 2> counts = {Counts{1, 2, 3, 5}, Counts{1, 2, 4, 6}};
    KindsModel result;
    result.kinds = kinds;
    result.kept_nodes = {0, 0};
    std::vector<NodeSample> samples;
    CoupledPart first;
    for (std::size_t r = 0; r < 8; ++r) {
        Laid on;
        for (std::size_t c = 0; c < m.laws.size(); ++c) {
            on.kind.push_back(r / 4);
            on.nodes.push_back(counts[r / 4][(r + c) % 4]);
        }
        CoupledPart part = coupled_part(
            as_coupled_run(simulate(m.laid(on), ModelOnKinds::processes(on), {.steps = 72, .seed = seed * 100 + r})),
            {});
        SamplesByComponent of_run;
        add_run(result.run, part, of_run);
        for (std::size_t c = 0; c < m.laws.size(); ++c)
            samples.push_back({c, on.kind[c], static_cast<double>(on.nodes[c]), false, r == 0,
                               of_run.at(m.model.parts[c].name).front()});
        if (r == 0) first = std::move(part);
    }
    settle_graph(result.run, first);
    NodePairs not_measured;
    enter_curves(result, samples, std::vector<std::vector<std::size_t>>(m.laws.size(), {0, 1}), {}, not_measured);
    CHECK(not_measured.empty());
    result.allowed_nodes.resize(m.laws.size());
    return result;
}

} // namespace

TEST_CASE("two kinds of nodes: regret against the true best, and the truth within what is stated") {
    std::vector<double> regret, regret_of_nodes, stated;
    int covered = 0, models = 0;
    const std::uint64_t most = from_environment("CPL_LB_SIMULATED_MODELS", 25);
    for (std::uint64_t seed = 1; seed <= most; ++seed) {
        RandomSettings settings;
        settings.io_servers = settings.hubs = false;
        settings.most_parts = 3;
        ModelOnKinds m{random_model(seed, settings), {}};
        Random random(seed + 1000);
        for (std::size_t c = 0; c < m.model.parts.size(); ++c)
            m.laws.push_back({random_law(random, settings), random_law(random, settings)});
        True best;
        Laid on{std::vector<std::size_t>(m.laws.size()), Counts(m.laws.size())};
        try_all(m, on, 0, best);
        const KindsModel model = measured(m, seed);
        const auto answer_for = [&](Objective goal) {
            BalanceAnswer answer = balance(model.problem({1, 1}, {}), goal);
            answer.seconds = model.run.expected_s(model.move_to(answer), model.form);
            return answer;
        };
        const BalanceAnswer fastest = answer_for(Objective::time), fewest = answer_for(Objective::cost);
        const double truth = m.step_s({fastest.kind, fastest.counts});
        regret.push_back(truth / best.least_s - 1);
        regret_of_nodes.push_back(m.step_s({fewest.kind, fewest.counts}) * fewest.weight / best.least_node_s - 1);
        // Both as a ratio to the first run, whose loop the prediction is of.
        Laid now{{}, {}};
        const BalanceAnswer present = model.present();
        now = {present.kind, present.counts};
        const double predicted = fastest.seconds / present.seconds, really = truth / m.step_s(now);
        const double uncertain = model.run.uncertainty(model.move_to(fastest), model.form);
        stated.push_back(uncertain);
        covered += std::abs(predicted / really - 1) <= uncertain ? 1 : 0;
        ++models;
    }
    if (tells_figures()) {
        std::printf("regret: median %.3f %%, 95 of 100 %.2f %%, worst %.2f %%; of node hours %.3f, %.2f, %.2f %%; "
                    "covered %d of %d, stated median %.2f %%\n",
                    100 * quantile(regret, 0.5), 100 * quantile(regret, 0.95), 100 * quantile(regret, 1),
                    100 * quantile(regret_of_nodes, 0.5), 100 * quantile(regret_of_nodes, 0.95),
                    100 * quantile(regret_of_nodes, 1), covered, models, 100 * quantile(stated, 0.5));
    }
    CHECK(quantile(regret, 0.5) <= 0.003);
    CHECK(quantile(regret, 0.95) <= 0.03);
    CHECK(quantile(regret_of_nodes, 0.95) <= 0.03);
    CHECK(covered >= 0.9 * models);
}
