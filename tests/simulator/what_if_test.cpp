// What a change to a model brings, predicted from a run of the unchanged model, against the changed model itself: a
// lag, a rarer exchange, a faster component, faster transfers, no imbalance. 500 models for each.
#include "analysis/waiting_share.hpp"
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

struct Changed {
    Model model;
    Changes changes; // the same, in the words of the library
};

// What `ask` makes of 500 models, each changed before by `change`. `refusals`: some runs cannot tell, or end in a
// ring.
template <class Ask, class Change = void (&)(Model &, Random &)>
void check_models(const char *what, bool refusals, Ask ask, Change change = as_made) {
    Score score;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const auto one = case_of(seed, change);
        if (!one) continue;
        const Changed changed = ask(*one, seed);
        const auto truth = ratio_of(changed.model, *one);
        try {
            const double predicted = what_if(one->run, one->measured, changed.changes).ratio;
            if (truth)
                score.add(predicted, *truth, seed, what);
            else {
                ++score.missed_rings;
                std::printf("%s %lu: ring missed\n", what, static_cast<unsigned long>(seed));
            }
        } catch (const PredictionError &error) {
            ++(truth ? score.refused : score.rings);
            if (truth) std::printf("%s %lu: %s\n", what, static_cast<unsigned long>(seed), error.what());
        }
    }
    expect(score, what);
    if (!refusals) CHECK(score.refused + score.rings + score.missed_rings == 0);
}

// Whether the length of a step is what this part computes, with and without the change.
bool alone_on_path(const Model &changed, const Case &one, std::size_t part) {
    const auto computes_all = [&](const Model &model) {
        const double seconds = model.parts[part].law.seconds(static_cast<double>(one.counts[part]));
        return seconds >= 0.99 * step_seconds(model, one.counts);
    };
    return computes_all(one.model) && computes_all(changed);
}

} // namespace

TEST_CASE("a component twice as fast", "[long]") {
    check_models("twice as fast", false, [](const Case &one, std::uint64_t seed) {
        const std::size_t part = seed % one.model.parts.size();
        Changed changed{one.model, {}};
        changed.model.parts[part].law.seconds = [law = one.model.parts[part].law.seconds](double p) {
            return law(p) / 2;
        };
        changed.changes.speeds = {{one.model.parts[part].name, "", 2}};
        return changed;
    });
}

TEST_CASE("a lag of one step more", "[long]") {
    check_models("lag", true, [](const Case &one, std::uint64_t seed) {
        const std::size_t e = seed % one.model.exchanges.size();
        Changed changed{one.model, {}};
        ++changed.model.exchanges[e].lag;
        // A send that did not wait is taken not to wait then, either: there is room for one more.
        if (changed.model.exchanges[e].in_flight > 0) ++changed.model.exchanges[e].in_flight;
        for (const MatchedExchange &m : one.measured.exchanges)
            if (field_name(one.run, m.exchange.field) == one.model.exchanges[e].field)
                changed.changes.lags = {{one.model.exchanges[e].field, m.exchange.lag + 1}};
        return changed;
    });
}

TEST_CASE("a field in every second of its exchanges", "[long]") {
    check_models("every", true, [](const Case &one, std::uint64_t seed) {
        const std::size_t e = seed % one.model.exchanges.size();
        Changed changed{one.model, {}};
        changed.model.exchanges[e].every *= 2;
        changed.changes.periods = {{one.model.exchanges[e].field, 2}};
        return changed;
    });
}

TEST_CASE("transfers that take half", "[long]") {
    const auto halved = [](const Case &one, std::uint64_t /*seed*/) {
        Changed changed{one.model, {}};
        for (simulator::Exchange &exchange : changed.model.exchanges)
            exchange.transfer_s /= 2;
        changed.changes.transfer = 0.5;
        return changed;
    };
    // Fields that are long under way.
    check_models("transfer", false, halved, [](Model &model, Random &random) {
        for (simulator::Exchange &exchange : model.exchanges)
            exchange.transfer_s = random.log_uniform(0.01, 3);
    });
}

// The fastest process needs a share less than the slowest, the others lie between evenly: balanced, each needs the
// mean.
Changed balanced(const Case &one, std::uint64_t seed) {
    const std::size_t p = seed % one.model.parts.size();
    Changed changed{one.model, {}};
    Part &part = changed.model.parts[p];
    part.law.seconds = [law = one.model.parts[p].law.seconds, imbalance = part.imbalance](double n) {
        return law(n) * (1 - imbalance / 2);
    };
    part.imbalance = 0;
    changed.changes.balanced = {{part.name}};
    return changed;
}

void join(Model &model, Random &random) {
    for (Part &part : model.parts) {
        part.joins = true;
        part.imbalance = random.uniform(0, 0.5);
    }
}

TEST_CASE("no imbalance in a component", "[long]") {
    check_models("balanced", true, balanced);
}

TEST_CASE("no imbalance in a component whose processes wait for each other inside", "[long]") {
    check_models("balanced, joins", true, balanced, join);
}

// What the verdict says that the processes of a component wait for each other, and the loop of the model without
// imbalance. If the component alone is the critical path before and after, the loop gets shorter by this; no loop
// gets shorter by more. Where processes do not wait for each other inside, it is not always seen that lateness is
// old.
TEST_CASE("the waiting inside a component is what the loop gets shorter by without it", "[long]") {
    for (const bool joins : {false, true}) {
        int asked = 0, all = 0, within_1 = 0, within_3 = 0, less = 0;
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            const auto one = joins ? case_of(seed, join) : case_of(seed);
            if (!one) continue;
            const std::size_t part = seed % one->model.parts.size();
            const Component &component = one->run.components[part];
            const Changed changed = balanced(*one, seed);
            const auto ratio = ratio_of(changed.model, *one);
            if (!ratio || !tells_imbalance(component.balance.imbalance_parts)) continue;
            const double told = waiting_inside(component).seconds / component.balance.loop_s, truth = 1 - *ratio;
            ++asked;
            less += truth > told + 0.01 ? 1 : 0;
            if (!alone_on_path(changed.model, *one, part)) continue;
            ++all;
            within_1 += std::abs(told - truth) <= 0.01 ? 1 : 0;
            within_3 += std::abs(told - truth) <= 0.03 ? 1 : 0;
            if (std::abs(told - truth) > 0.03)
                std::printf("inside %lu: %.4f told, %.4f true\n", static_cast<unsigned long>(seed), told, truth);
        }
        std::printf("waiting inside: %d of %d within 1 %%, %d within 3 %%, %d times less than the truth\n", within_1,
                    all, within_3, less);
        CHECK(all >= 50);
        CHECK(within_3 * 10 >= all * 9);
        if (joins) CHECK(within_1 * 10 >= all * 9);
        CHECK(less * 10 <= asked);
    }
}
