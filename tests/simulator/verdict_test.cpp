// What a run says of itself, on 500 random models: who is the slow side, what another split could gain, and whether
// balance and predict say so, too. On few of them where sanitizers make it slow.
#include "analysis/exchanges.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/run_balance.hpp"
#include "report/words.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/simulator/targets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

constexpr std::uint64_t all_models = 500, few_models = 10;
const std::uint64_t first_seed = from_environment("CPL_LB_SIMULATED_FIRST", 1);

Counts random_counts(const Model &model, std::uint64_t seed, std::int64_t most) {
    Random random(seed * 7919 + 1);
    Counts counts;
    for (const Part &part : model.parts)
        counts.push_back(random.whole(1, part.io_server || part.name == "coupler" ? 2 : most));
    return counts;
}

// Shares of the critical path in the common loop, of those that do not wait most of their time (of all, where all
// do): largest first, with the part.
std::vector<std::pair<double, std::size_t>> true_shares(const Run &run, const Interval &loop) {
    const double from = to_seconds(loop.start);
    const double to = to_seconds(loop.stop);
    const std::vector<double> path = run.critical_s(from, to);
    const double steps = (to - from) / step_seconds(run.model, run.counts);
    std::vector<std::pair<double, std::size_t>> busy, all;
    for (std::size_t c = 0; c < run.parts.size(); ++c) {
        const double computing = steps * run.model.parts[c].law.seconds(static_cast<double>(run.counts[c]));
        all.emplace_back(path[c] / (to - from), c);
        if (computing >= 0.5 * (to - from)) busy.push_back(all.back());
    }
    if (busy.empty()) busy = all;
    std::sort(busy.rbegin(), busy.rend());
    return busy;
}

// By how much a step gets shorter if these parts compute 10 % faster.
double saved_if_faster(Model model, const Counts &counts, const std::vector<std::size_t> &parts) {
    const double now_s = step_seconds(model, counts);
    for (const std::size_t part : parts)
        model.parts[part].law.seconds = [law = model.parts[part].law.seconds](double p) { return 0.9 * law(p); };
    return 1 - step_seconds(model, counts) / now_s;
}

// All of them together make a step shorter, by 0.4 of what their shares promise at least; none is there for nothing:
// without it the others save less.
void check_equally_slow(const Run &run, const std::vector<std::int32_t> &ids,
                        const std::vector<std::pair<double, std::size_t>> &shares) {
    std::vector<std::size_t> all;
    double share = 0;
    for (const std::int32_t id : ids) {
        all.push_back(static_cast<std::size_t>(id) - 1);
        for (const auto &[of_one, part] : shares)
            if (part == all.back()) share += of_one;
    }
    CHECK(saved_if_faster(run.model, run.counts, {shares[0].second}) < 0.6 * 0.1 * shares[0].first);
    const double together = saved_if_faster(run.model, run.counts, all);
    CHECK(together > 0.4 * 0.1 * share);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<std::size_t> others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(saved_if_faster(run.model, run.counts, others) < together);
    }
}

// In how many of the models the critical path is clear.
int check_slow_sides(std::uint64_t models) {
    int clear = 0, equal = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        const Model model = random_model(seed);
        const Run run = simulate(model, random_counts(model, seed, 12), {.steps = 30, .seed = seed});
        CoupledRun seen = as_coupled_run(run);
        judge_balance(seen, find_exchanges(seen));
        INFO("seed " << seed << "\n" << in_words(model));
        REQUIRE(seen.balance.why_no_path.empty());
        const auto shares = true_shares(run, common_stretch(seen));
        if (shares.size() > 1 && shares[0].first - shares[1].first <= 0.05) continue;
        ++clear;
        if (!seen.balance.equally_slow.empty()) {
            check_equally_slow(run, seen.balance.equally_slow, shares);
            ++equal;
            if (seen.balance.slow_side == 0) continue;
        }
        CHECK(seen.balance.slow_side == static_cast<std::int32_t>(shares[0].second) + 1);
    }
    if (tells_figures())
        std::printf("slow side clear in %d of %d models, some equally slow in %d\n", clear, static_cast<int>(models),
                    equal);
    CHECK(20 * (equal - 1) <= clear);
    return clear;
}

// In how many of the models what could be gained is what the best counts gain. All counts are tried for the truth:
// few processes keep that short.
int count_right_gains(std::uint64_t models) {
    int right = 0;
    RandomSettings settings;
    settings.ideal_laws = true;
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        const Model model = random_model(seed, settings);
        const Counts counts = random_counts(model, seed, 8);
        CoupledRun seen = as_coupled_run(simulate(model, counts, {.steps = 30, .seed = seed}));
        judge_balance(seen, find_exchanges(seen));
        INFO("seed " << seed << "\n" << in_words(model));
        REQUIRE(seen.balance.why_no_gain.empty());
        Counts held;
        std::int64_t total = 0;
        for (std::size_t c = 0; c < counts.size(); ++c) {
            held.push_back(model.parts[c].io_server ? counts[c] : 0);
            total += counts[c];
        }
        const double truth = 1 - best_counts(model, total, held).step_s / step_seconds(model, counts);
        const double said = seen.balance.gain_s / seen.balance.loop_s;
        // Less than a per cent of the loop is no gain.
        if (std::abs(said - truth) <= std::max(0.1 * truth, 0.01)) ++right;
    }
    if (tells_figures()) std::printf("gain right in %d of %d models\n", right, static_cast<int>(models));
    return right;
}

// The first part stands between the others and computes for a part of the time that each of these takes.
CoupledRun run_with_a_middle(std::uint64_t seed) {
    Random random(seed * 104'659 + 5);
    Model model = random_model(seed, {.io_servers = false, .hubs = false});
    const Counts counts = random_counts(model, seed, 12);
    for (std::size_t c = 0; c < model.parts.size(); ++c) {
        const double seconds = c == 0 ? random.uniform(0.05, 0.9) : 1;
        model.parts[c].law = ideal(seconds * static_cast<double>(counts[c]));
    }
    return as_coupled_run(simulate(model, counts, {.steps = 30, .seed = seed}));
}

bool says_that_little_is_left(const CoupledRun &run) {
    return std::ranges::any_of(verdict_words(run), [](const std::string &sentence) {
        return sentence.find("Little is left to gain.") != std::string::npos ||
               sentence.find("no other split of the same cores would make the loop much shorter.") !=
                   std::string::npos;
    });
}

// In how many of the runs balance finds 5 % of the loop or more, or predict does for the same counts.
int check_what_is_left(std::uint64_t models) {
    constexpr double much = 0.05;
    int gains = 0, little = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        const Model model = random_model(seed);
        for (CoupledRun run :
             {as_coupled_run(simulate(model, random_counts(model, seed, 12), {.steps = 30, .seed = seed})),
              run_with_a_middle(seed)}) {
            judge_balance(run, find_exchanges(run));
            const AdvisedGain gain = advised_gain(run);
            const bool told_little = says_that_little_is_left(run);
            INFO("seed " << seed << ": balance " << gain.balance << ", predict " << gain.predict << "\n"
                         << in_words(model) << verdict_words(run).front());
            CHECK_FALSE((told_little && std::max(gain.balance, gain.predict) >= much));
            little += told_little ? 1 : 0;
            gains += std::max(gain.balance, gain.predict) >= much ? 1 : 0;
        }
    }
    if (tells_figures())
        std::printf("%d of %d gain 5 %%, little is left in %d\n", gains, 2 * static_cast<int>(models), little);
    CHECK(little > 0);
    return gains;
}

} // namespace

TEST_CASE("the slow side is right wherever the critical path is clear", "[long]") {
    CHECK(check_slow_sides(all_models) >= 400);
}

TEST_CASE("the slow side is right in a few models") {
    CHECK(check_slow_sides(few_models) >= 8);
}

TEST_CASE("what could be gained is what the best counts gain, where all scale ideally", "[long]") {
    CHECK(count_right_gains(all_models) >= 450); // nine of ten
}

TEST_CASE("what could be gained in a few models") {
    CHECK(count_right_gains(few_models) >= 9); // nine of ten, too
}

TEST_CASE("no verdict says that little is left where balance or predict finds 5 %", "[long]") {
    CHECK(check_what_is_left(all_models) >= 500); // half of the runs
}

TEST_CASE("what is left in a few models") {
    CHECK(check_what_is_left(few_models) >= 10);
}
