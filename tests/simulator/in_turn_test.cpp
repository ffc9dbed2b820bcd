// Two components in turn on the cores of both, predicted from a run in which they were side by side, against a model
// in which they are one: its step does what the first one does, then what the second one does.
#include "prediction/changes.hpp"
#include "prediction/predictor.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/simulator/what_if_score.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

// All receives, then the computing, then all sends.
void in_one_piece(Part &part) {
    const auto those = [&](Action::What what) {
        std::vector<Action> some;
        std::copy_if(part.step.begin(), part.step.end(), std::back_inserter(some),
                     [what](const Action &a) { return a.what == what; });
        return some;
    };
    std::vector<Action> step = those(Action::What::receive);
    step.push_back(compute(1));
    const std::vector<Action> sends = those(Action::What::send);
    step.insert(step.end(), sends.begin(), sends.end());
    part.step = std::move(step);
}

// When its computing began, step by step.
std::vector<double> begins(const Run &run, std::size_t part) {
    std::vector<double> all;
    for (const Run::Node &node : run.nodes[part])
        if (node.begin_s < node.arrive_s) all.push_back(node.begin_s);
    return all;
}

// The models in turn: both on all cores of both, in the order in which their steps began in the run; in both orders
// where they began together.
std::vector<Model> in_turn(const Model &model, const Counts &counts, const Run &run, std::size_t first,
                           std::size_t second) {
    Model changed = model;
    const auto cores = static_cast<double>(counts[first] + counts[second]);
    for (const std::size_t p : {first, second})
        changed.parts[p].law.seconds = [work = model.parts[p].law.seconds(1), cores](double) { return work / cores; };
    const std::vector<double> of_first = begins(run, first), of_second = begins(run, second);
    const auto middle = static_cast<std::size_t>(run.steps / 2);
    const double together = 0.01 * step_seconds(model, counts);
    std::vector<Model> models;
    for (const double later : {-together, together}) {
        // So many steps of the second began before the middle step of the first.
        const auto before =
            std::lower_bound(of_second.begin(), of_second.end(), of_first[middle] + later) - of_second.begin();
        const std::int64_t ahead = static_cast<std::int64_t>(middle) - before;
        changed.turns = {{second, first, -ahead}, {first, second, ahead + 1}};
        models.push_back(changed);
    }
    return models;
}

// The better of the orders that can be.
double seconds_in_turn(const std::vector<Model> &models, const Counts &counts) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const Model &model : models) {
        try {
            best_s = std::min(best_s, step_seconds(model, counts));
        } catch (const BadModel &) {
            continue;
        }
    }
    return best_s;
}

} // namespace

TEST_CASE("two components in turn", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 1500 && score.all < 500; ++seed) {
        Model model = random_model(seed, {.ideal_laws = true, .io_servers = false, .imbalance = 0});
        const std::size_t first = seed % model.parts.size(), second = (first + 1) % model.parts.size();
        in_one_piece(model.parts[first]);
        in_one_piece(model.parts[second]);
        Random random(seed);
        Counts counts;
        for (std::size_t p = 0; p < model.parts.size(); ++p)
            counts.push_back(random.whole(4, 24));
        try {
            const Run recorded = simulate(model, counts, {.steps = 48, .seed = seed});
            const CoupledRun run = as_coupled_run(recorded);
            const MeasuredGraph measured = measured_graph(run);
            const double before_s = step_seconds(model, counts);
            const double truth = seconds_in_turn(in_turn(model, counts, recorded, first, second), counts) / before_s;
            if (!std::isfinite(truth)) continue;
            Changes changes;
            changes.in_turn = {{model.parts[first].name, model.parts[second].name}};
            const double predicted = what_if(measured, changed_graph(run, measured, changes)).ratio;
            score.add(predicted, truth, seed, "in turn");
        } catch (const BadModel &) {
            continue;
        } catch (const PredictionError &error) {
            ++score.refused;
            std::printf("in turn %lu: %s\n", static_cast<unsigned long>(seed), error.what());
        }
    }
    expect(score, "in turn");
}
