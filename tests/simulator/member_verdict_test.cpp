// What the verdict says of ensembles: equal members are slow by chance, so none of them is the bottleneck; one model
// has one count of cores; and what is no member keeps its usual verdict.
#include "analysis/exchanges.hpp"
#include "analysis/member_figures.hpp"
#include "analysis/run_cost.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "report/text_summary.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/simulator/ensemble.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

struct Judged {
    CoupledRun run;
    std::vector<std::string> words; // each checked
    std::string all;
};

Judged judged(CoupledRun run) {
    Judged j{std::move(run), {}, {}};
    j.run.exchanges = find_exchanges(j.run);
    count_order_violations(j.run, j.run.exchanges);
    judge_balance(j.run, j.run.exchanges);
    judge_members(j.run);
    j.words = test::checked_words(j.run, 0);
    for (const std::string &sentence : j.words)
        j.all += sentence + "\n";
    return j;
}

struct SimulatedEnsemble {
    Ensemble made;
    Run run;
};

SimulatedEnsemble simulated(const EnsembleSettings &settings, std::uint64_t seed) {
    SimulatedEnsemble s{ensemble(settings), {}};
    s.run = simulate(s.made.model(), s.made.counts(), {.steps = settings.steps, .seed = seed});
    return s;
}

Judged judged(const EnsembleSettings &settings, std::uint64_t seed = 1) {
    const SimulatedEnsemble s = simulated(settings, seed);
    return judged(as_ensemble_run(s.made, s.run));
}

bool holds(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text);
    return is;
}

std::string row_of(const std::string &screen, const std::string &name) {
    std::istringstream lines(screen);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name + " ")) return line;
    return "";
}

} // namespace

// Which member is the slowest of a run is chance here: all draw from the same noise.
TEST_CASE("no member of a simulated ensemble of equal members is the bottleneck") {
    const auto [members, noise, seed] =
        GENERATE(table<std::size_t, double, std::uint64_t>({{6, 0.15, 1}, {6, 0.15, 3}, {6, 0.15, 7}, {12, 0.1, 2}}));
    INFO(members << " members, seed " << seed);
    const EnsembleSettings settings{.members = members, .noise = noise};
    const SimulatedEnsemble s = simulated(settings, seed);
    const Judged j = judged(as_ensemble_run(s.made, s.run));
    INFO(j.all);
    CHECK(j.words.at(0).starts_with("atmosphere_* (" + std::to_string(members) + " members): " +
                                    share_in_words(meeting_truth(s.made, s.run).share) + " of their core time, "));
    CHECK(holds(j.words.at(0), ": now one, now another is late, at random."));
    for (const char *of_chance : {"bottleneck", "atmosphere_0", "atmosphere_1"})
        CHECK(j.all.find(of_chance) == std::string::npos);
}

// The fourth computes 1.4 times as long in every step.
TEST_CASE("a simulated member that is always last is named first, and all wait for the group") {
    const Judged j = judged(
        {.members = 6, .noise = 0.02, .weight = [](std::size_t m, std::int64_t) { return m == 3 ? 1.4 : 1.0; }});
    CHECK(j.words.at(0).starts_with("atmosphere_* (6 members): "));
    CHECK(holds(j.words.at(0), "atmosphere_04 is nearly always last"));
    CHECK(j.all.find("bottleneck") == std::string::npos);
    CHECK(std::count(j.all.begin(), j.all.end(), '\n') == static_cast<std::int64_t>(j.words.size()));
    CHECK(j.all.find("nearly always last") == j.all.rfind("nearly always last")); // once
    const std::string row = row_of(screen_summary(j.run, ".", {}), "assimilation");
    CHECK(row.ends_with(" atmosphere_*"));
}

// Four members compute 2.5 s on 8 cores each, the assimilation 2 s on 1: 4.5 s for a step on 33 cores. With n cores
// for each member and a for the assimilation a step takes 20 / n + 2 / a s, 4 n + a = 33:
// n = 7, a = 5: 2.857 + 0.4 = 3.257 s; n = 6, a = 9: 3.333 + 0.222 = 3.556 s; n = 8, a = 1: 4.5 s.
TEST_CASE("a better split gives each simulated member as many cores as the others") {
    const Judged j = judged({.members = 4, .processes = 8, .assimilation_s = 2, .cores_of_node = 8});
    CHECK(j.run.balance.best_cores == std::vector<std::int64_t>{7, 7, 7, 7, 5});
    CHECK(j.run.balance.best_s / j.run.balance.loop_s == Approx(3.257 / 4.5).epsilon(0.01));
    CHECK(holds(j.all, "With each member of atmosphere_* on 7 cores and assimilation on 5, the coupling loop would"));
    double on_path = 0; // 2.5 of 4.5 s, but for the begin and the end of the loop; they wait 2 of 4.5 s
    for (std::size_t m = 0; m < 4; ++m)
        on_path += j.run.components[m].balance.critical_share;
    CHECK(on_path == Approx(2.5 / 4.5).margin(0.01));
    CHECK(j.words.at(0) ==
          "atmosphere_* (4 members) is the bottleneck as a whole, with " + share_in_words(on_path) +
              " of the critical path: its members hardly wait for each other. The longest wait: the "
              "members of atmosphere_* spend 44 % of their time waiting for assimilation, in the mean.");
}

// Cut members take 1.3 times as long: with n cores for each of eight and a for the assimilation 16.25 / n + 0.5 / a
// s, 8 n + a = 41. n = 5, a = 1, as it is: 3.75 s; n = 4, a = 9: 4.118 s.
TEST_CASE("no cores are advised to move between simulated members") {
    const Judged j = judged({.members = 8, .processes = 5, .noise = 0.02, .cores_of_node = 8, .cut_factor = 1.3});
    CHECK(holds(j.all, "no other split of the same cores would make the loop much shorter"));
    CHECK(j.run.balance.gain_s == Approx(0).margin(1e-9));
}

// An ocean that computes 4 s beside members of 2.5 s: it holds all of them up.
TEST_CASE("a shared ocean beside a simulated ensemble keeps its verdict") {
    const Ensemble made = ensemble({.members = 6, .noise = 0.05});
    Model model = made.model();
    const std::size_t hub = made.settings.members, own = hub + 1, out = model.exchanges.size();
    model.exchanges.push_back({"ocean_state", own, hub, 0, 1, -1, 0});
    model.exchanges.push_back({"ocean_analysis", hub, own, 0, 1, -1, 0});
    model.parts[hub].step.insert(model.parts[hub].step.begin(), receive(out));
    model.parts[hub].step.push_back(send(out + 1));
    model.parts.push_back({"ocean", ideal(4), {compute(1), send(out), receive(out + 1)}});
    Counts counts = made.counts();
    counts.push_back(1);
    const Run run = simulate(model, counts, {.steps = 60, .seed = 1});
    const Judged j = judged(as_ensemble_run(made, run));
    CHECK(j.words.at(0).starts_with("ocean is the bottleneck: atmosphere_0"));
    CHECK(j.run.component_name(j.run.balance.slow_side) == "ocean");
}
