// What a short run says of a long one, against the long run itself.
#include "analysis/cpmip.hpp"
#include "prediction/run_balance.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

constexpr std::int64_t short_steps = 60, long_steps = 600;

// Steady, without noise; some start 0 to 40 steps of 1 s late.
Model steady_model(std::uint64_t seed) {
    Model model = random_model(seed);
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
        model.parts[p].noise = 0;
        model.parts[p].course = {};
        model.parts[p].startup_s = static_cast<double>((seed * 7 + p * 13) % 40);
    }
    return model;
}

} // namespace

TEST_CASE("the time of a long run is told by a short one") {
    int told = 0, wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Model model = steady_model(seed);
        const Counts counts(model.parts.size(), 4);
        CoupledRun run = as_coupled_run(simulate(model, counts, {.steps = short_steps, .seed = seed}));
        judge_balance(run, {});
        // A "year" is what the long run simulates.
        const double step_s = run.run.simulated_s / static_cast<double>(short_steps);
        run.run.year_days = step_s * static_cast<double>(long_steps) / 86'400;
        const LongRun found = long_run_of(run);
        if (!is_known(found.year_s)) continue;
        ++told;
        const double truth_s = simulate(model, counts, {.steps = long_steps, .seed = seed}).end_s;
        if (std::abs(found.year_s / truth_s - 1) > 0.03) ++wrong;
        INFO("seed " << seed << ": " << found.year_s << " s told, " << truth_s << " s true");
        CHECK(std::abs(found.year_s / truth_s - 1) < 0.1);
    }
    WARN(told << " told, " << wrong << " off by more than 3 %");
    CHECK(told > 80);
}
