// What the verdict says of ensembles: which of equal members is slow is chance, so they are one bottleneck; no cores
// are moved between them; and what is no member keeps its usual verdict.
#include "analysis/exchanges.hpp"
#include "prediction/run_balance.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <functional>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

// Members of one model that compute 2.5 s, send their forecast to an assimilation, and receive the analysis when all
// have sent theirs.
struct EnsembleSettings {
    std::size_t members = 5;
    std::int64_t processes = 4; // of each member
    double assimilation_s = 0.5, noise = 0;
    std::function<double(std::size_t)> factor = [](std::size_t) { return 1.0; }; // by member
};

std::string numbered(const std::string &name, std::size_t number) {
    return name + (number < 10 ? "_0" : "_") + std::to_string(number);
}

Model model_of(const EnsembleSettings &s) {
    Model model;
    Part assimilation{"assimilation", ideal(s.assimilation_s), {}};
    for (std::size_t m = 0; m < s.members; ++m) {
        const std::size_t forecast = model.exchanges.size(), analysis = forecast + 1;
        model.exchanges.push_back({"forecast", m, s.members, 0, 1, -1, 0});
        model.exchanges.push_back({numbered("analysis", m + 1), s.members, m, 0, 1, -1, 0});
        Part part{numbered("atmosphere", m + 1),
                  ideal(2.5 * s.factor(m) * static_cast<double>(s.processes)),
                  {compute(1), send(forecast), receive(analysis)}};
        part.noise = s.noise;
        model.parts.push_back(std::move(part));
        assimilation.step.push_back(receive(forecast));
    }
    assimilation.step.push_back(compute(1));
    for (std::size_t m = 0; m < s.members; ++m)
        assimilation.step.push_back(send(2 * m + 1));
    model.parts.push_back(std::move(assimilation));
    return model;
}

Counts counts_of(const EnsembleSettings &s) {
    Counts all(s.members, s.processes);
    all.push_back(1);
    return all;
}

struct Judged {
    CoupledRun run;
    std::vector<std::string> words; // each checked
    std::string all;
};

Judged judged(const Model &model, const Counts &counts, std::uint64_t seed) {
    Judged j{as_coupled_run(simulate(model, counts, {.steps = 60, .seed = seed})), {}, {}};
    j.run.exchanges = find_exchanges(j.run);
    count_order_violations(j.run, j.run.exchanges);
    judge_balance(j.run, j.run.exchanges);
    j.words = test::checked_words(j.run, seed);
    for (const std::string &sentence : j.words)
        j.all += sentence + "\n";
    return j;
}

Judged judged(const EnsembleSettings &settings, std::uint64_t seed = 1) {
    return judged(model_of(settings), counts_of(settings), seed);
}

} // namespace

// Which member is the slowest of a run is chance here: all draw from the same noise.
TEST_CASE("no member of a simulated ensemble of equal members is the bottleneck") {
    const auto [members, noise, seed] =
        GENERATE(table<std::size_t, double, std::uint64_t>({{6, 0.15, 1}, {6, 0.15, 3}, {6, 0.15, 7}, {12, 0.1, 2}}));
    INFO(members << " members, seed " << seed);
    const Judged j = judged({.members = members, .noise = noise}, seed);
    INFO(j.all);
    CHECK(j.words.at(0).starts_with("atmosphere_* (" + std::to_string(members) + " members) is the bottleneck: "));
    CHECK(j.words.at(0).find("atmosphere_0") == std::string::npos);
}

// Four members compute 2.5 s, the assimilation 2 s: 4.5 s for a step, of which members wait 2 s and the assimilation
// 2.5 s, 56 %.
TEST_CASE("simulated members share the critical path with what they wait for") {
    const Judged j = judged({.members = 4, .processes = 8, .assimilation_s = 2});
    double on_path = 0; // 2.5 of 4.5 s, but for the begin and the end of the loop
    for (std::size_t m = 0; m < 4; ++m)
        on_path += j.run.components[m].balance.critical_share;
    CHECK(on_path == Approx(2.5 / 4.5).margin(0.01));
    CHECK(j.words.at(0) ==
          "atmosphere_* (4 members) is the bottleneck: assimilation spends 56 % of its time waiting for it.");
}

// Every second member takes 1.3 times as long. Cores for these are no advice: they are one model.
TEST_CASE("no cores are advised to move between simulated members") {
    const Judged j =
        judged({.members = 8, .noise = 0.02, .factor = [](std::size_t m) { return m % 2 == 1 ? 1.3 : 1.0; }});
    INFO(j.all);
    CHECK(j.run.balance.why_no_gain == "cores are not moved between members of an ensemble");
    CHECK(j.run.balance.best_cores.empty());
    CHECK(j.all.find("The possible gain is not known: cores are not moved between members of an ensemble.") !=
          std::string::npos);
}

// An ocean that computes 4 s beside members of 2.5 s: it holds all of them up.
TEST_CASE("a shared ocean beside a simulated ensemble keeps its verdict") {
    const EnsembleSettings settings{.members = 6, .noise = 0.05};
    Model model = model_of(settings);
    const std::size_t hub = settings.members, own = hub + 1, out = model.exchanges.size();
    model.exchanges.push_back({"ocean_state", own, hub, 0, 1, -1, 0});
    model.exchanges.push_back({"ocean_analysis", hub, own, 0, 1, -1, 0});
    model.parts[hub].step.insert(model.parts[hub].step.begin(), receive(out));
    model.parts[hub].step.push_back(send(out + 1));
    model.parts.push_back({"ocean", ideal(4), {compute(1), send(out), receive(out + 1)}});
    Counts counts = counts_of(settings);
    counts.push_back(1);
    const Judged j = judged(model, counts, 1);
    CHECK(j.words.at(0).starts_with("ocean is the bottleneck: atmosphere_* (6 members) spends "));
    CHECK(j.run.component_name(j.run.balance.slow_side) == "ocean");
}
