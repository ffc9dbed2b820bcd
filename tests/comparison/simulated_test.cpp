// Pairs of simulated runs with noise that remembers: false alarms, and changes that are found
// (docs/evidence/tested.md, "How often compare is right").
#include "comparison/compare_runs.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

constexpr std::int64_t steps = 500;
constexpr int pairs = 200;

// The ocean waits for the atmosphere; 3 % of noise.
Model model(double atmosphere_s, double memory) {
    Model m;
    m.parts = {{"ocean", ideal(0.7), {compute(1), send(1), receive(0)}},
               {"atmosphere", ideal(atmosphere_s), {compute(1), receive(1), send(0)}}};
    for (Part &part : m.parts) {
        part.noise = 0.03;
        part.noise_memory = memory;
    }
    m.exchanges = {{"heat", 1, 0}, {"sst", 0, 1}};
    return m;
}

CoupledRun run_of(double atmosphere_s, double memory, std::uint64_t seed) {
    return as_coupled_run(simulate(model(atmosphere_s, memory), {1, 1}, {.steps = steps, .seed = seed}));
}

struct Shares {
    double run = 0, atmosphere = 0;
};

// How often a verdict says that the run, and the atmosphere's computing, became longer (or shorter, if `any`).
Shares verdicts(double factor, double memory, bool any) {
    Shares shares;
    for (int pair = 0; pair < pairs; ++pair) {
        const auto seed = static_cast<std::uint64_t>(2 * pair) + from_environment("CPL_LB_SIMULATED_FIRST", 1);
        const Comparison c = compare_runs({run_of(1, memory, seed)}, {run_of(factor, memory, seed + 1)});
        const auto counts = [any](const Difference &d) {
            return d.larger() || (any && d.smaller()) ? 1.0 / pairs : 0;
        };
        shares.run += counts(c.length);
        shares.atmosphere += counts(c.components.at(1).computing);
    }
    if (tells_figures())
        std::printf("memory %.1f, factor %.2f: run %.3f, atmosphere %.3f\n", memory, factor, shares.run,
                    shares.atmosphere);
    return shares;
}

} // namespace

TEST_CASE("false alarms at the 95 % level stay below 7 %", "[long]") {
    const double memory = GENERATE(0.0, 0.5, 0.8);
    const Shares alarms = verdicts(1, memory, true);
    CAPTURE(memory, alarms.run, alarms.atmosphere);
    CHECK(alarms.run <= 0.07);
    CHECK(alarms.atmosphere <= 0.07);
    CHECK(alarms.run + alarms.atmosphere > 0.02); // intervals that hold everything say nothing
}

TEST_CASE("a change of 2 % is found in 90 % of the pairs", "[long]") {
    const double memory = GENERATE(0.0, 0.5, 0.7);
    const Shares found = verdicts(1.02, memory, false);
    CAPTURE(memory, found.run, found.atmosphere);
    CHECK(found.run >= 0.9);
    CHECK(found.atmosphere >= 0.9);
}
