// cpl-lb tune on random models from one bad start: how near it comes to the true optimum, and in how many runs.
#include "tests/json.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/targets.hpp"
#include "tests/simulator/tuned_models.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using nlohmann::json;

namespace {

struct Tuned {
    std::size_t runs = 0;   // until it stopped
    double regret_of_4 = 0; // of the best of the first four
    double regret = 0;      // of what it says at the end
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

Tuned tuned(std::uint64_t seed) {
    const std::string name = std::to_string(seed);
    const Model m = tuned_model(name);
    const std::int64_t total = total_for(m);
    const double best_s = best_counts(m, total).step_s;
    const Counts start = bad_start(m, total, seed);
    std::string words, model = CPL_LB_SIMULATED_MODEL " " + name;
    for (std::size_t p = 0; p < m.parts.size(); ++p) {
        words += (words.empty() ? "" : ",") + m.parts[p].name + "=" + std::to_string(start[p]);
        model += " '{" + m.parts[p].name + "}'";
    }
    const test::TemporaryFolder folder;
    const auto r = test::command(folder, "tune --json --log " + (folder / "log.txt") + " --total " +
                                             std::to_string(total) + " --start " + words + " -- " + model);
    INFO(r.errors);
    REQUIRE(r.status == 0);
    const json end = json::parse(r.output);
    const auto regret = [&](const json &processes) {
        Counts counts;
        for (const Part &part : m.parts)
            counts.push_back(processes.at(part.name));
        return step_seconds(m, counts) / best_s - 1;
    };
    Tuned result{end.at("runs").size(), 1e9, regret(end.at("processes")),
                 regret(end.at("runs").at(0).at("processes"))};
    for (std::size_t n = 0; n < std::min<std::size_t>(4, result.runs); ++n)
        result.regret_of_4 = std::min(result.regret_of_4, regret(end.at("runs").at(n).at("processes")));
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
            "100 %.2f %%, worst %.2f %%; runs: median %.0f, most %.0f\n",
            100 * quantile(starts, 0.5), 100 * quantile(of_4, 0.5), 100 * quantile(of_4, 0.9),
            100 * quantile(of_all, 0.5), 100 * quantile(of_all, 0.9), 100 * quantile(of_all, 1), quantile(runs, 0.5),
            quantile(runs, 1));
    }
    CHECK(quantile(of_4, 0.5) <= 0.02);
    CHECK(quantile(of_all, 0.9) <= 0.05);
}
