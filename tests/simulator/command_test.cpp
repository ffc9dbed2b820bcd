// Simulated runs as timeline files through the command: summary, predict and balance.
#include "tests/json.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/tools/command.hpp"

#include <cmath>
#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using cpl_lb::test::answer_of;
using nlohmann::json;

namespace {

// 8 / p and 12 / p + 0.1 side by side: A receives what B sent the step before.
Model side_by_side() {
    Model model;
    model.exchanges = {{"T", 0, 1, 1, 1, -1, 1e-5}, {"Q", 1, 0, 1, 1, -1, 1e-5}};
    model.parts = {{"A", ideal(8), {receive(1), compute(1), send(0)}, 0.05, 0.003, 0.1},
                   {"B", amdahl(12, 0.1), {receive(0), compute(1), send(1)}, 0.05, 0.003, 0.2}};
    return model;
}

} // namespace

TEST_CASE("five runs of a model: who waits, the time with other counts, the best counts") {
    const test::TemporaryFolder folder;
    const Model model = side_by_side();
    std::string runs;
    for (const std::int64_t n : {2, 4, 8, 16, 32}) {
        const std::string directory = folder / std::to_string(n);
        std::filesystem::create_directory(directory);
        write_timelines(directory, simulate(model, {n, n}, {.steps = 30, .seed = static_cast<std::uint64_t>(n)}));
        runs += " " + directory;
    }
    // With 8 and 8: A needs 1 s of B's 1.6 s.
    const json eight = answer_of(folder, "summary " + (folder / "8"));
    const json &a = eight.at("components").at(0);
    CHECK(a.at("waiting_s").get<double>() / a.at("loop_s").get<double>() == Approx(0.6 / 1.6).margin(0.02));

    const json predicted = answer_of(folder, "predict" + runs + " --pes A=6,B=10");
    const double truth = step_seconds(model, {6, 10}); // 8 / 6 = 1.333, 12 / 10 + 0.1 = 1.3
    CHECK(truth == Approx(8. / 6).epsilon(1e-4));
    CHECK(std::abs(predicted.at("cycle_mean_s").get<double>() - truth) <
          0.02 * truth + predicted.at("uncertainty_s").get<double>());

    const json balanced = answer_of(folder, "balance" + runs + " --total 24");
    const Counts counts = {balanced.at("processes").at("A"), balanced.at("processes").at("B")};
    CHECK(counts[0] + counts[1] <= 24);
    CHECK(balanced.at("proven_optimal") == true);
    CHECK(step_seconds(model, counts) <= 1.003 * best_counts(model, 24).step_s);
}
