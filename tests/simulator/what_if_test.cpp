// What a change to a model brings, predicted from a run of the unchanged model, against the changed model itself: a
// lag, a rarer exchange, a faster component, faster transfers, no imbalance. 500 models for each.
#include "prediction/changes.hpp"
#include "prediction/predictor.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/simulator/what_if_score.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <optional>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

struct Case {
    Model model;
    Counts counts;
    CoupledRun run;
    MeasuredGraph measured;
};

void as_made(Model & /*model*/, Random & /*random*/) {}

template <class Change = void (&)(Model &, Random &)>
std::optional<Case> case_of(std::uint64_t seed, Change change = as_made) {
    Case one;
    one.model = random_model(seed, {.io_servers = false});
    Random random(seed);
    change(one.model, random);
    for (std::size_t p = 0; p < one.model.parts.size(); ++p)
        one.counts.push_back(random.whole(4, 24));
    one.run = as_coupled_run(simulate(one.model, one.counts, {.steps = 48, .seed = seed}));
    try {
        one.measured = measured_graph(one.run);
    } catch (const PredictionError &) {
        return {};
    }
    return one;
}

// Nothing: components would wait for each other for ever.
std::optional<double> ratio_of(const Model &changed, const Case &one) {
    try {
        return step_seconds(changed, one.counts) / step_seconds(one.model, one.counts);
    } catch (const BadModel &) {
        return {};
    }
}

double predicted_ratio(const Case &one, const Changes &changes) {
    return what_if(one.run, one.measured, changes).ratio;
}

} // namespace

TEST_CASE("a component twice as fast", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        auto one = case_of(seed);
        if (!one) continue;
        const std::size_t part = seed % one->model.parts.size();
        Model changed = one->model;
        changed.parts[part].law.seconds = [law = one->model.parts[part].law.seconds](double p) { return law(p) / 2; };
        const double truth = step_seconds(changed, one->counts) / step_seconds(one->model, one->counts);
        Changes changes;
        changes.speeds = {{one->model.parts[part].name, "", 2}};
        score.add(predicted_ratio(*one, changes), truth, seed, "faster");
    }
    expect(score, "twice as fast");
}

TEST_CASE("a lag of one step more", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        auto one = case_of(seed);
        if (!one) continue;
        const std::size_t e = seed % one->model.exchanges.size();
        Model changed = one->model;
        ++changed.exchanges[e].lag;
        // A send that did not wait is taken not to wait then, either: there is room for one more.
        if (changed.exchanges[e].in_flight > 0) ++changed.exchanges[e].in_flight;
        const auto truth = ratio_of(changed, *one);
        Changes changes;
        for (const MatchedExchange &m : one->measured.exchanges)
            if (field_name(one->run, m.exchange.field) == one->model.exchanges[e].field)
                changes.lags = {{one->model.exchanges[e].field, m.exchange.lag + 1}};
        try {
            const double predicted = predicted_ratio(*one, changes);
            if (truth)
                score.add(predicted, *truth, seed, "lag");
            else {
                ++score.missed_rings;
                std::printf("lag %lu: ring missed\n", static_cast<unsigned long>(seed));
            }
        } catch (const PredictionError &error) {
            ++(truth ? score.refused : score.rings);
            if (truth) std::printf("lag %lu: %s\n", static_cast<unsigned long>(seed), error.what());
        }
    }
    expect(score, "lag");
}

TEST_CASE("a field in every second of its exchanges", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        auto one = case_of(seed);
        if (!one) continue;
        const std::size_t e = seed % one->model.exchanges.size();
        Model changed = one->model;
        changed.exchanges[e].every *= 2;
        const auto truth = ratio_of(changed, *one);
        Changes changes;
        changes.periods = {{one->model.exchanges[e].field, 2}};
        try {
            const double predicted = predicted_ratio(*one, changes);
            if (truth)
                score.add(predicted, *truth, seed, "every");
            else
                ++score.missed_rings;
        } catch (const PredictionError &error) {
            ++(truth ? score.refused : score.rings);
            if (truth) std::printf("every %lu: %s\n", static_cast<unsigned long>(seed), error.what());
        }
    }
    expect(score, "every");
}

// Fields that are long under way.
TEST_CASE("transfers that take half", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        auto one = case_of(seed, [](Model &model, Random &random) {
            for (simulator::Exchange &exchange : model.exchanges)
                exchange.transfer_s = random.log_uniform(0.01, 3);
        });
        if (!one) continue;
        Model changed = one->model;
        for (simulator::Exchange &exchange : changed.exchanges)
            exchange.transfer_s /= 2;
        const auto truth = ratio_of(changed, *one);
        Changes changes;
        changes.transfer = 0.5;
        score.add(predicted_ratio(*one, changes), *truth, seed, "transfer");
    }
    expect(score, "transfer");
}

// The fastest process needs a share less than the slowest, the others lie between evenly: balanced, each needs the
// mean.
TEST_CASE("no imbalance in a component", "[long]") {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        auto one = case_of(seed);
        if (!one) continue;
        const std::size_t p = seed % one->model.parts.size();
        Model changed = one->model;
        Part &part = changed.parts[p];
        part.law.seconds = [law = one->model.parts[p].law.seconds, imbalance = part.imbalance](double n) {
            return law(n) * (1 - imbalance / 2);
        };
        part.imbalance = 0;
        const auto truth = ratio_of(changed, *one);
        Changes changes;
        changes.balanced = {{part.name}};
        try {
            score.add(predicted_ratio(*one, changes), *truth, seed, "balanced");
        } catch (const PredictionError &error) {
            std::printf("balanced %lu: %s\n", static_cast<unsigned long>(seed), error.what());
            ++score.refused;
        }
    }
    expect(score, "balanced");
}
