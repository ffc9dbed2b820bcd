// Tuning of random models from one bad start: how near it comes to the true optimum, and in how many runs.
#include "prediction/tuning.hpp"

#include "prediction/predictor.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/targets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

struct Tuned {
    std::size_t runs = 0;   // until it stopped
    double regret_of_4 = 0; // of the best of the first four
    double regret = 0;      // of the best of all
    double start = 0;       // regret of the start
};

std::int64_t total_for(const Model &m) {
    return m.parts.size() <= 2 ? 64 : m.parts.size() == 3 ? 40 : 24;
}

// One component has nearly all.
Counts bad_start(const Model &m, std::int64_t total, std::uint64_t seed) {
    Counts counts(m.parts.size(), 1);
    counts[seed % m.parts.size()] = total - static_cast<std::int64_t>(m.parts.size()) + 1;
    return counts;
}

struct Measured {
    std::vector<CoupledPart> parts;
    std::vector<TunedRun> runs;
};

// The fastest run first.
BalanceModel model_of(Measured &all) {
    const std::size_t first = fastest(all.runs);
    std::swap(all.parts[0], all.parts[first]);
    std::swap(all.runs[0], all.runs[first]);
    BalanceModel model;
    SamplesByComponent samples;
    for (const CoupledPart &part : all.parts)
        add_run(model, part, samples);
    settle_graph(model, all.parts[0]);
    model.curves = curves_of(samples, model.names);
    return model;
}

Tuned tuned(std::uint64_t seed) {
    const Model m = random_model(seed, {.io_servers = false, .noise = 0.005});
    const std::int64_t total = total_for(m);
    const double best = best_counts(m, total).step_s;
    Tuned result;
    Measured all;
    Counts counts = bad_start(m, total, seed);
    const auto truth = [&](const Counts &c) { return step_seconds(m, c) / best - 1; };
    result.start = truth(counts);
    double regret = 1e9;
    for (;;) {
        regret = std::min(regret, truth(counts));
        const std::int64_t steps = std::max<std::int64_t>(72, 10 * steps_of_cycle(m));
        all.parts.push_back(coupled_part(
            as_coupled_run(simulate(m, counts, {.steps = steps, .seed = 1000 * seed + ++result.runs})), {}));
        const MeasuredGraph graph = measured_graph(all.parts.back().run);
        all.runs.push_back({counts, mean(graph.cycle.measured_s),
                            standard_deviation(graph.cycle.measured_s) /
                                std::sqrt(static_cast<double>(graph.cycle.measured_s.size()))});
        if (result.runs <= 4) result.regret_of_4 = regret;
        const BalanceModel model = model_of(all);
        BalanceProblem problem;
        for (const std::string &name : model.names)
            problem.allowed.push_back(multiples(name, 1, total, 1));
        problem.total = total;
        problem.computing_s = [&](std::size_t c, std::int64_t n) {
            return model.computing_s(c, static_cast<double>(n), CurveForm::measured);
        };
        problem.length_s = [&](const std::vector<double> &s) { return model.length_s(s); };
        problem.path_shares = [&](const std::vector<double> &s) { return model.path_shares(s); };
        problem.pool = model.pool;
        const TuningStep step = tuning_step(model, problem, all.runs, {.most_runs = 8, .boxes = 2000});
        if (step.end != TuningEnd::go_on) break;
        counts = step.counts;
    }
    result.regret = regret;
    return result;
}

} // namespace

TEST_CASE("random models from a bad start: in four runs near the best of all counts", "[long]") {
    const std::uint64_t models = from_environment("CPL_LB_SIMULATED_MODELS", 30);
    std::vector<double> of_4, of_all, runs, starts;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        const Tuned t = tuned(seed);
        of_4.push_back(t.regret_of_4);
        of_all.push_back(t.regret);
        runs.push_back(static_cast<double>(t.runs));
        starts.push_back(t.start);
        if (tells_figures()) {
            std::printf("seed %llu: start %.1f %%, after four %.2f %%, at the end %.2f %% after %zu runs\n",
                        static_cast<unsigned long long>(seed), 100 * t.start, 100 * t.regret_of_4, 100 * t.regret,
                        t.runs);
        }
    }
    if (tells_figures()) {
        std::printf(
            "start: median %.0f %%; after four: median %.2f %%, 90 of 100 %.2f %%; end: median %.2f %%, 90 of "
            "100 %.2f %%; runs: median %.0f\n",
            100 * quantile(starts, 0.5), 100 * quantile(of_4, 0.5), 100 * quantile(of_4, 0.9),
            100 * quantile(of_all, 0.5), 100 * quantile(of_all, 0.9), quantile(runs, 0.5));
    }
    CHECK(quantile(of_4, 0.5) <= 0.02);
    CHECK(quantile(of_all, 0.9) <= 0.05);
}
