// From a seed to runs, to the library's advice, to the truth.
#include "tests/simulator/targets.hpp"

#include "prediction/balance_model.hpp"
#include "prediction/curve_samples.hpp"
#include "prediction/optimiser.hpp"
#include "tests/simulator/as_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace cpl_lb::simulator {
namespace {

// So many cores that all counts can be tried.
std::int64_t total_of(const Model &model, Random &random, bool few) {
    std::size_t free = 0;
    std::int64_t least = 0; // one of each, and what an I/O server holds
    for (const Part &part : model.parts) {
        free += part.io_server ? 0 : 1;
        least += part.io_server ? 2 : 1;
    }
    const std::int64_t most = few ? (free <= 2   ? 80
                                     : free == 3 ? 32
                                     : free == 4 ? 18
                                                 : 12)
                                  : (free <= 2   ? 160
                                     : free == 3 ? 72
                                     : free == 4 ? 32
                                                 : 20);
    return std::max(least, random.whole(most / 2, most));
}

Counts held_of(const Model &model) {
    Counts held;
    for (const Part &part : model.parts)
        held.push_back(part.io_server ? 2 : 0);
    return held;
}

// Counts of the runs: from few to many of each component, not in step with each other.
std::vector<Counts> counts_of_runs(const Model &model, std::int64_t total, std::int64_t runs, Random &random) {
    std::vector<Counts> all(static_cast<std::size_t>(runs));
    for (const Part &part : model.parts) {
        const double low = random.uniform(1, 3);
        const double high = static_cast<double>(total) * random.uniform(0.5, 1);
        std::vector<std::int64_t> counts;
        for (std::int64_t n = 0; n < runs; ++n) {
            const double place = (static_cast<double>(n) + random.uniform(-0.3, 0.3)) / static_cast<double>(runs - 1);
            counts.push_back(std::llround(low * std::pow(high / low, std::clamp(place, 0.0, 1.0))));
        }
        const auto first = static_cast<std::size_t>(random.whole(0, runs - 1));
        const bool down = random.chance(0.5);
        for (std::size_t n = 0; n < all.size(); ++n) {
            const std::size_t place = (first + n) % all.size();
            all[n].push_back(part.io_server ? 2 : counts[down ? all.size() - 1 - place : place]);
        }
    }
    return all;
}

std::int64_t steps_of_runs(const Model &model, const TrialSettings &settings) {
    return settings.random.changing ? settings.random.steps
                                    : std::max<std::int64_t>(settings.steps, 10 * steps_of_cycle(model));
}

// A run at a time is in memory, and the first one.
BalanceModel measured_by(std::size_t runs, const std::function<CoupledRun(std::size_t)> &run) {
    BalanceModel result;
    SamplesByComponent samples;
    CoupledPart first;
    for (std::size_t n = 0; n < runs; ++n) {
        CoupledPart part = coupled_part(run(n), {});
        add_run(result, part, samples);
        if (n == 0) first = std::move(part);
    }
    settle_graph(result, first);
    result.curves = curves_of(samples, result.names);
    return result;
}

BalanceModel measure(const Model &model, const std::vector<Counts> &runs, std::int64_t steps, std::uint64_t seed) {
    return measured_by(runs.size(), [&](std::size_t n) {
        return as_coupled_run(simulate(model, runs[n], {.steps = steps, .seed = seed * 100 + n}));
    });
}

Counts recommended(const BalanceModel &model, std::int64_t total) {
    BalanceProblem problem;
    for (std::size_t c = 0; c < model.names.size(); ++c)
        problem.allowed.push_back(model.held(c) > 0 ? AllowedCounts{model.names[c], {model.held(c)}}
                                                    : multiples(model.names[c], 1, total, 1));
    problem.total = total;
    problem.computing_s = [&](std::size_t c, std::int64_t n) {
        return model.computing_s(c, n, model.threads[c], CurveForm::measured);
    };
    problem.length_s = [&](const std::vector<double> &s) { return model.length_s(s); };
    problem.path_shares = [&](const std::vector<double> &s) { return model.path_shares(s); };
    problem.pool = model.pool;
    return balance(problem, Objective::time, 2000).counts;
}

// Where runs change: against that of the first run with its own counts, because a loop of so many steps is meant.
double error_of(const Prediction &p, const Model &model, const Counts &first, const Counts &counts,
                const TrialSettings &settings) {
    const std::int64_t steps = settings.random.steps;
    if (settings.random.changing) {
        return std::abs(loop_seconds(model, counts, steps) / loop_seconds(model, first, steps) /
                            (p.predicted_s / p.measured_s) -
                        1);
    }
    return std::abs(step_seconds(model, counts) * static_cast<double>(steps_of_cycle(model)) / p.cycle_mean_s - 1);
}

// What balance recommends for the cores of the first run: its own counts, where nothing is expected to be faster.
void follow_advice(Trial &result, const Model &model, const BalanceModel &measured, const Counts &now,
                   std::int64_t steps) {
    const Counts advised = recommended(measured, std::accumulate(now.begin(), now.end(), std::int64_t{0}));
    const CurvesOfMove move = measured.move_to(advised, measured.threads);
    const double expected_s = measured.expected_s(move, CurveForm::measured);
    const double now_s = measured.measured->measured_s();
    result.uncertain = measured.uncertainty(move, CurveForm::measured);
    if (expected_s >= now_s) return;
    const double change = loop_seconds(model, advised, steps) / loop_seconds(model, now, steps) - 1;
    if (hidden_by_uncertainty(now_s, expected_s, result.uncertain)) {
        result.withheld = -change;
        return;
    }
    result.expected = expected_s / now_s - 1;
    result.may_be_slower = expected_s * (1 + result.uncertain) > now_s;
    result.slower = change;
}

// How far the predicted time is off, and what the library states, as shares.
std::pair<double, double> error_and_stated(const Model &model, const BalanceModel &measured, const Counts &first,
                                           const Counts &counts, const TrialSettings &settings) {
    const MeasuredGraph &graph = *measured.measured;
    const CurvesOfMove move = measured.move_to(counts, measured.threads);
    const Prediction p = predict(graph, factors_of(graph, move, CurveForm::measured));
    const PredictedRange range = predicted_range(graph, move, CurveForm::measured);
    return {error_of(p, model, first, counts, settings), range.uncertainty_s(p.predicted_s) / p.predicted_s};
}

Counts other_counts(const BalanceModel &measured, std::int64_t total, Random &random) {
    Counts counts;
    for (std::size_t c = 0; c < measured.names.size(); ++c) {
        const auto &samples = measured.curves[c].samples();
        const double low = samples.front().processes;
        const double high = std::min(samples.back().processes, static_cast<double>(total));
        counts.push_back(std::llround(random.log_uniform(low, high)));
    }
    return counts;
}

} // namespace

AdvisedGain advised_gain(const CoupledRun &run) {
    const BalanceModel model = measured_by(1, [&](std::size_t) { return run; });
    const MeasuredGraph &graph = *model.measured;
    const Counts counts =
        recommended(model, std::accumulate(graph.processes.begin(), graph.processes.end(), std::int64_t{0}));
    const CurvesOfMove move = model.move_to(counts, model.threads);
    const Prediction predicted = predict(graph, factors_of(graph, move, CurveForm::measured));
    return {1 - model.expected_s(move, CurveForm::measured) / graph.measured_s(),
            1 - predicted.predicted_s / predicted.measured_s};
}

Trial trial(std::uint64_t seed, const TrialSettings &settings) {
    Trial result;
    result.seed = seed;
    const Model model = random_model(seed, settings.random);
    for (const Part &part : model.parts)
        result.in_blocks = result.in_blocks || part.law.in_blocks;
    Random random(seed + 1'000'000);
    const std::int64_t total = total_of(model, random, settings.random.changing);
    const std::int64_t runs = random.whole(settings.least_runs, settings.most_runs);
    result.measured = static_cast<std::size_t>(runs);
    const std::int64_t steps = steps_of_runs(model, settings);
    const bool changing = settings.random.changing;
    try {
        const std::vector<Counts> counts = counts_of_runs(model, total, runs, random);
        const BalanceModel measured = measure(model, counts, steps, seed);
        result.recommended = recommended(measured, total);
        result.others = other_counts(measured, total, random);
        std::tie(result.predicted_error, result.stated) =
            error_and_stated(model, measured, counts.front(), result.others, settings);
        std::tie(result.best_error, result.best_stated) =
            error_and_stated(model, measured, counts.front(), result.recommended, settings);
        if (changing) follow_advice(result, model, measured, counts.front(), steps);
    } catch (const PredictionError &error) {
        result.why_not = error.what();
        return result;
    }
    const Best best = best_counts(model, total, held_of(model), changing ? steps : 0);
    result.best = best.counts;
    const double with_advice =
        changing ? loop_seconds(model, result.recommended, steps) : step_seconds(model, result.recommended);
    result.regret = with_advice / best.step_s - 1;
    return result;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
}

} // namespace cpl_lb::simulator
