// Whether advice holds where it is tried: regret of balance and coverage of predict on random models.
#include "simulator/targets.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

using namespace cpl_lb::simulator;

namespace {

// CPL_LB_SIMULATED_MODELS=500 for the figures of docs/predict.md; CPL_LB_SIMULATED_FIRST for other seeds.
std::uint64_t from_environment(const char *name, std::uint64_t otherwise) {
    const char *text = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Figures {
    std::vector<double> regret, regret_of_blocks, stated;
    int answered = 0, covered = 0, refused = 0;
};

Figures figures_of(const TrialSettings &settings) {
    const std::uint64_t models = from_environment("CPL_LB_SIMULATED_MODELS", 60);
    const std::uint64_t first = from_environment("CPL_LB_SIMULATED_FIRST", 1);
    const bool tell = std::getenv("CPL_LB_SIMULATED_TELL") != nullptr; // NOLINT(concurrency-mt-unsafe)
    Figures figures;
    for (std::uint64_t seed = first; seed < first + models; ++seed) {
        const Trial t = trial(seed, settings);
        if (!t.why_not.empty()) {
            ++figures.refused;
            UNSCOPED_INFO("seed " << seed << " refused: " << t.why_not);
            if (tell) std::printf("seed %d refused: %s\n", static_cast<int>(seed), t.why_not.c_str());
            continue;
        }
        ++figures.answered;
        (t.in_blocks ? figures.regret_of_blocks : figures.regret).push_back(t.regret);
        figures.stated.push_back(t.stated);
        figures.covered += t.predicted_error <= t.stated ? 1 : 0;
        if (t.regret > 0.03 || t.predicted_error > t.stated) {
            UNSCOPED_INFO("seed " << seed << ": regret " << t.regret << ", predicted off by " << t.predicted_error
                                  << ", stated " << t.stated);
            if (tell)
                std::printf("seed %d: regret %.4f, off by %.4f, stated %.4f\n", static_cast<int>(seed), t.regret,
                            t.predicted_error, t.stated);
        }
    }
    if (tell)
        std::printf("%d answered, %d refused; regret: median %.3f %%, 95 of 100 %.2f %%, worst %.1f %%; covered "
                    "%.1f %%, stated: median %.2f %%, 90 of 100 %.1f %%\n",
                    figures.answered, figures.refused, 100 * quantile(figures.regret, 0.5),
                    100 * quantile(figures.regret, 0.95), 100 * quantile(figures.regret, 1),
                    100.0 * figures.covered / figures.answered, 100 * quantile(figures.stated, 0.5),
                    100 * quantile(figures.stated, 0.9));
    return figures;
}

} // namespace

TEST_CASE("regret of the recommended counts, and whether the truth lies where it was said to [long]") {
    const Figures figures = figures_of({});
    CHECK(figures.refused == 0);
    CHECK(quantile(figures.regret, 0.5) <= 0.003);
    CHECK(quantile(figures.regret, 0.95) <= 0.03);
    CHECK(figures.covered >= 0.9 * figures.answered);
}
