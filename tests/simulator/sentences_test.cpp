// Each sentence of the verdicts of random runs, evaluated by code that shares nothing with what writes them.
#include "analysis/exchanges.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/run_balance.hpp"
#include "support/sentences.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/report/example_run.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

const std::uint64_t first_seed = from_environment("CPL_LB_SIMULATED_FIRST", 1);

// Some time without a processor, from nothing to most of the loop; some of it in exchanges.
void disturb(CoupledRun &run, Random &random) {
    for (Component &c : run.components) {
        if (!(c.balance.loop_s > 0) || random.chance(0.4)) continue;
        const double seconds = c.balance.loop_s * random.log_uniform(0.001, 0.5);
        c.no_processor.of_processes.add(seconds);
        c.no_processor.most = static_cast<std::int32_t>(random.whole(0, 99));
        if (seconds < disturbed_from * c.balance.loop_s) continue;
        c.no_processor.outside.add(random.uniform(0, 1) * seconds);
        c.no_processor.most_outside = static_cast<std::int32_t>(random.whole(0, 99));
    }
}

// The clock of one component is off by more than half of the run: no lag explains that.
void shift_clock(CoupledRun &run, Random &random) {
    Component &c = run.components[static_cast<std::size_t>(random.whole(0, 1))];
    const auto off = from_seconds(-random.uniform(0.5, 0.9) * c.balance.loop_s);
    for (EventSpan &span : c.table.spans.whole()) {
        if (span.empty()) continue;
        for (Nanoseconds EventSpan::*time : {&EventSpan::first_start, &EventSpan::last_start, &EventSpan::last_stop})
            span.*time += off;
    }
}

CoupledRun seen_run(std::uint64_t seed) {
    const Model model = random_model(seed);
    Random random(seed * 104'729 + 7);
    Counts counts;
    for (const Part &part : model.parts)
        counts.push_back(random.whole(1, part.io_server || part.name == "coupler" ? 2 : 8));
    const std::int64_t steps = random.chance(0.1) ? random.whole(1, 4) : 20;
    CoupledRun run = as_coupled_run(simulate(model, counts, {.steps = steps, .seed = seed}));
    if (random.chance(0.1)) shift_clock(run, random);
    run.exchanges = find_exchanges(run);
    count_order_violations(run, run.exchanges);
    judge_balance(run, run.exchanges);
    disturb(run, random);
    return run;
}

// How often each sentence was said.
std::map<std::string, int> check_models(std::uint64_t models) {
    std::map<std::string, int> said;
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        const CoupledRun run = seen_run(seed);
        for (const std::string &sentence : test::checked_words(run, seed))
            for (const test::ReadSentence &read : test::read_sentences(sentence))
                ++said[read.id];
    }
    if (tells_figures())
        for (const auto &[id, count] : said)
            std::printf("%s: %d\n", id.c_str(), count);
    return said;
}

} // namespace

TEST_CASE("every sentence of the verdicts of 500 random runs is true", "[long]") {
    const auto said = check_models(500);
    for (const char *id : {"slow_side", "mutual", "longest_wait", "waiting_share", "gain", "no_gain", "disturbed",
                           "balanced", "little_left", "not_counted"}) {
        INFO(id);
        CHECK(said.count(id) > 0);
    }
}

TEST_CASE("every sentence of the verdicts of a few random runs is true") {
    CHECK(check_models(15).size() > 3);
}

TEST_CASE("a false remark is found, and one that is missing") {
    CoupledRun run;
    run.component_names = {"ocean"};
    run.components = {test::component("ocean", 1, 0, 10, 0)};
    const auto wrong = [&](const std::string &remark) {
        run.remarks = {remark};
        return test::what_is_false_in_remarks(run).size();
    };
    const std::string early = say(Sentence::remark_received_before_sent, {{"gets", "2 GETs"}, {"whose", "their"}});
    CHECK(wrong(early) == 1);
    run.clock.order_violations = 2;
    CHECK(wrong(early) == 0);
    run.clock.order_violations = 3;
    CHECK(wrong(early) == 1);
    CHECK(wrong("it rained") == 2); // and the GETs are not told
    run.clock.order_violations = 0;
    run.run.elsewhere_calls = 12;
    CHECK(wrong(say(Sentence::remark_other_threads) + " (12 times, 0.5 s, on process 3, ocean)") == 0);
    run.remarks.clear();
    CHECK(test::what_is_false_in_remarks(run).size() == 1);
    run.run.elsewhere_calls = 0;
    // 8 of 10 processes came; the ocean has all of its 10.
    const std::string part =
        say(Sentence::remark_part_of_component, {{"name", "ocean"}, {"found", "8"}, {"all", "10"}});
    CHECK(wrong(part) == 1);
    run.components[0].ranks.resize(8);
    CHECK(wrong(part) == 0);
    run.run.members = "ocean*,ice";
    CHECK(wrong(say(Sentence::remark_members, {{"why", "fewer than two components are called ocean*"}})) == 0);
    CHECK(wrong(say(Sentence::remark_members, {{"why", "'ice' is no name with one * in it"}})) == 0);
    CHECK(wrong(say(Sentence::remark_members, {{"why", "'sea' is no name with one * in it"}})) == 1);
}

// The ocean waits 43 of 100 s for the atmosphere.
TEST_CASE("a false sentence is found") {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {test::component("ocean", 1, 0, 10, 0), test::component("atmosphere", 2, 10, 10, 0)};
    run.components[0].balance = test::balance(57, 43, {{2, 43, 0}});
    run.components[1].balance = test::balance(100, 0, {{1, 0, 0}});
    const auto longest = [](const std::string &share) {
        return say(Sentence::longest_wait, {{"waiter", "ocean"}, {"share", share}, {"awaited", "atmosphere"}});
    };
    CHECK(test::what_is_false(run, {longest("43 %")}).empty());
    CHECK_FALSE(test::what_is_false(run, {longest("6.5 %")}).empty());
    CHECK_FALSE(test::what_is_false(run, {}).empty()); // the longest wait is hidden
    CHECK_FALSE(test::what_is_false(run, {say(Sentence::balanced, {{"share", "1.0 %"}})}).empty());
    CHECK_FALSE(test::what_is_false(run, {longest("43 %"), "ocean waits longer than it should."}).empty());
    CHECK_FALSE(test::what_is_false(run, {longest("43 %"), say(Sentence::no_gain)}).empty()); // no model says so
    // 10 cores for 43 s are 21.5 % of 20 cores for 100 s.
    CHECK(test::what_is_false(run,
                              {longest("43 %"), say(Sentence::waiting_share, {{"share", "22 %"}, {"without", ""}})})
              .empty());
    CHECK_FALSE(test::what_is_false(
                    run, {longest("43 %"), say(Sentence::waiting_share, {{"share", "43 %"}, {"without", ""}})})
                    .empty());
}
