// Members of an ensemble in words and tables; made runs whose reasons are known (tests/analysis/member_runs.hpp).
#include "report/verdict_parts.hpp"

#include "analysis/member_figures.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "tests/analysis/member_runs.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace cpl_lb;

namespace {

// 8 members of 4 cores and 50 steps; one takes a tenth longer.
CoupledRun slow_member(std::size_t slow) {
    CoupledRun run =
        test::members_run({.delay = [slow](std::size_t, std::size_t m) { return m == slow ? 0.1 : 0.0; }});
    for (std::size_t m = 0; m < 8; ++m) {
        run.components[m].nodes = 1;
        run.components[m].on_nodes = {static_cast<std::int32_t>(m)};
        run.meters.nodes.emplace_back();
        run.meters.nodes.back().name = "nid00" + std::to_string(m);
    }
    judge_members(run);
    return run;
}

bool holds(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text);
    return is;
}

} // namespace

// What it costs: tests/analysis/members_test.cpp; 137.2 core seconds are 0.0381 core hours.
TEST_CASE("a member that is always last is named with what it costs") {
    CHECK(member_sentences(slow_member(6)) ==
          std::vector<std::string>{
              "atmosphere_* (8 members): 8.1 % of their core time, 0.0381 core hours, goes into waiting for the last "
              "member at assimilation: atmosphere_07 is nearly always last (100 % of it)."});
}

TEST_CASE("that it is cut across nodes is said where it alone is") {
    CoupledRun run = slow_member(6);
    run.components[6].nodes = 2;
    run.components[6].on_nodes = {6, 7};
    judge_members(run);
    CHECK(holds(member_sentences(run).at(0),
                "atmosphere_07 is nearly always last; it is cut across nodes nid006 and nid007, and no other is"));
    run.components[6].nodes = 1; // another one is cut, and is not late
    run.components[2].nodes = 2;
    judge_members(run);
    CHECK_FALSE(holds(member_sentences(run).at(0) + " ", "cut across"));
    CHECK(holds(member_groups_section(run).text, "1 member is on more nodes than others of as many cores"));
}

// One of 120 members is cut. It takes 0.2 s more in two of three steps, the others up to 0.1 s by chance: it is not
// nearly always last, and is later by more than chance.
TEST_CASE("one member that is cut among many is said to be the only one") {
    CoupledRun run = test::members_run({.members = 120, .steps = 60, .delay = [](std::size_t k, std::size_t m) {
                                            std::mt19937 random(static_cast<std::uint32_t>(1000 * k + m + 1));
                                            random.discard(8);
                                            const double chance =
                                                std::uniform_real_distribution<double>(0, 0.1)(random);
                                            return m == 6 && k % 3 != 0 ? 0.2 : chance;
                                        }});
    for (std::size_t m = 0; m < 120; ++m) {
        run.components[m].nodes = m == 6 ? 2 : 1;
        run.components[m].on_nodes = {static_cast<std::int32_t>(m)};
        run.meters.nodes.emplace_back();
        run.meters.nodes.back().name = "nid" + std::to_string(m);
    }
    run.components[6].on_nodes = {6, 7};
    judge_members(run);
    // Of 59 meetings it is last in 40, 0.2 s after the first, and seldom in 19, 0.1 s after it: 8 / (8 + 1.9) = 81 %.
    const std::string sentence = member_sentences(run).at(0);
    CHECK(holds(sentence, "the same members are late as a rule ("));
    CHECK(holds(sentence, " of it), most often atmosphere_07 (last for 81 % of it); it is cut across nodes nid6 and "
                          "nid7, and no other is"));
}

// Members 1 and 2 are on nodes 0 and 1, as 3 and 4 on 2 and 3, and so on; the last four are late.
TEST_CASE("late members on several nodes: each of these is named, and none where they have no names") {
    CoupledRun run =
        test::members_run({.members = 16, .steps = 60, .delay = [](std::size_t k, std::size_t m) {
                               std::mt19937 random(static_cast<std::uint32_t>(1000 * k + m + 1));
                               random.discard(8);
                               return (m >= 12 ? 0.2 : 0.0) + std::uniform_real_distribution<double>(0, 0.02)(random);
                           }});
    run.meters.nodes.resize(8);
    for (std::size_t m = 0; m < 16; ++m) {
        const auto first = static_cast<std::int32_t>(m / 4 * 2);
        run.components[m].nodes = 2;
        run.components[m].on_nodes = {first, first + 1};
        run.meters.nodes[m / 2].name = "nid" + std::to_string(m / 2);
    }
    judge_members(run);
    CHECK(holds(member_sentences(run).at(0), "the members on nodes nid6, nid7 are late as a rule"));
    run.meters.nodes.clear();
    judge_members(run);
    CHECK(holds(member_sentences(run).at(0), "the members on some nodes are late as a rule"));
}

TEST_CASE("chance is no sentence, and is in the table") {
    CoupledRun run = test::members_run({.steps = 200, .delay = [](std::size_t k, std::size_t m) {
                                            std::mt19937 random(static_cast<std::uint32_t>(1000 * k + m + 1));
                                            random.discard(8);
                                            return std::uniform_real_distribution<double>(0, 0.2)(random);
                                        }});
    judge_members(run);
    CHECK(member_sentences(run).empty());
    CHECK(member_parts_in_words(run, run.members.at(0)) == "now one, now another is late, at random");
    CHECK(holds(member_groups_section(run).text, "waiting for the last member costs"));
}

TEST_CASE("the screen has one row for all members, and says that they were guessed") {
    CoupledRun run = slow_member(6);
    const std::string screen = screen_summary(run, ".", {});
    CHECK(holds(screen, "\natmosphere_* x 8 "));
    CHECK(holds(screen, "\nassimilation "));
    CHECK(screen.find("\natmosphere_01 ") == std::string::npos);
    std::string lines = screen; // as one line
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    // 50 x 1 s and 50 x 1.1 s; 50 x 0.001 s and 50 x 0.101 s.
    CHECK(holds(lines, "atmosphere_*: computing 50.000 to 55.000 s, waiting 0.050000 to 5.050 s; slowest "
                       "atmosphere_07, fastest 7 alike"));
    CHECK(holds(lines, "Taken as members of one ensemble by their names: atmosphere_01 to atmosphere_08."));
    const std::string text = text_summary(run);
    CHECK(holds(text, "\nEnsembles: by member (s)\n"));
    CHECK(holds(text, "\natmosphere_03 "));
    run.run.members = "none";
    judge_members(run);
    CHECK(holds(screen_summary(run, ".", {}), "\natmosphere_03 "));
    CHECK_FALSE(holds(text_summary(run) + " ", "Ensembles"));
    run.run.members = "atmosphere_*";
    judge_members(run);
    CHECK_FALSE(holds(screen_summary(run, ".", {}) + " ", "Taken as members"));
    run.run.members = "ocean*";
    judge_members(run);
    CHECK(run.remarks.back() == "no members of an ensemble as chosen: fewer than two components are called ocean*");
    run.run.members = "none";
    judge_members(run);
    CHECK(run.remarks.empty());
}

TEST_CASE("members that compute as long as each other are alike: none is the slowest") {
    CoupledRun run = test::members_run({});
    judge_members(run);
    CHECK(member_lines(run, 200).starts_with("atmosphere_*: computing 50.000 to 50.000 s, waiting 0.050000 to "
                                             "0.050000 s; all alike\n"));
    // Nor is the one the fastest whose sums are rounded to less: 1e-13 s.
    run = test::members_run({.delay = [](std::size_t, std::size_t m) {
        return m == 4 ? 0.1 : m == 6 ? -1e-13 : 0.0;
    }});
    judge_members(run);
    CHECK(run.members.at(0).fastest == 0);
    CHECK(holds(member_lines(run, 200), "; slowest atmosphere_05, fastest 7 alike\n"));
}

// The first has 40 steps, the others 50. It takes 1.1 s for a step, the others 1 s, and 1.1 s after step 40: 44 s and
// 40 + 11 = 51 s. At its 40 steps they wait 0.101 s and then 0.001 s: 40 x 0.101 + 10 x 0.001 = 4.05 s.
TEST_CASE("members of different length are compared by a step, and whole loops are told as such") {
    CoupledRun run =
        test::members_run({.delay = [](std::size_t k, std::size_t m) { return m == 0 || k >= 40 ? 0.1 : 0.0; },
                           .steps_of = [](std::size_t m) -> std::size_t { return m == 0 ? 40 : 50; }});
    judge_members(run);
    const std::string lines = member_lines(run, 200);
    CHECK(
        lines.starts_with("atmosphere_*: computing 1.000 to 1.100 s a step over the first 40; slowest atmosphere_01, "
                          "fastest 7 alike\nIts members have 40 to 50 steps: their whole loops, and means of these, "
                          "do not compare (computing 44.000 to 51.000 s, waiting 0.040000 to 4.050 s).\n"));
}

// 2, 3, 4, ... 9 s.
TEST_CASE("start-up that grows with the members is said") {
    CoupledRun run = slow_member(6);
    for (std::size_t m = 0; m < 8; ++m)
        run.components[m].balance.startup.length_s = 2 + static_cast<double>(m);
    judge_members(run);
    CHECK(member_sentences(run).back() ==
          "The start-up of atmosphere_* grows by 1.000 s with each member, from 2.000 s to 9.000 s.");
}

TEST_CASE("the json has the members, and they come back from it") {
    const CoupledRun run = slow_member(6);
    const std::string json = info_json(run);
    const CoupledRun back = run_from_json("a.json", json);
    REQUIRE(back.members.size() == 1);
    const MemberGroup &group = back.members[0];
    CHECK(group.cost_core_s == Approx(137.2).epsilon(1e-9));
    CHECK(group.of.size() == 8);
    CHECK(group.of[6].name == "atmosphere_07");
    CHECK(group.of[6].place == 6);
    CHECK(group.slowest == 6);
    CHECK(group.parts.last.at(0).process == 6);
    CHECK(member_sentences(back) == member_sentences(run));
    CHECK_FALSE(holds(info_json(CoupledRun{}) + " ", "members"));
}

TEST_CASE("a json whose members are not there gives none") {
    std::string json = info_json(slow_member(6));
    const std::string slowest = "\"slowest\": 6";
    REQUIRE(json.find(slowest) != std::string::npos);
    json.replace(json.find(slowest), slowest.size(), "\"slowest\": 8");
    CHECK(run_from_json("a.json", json).members.empty());
}
