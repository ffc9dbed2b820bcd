// Simulated members that meet twice in each step: what each meeting point costs, and who is last there.
#include "analysis/exchanges.hpp"
#include "analysis/member_figures.hpp"
#include "io/json/info_json.hpp"
#include "prediction/run_balance.hpp"
#include "report/verdict_parts.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/simulator.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

constexpr std::size_t members = 8;

// In each of 30 steps a member computes 1 s until the assimilation, and 1 s until the coupler; each of these takes
// 0.1 s when all have come. Member 3 needs so much longer for the first second, member 6 for the other one.
Model meeting_twice(double late_3_s, double late_6_s) {
    Model model;
    Part assimilation{"assimilation", ideal(0.1), {}}, coupler{"coupler", ideal(0.1), {}};
    const auto meet = [&](std::size_t member, std::size_t hub, Part &at, Part &part) {
        const std::string number = std::to_string(member + 1);
        model.exchanges.push_back({"there_" + number, member, hub, 0, 1, -1, 0});
        model.exchanges.push_back({"back_" + number, hub, member, 0, 1, -1, 0});
        at.step.push_back(receive(model.exchanges.size() - 2));
        part.step.push_back(send(model.exchanges.size() - 2));
        part.step.push_back(receive(model.exchanges.size() - 1));
    };
    const auto answer = [&](std::size_t hub, Part &at) {
        at.step.push_back(compute(1));
        for (std::size_t e = 0; e < model.exchanges.size(); ++e)
            if (model.exchanges[e].from == hub) at.step.push_back(send(e));
    };
    for (std::size_t m = 0; m < members; ++m) {
        Part part{"atmosphere_0" + std::to_string(m + 1), ideal(4), {}}; // a second of 4 processes
        part.step.push_back(compute(m == 2 ? 1 + late_3_s : 1));
        meet(m, members, assimilation, part);
        part.step.push_back(compute(m == 5 ? 1 + late_6_s : 1));
        meet(m, members + 1, coupler, part);
        model.parts.push_back(part);
    }
    answer(members, assimilation);
    answer(members + 1, coupler);
    model.parts.push_back(assimilation);
    model.parts.push_back(coupler);
    return model;
}

CoupledRun judged(double late_3_s, double late_6_s) {
    Counts counts(members, 4);
    counts.resize(members + 2, 1);
    CoupledRun run = as_coupled_run(simulate(meeting_twice(late_3_s, late_6_s), counts, {.steps = 30}));
    run.exchanges = find_exchanges(run);
    count_order_violations(run, run.exchanges);
    judge_balance(run, run.exchanges);
    judge_members(run);
    return run;
}

std::map<std::string, std::string> told(const CoupledRun &run) {
    std::map<std::string, std::string> figures;
    for (const std::string &sentence : test::checked_words(run, 0))
        for (const test::ReadSentence &read : test::read_sentences(sentence))
            if (read.id == "members_wait") figures = read.figures;
    return figures;
}

bool holds(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text);
    return is;
}

} // namespace

// 29 meetings of each count; at each the 7 others wait on 4 cores:
//   29 x 7 x 4 x 0.4 s  = 324.8 core s = 0.0902 core hours at the assimilation, 324.8 / 609 = 53 %
//   29 x 7 x 4 x 0.35 s = 284.2 core s = 0.0789 core hours at the coupler, 47 %
// A step takes 1.4 + 0.1 + 1.35 + 0.1 = 2.95 s. From the first arrival at the second assimilation (2.95 + 1 s) to the
// last one at the last coupling (29 x 2.95 + 1.4 + 0.1 + 1.35 s) it is 84.45 s, on 32 cores 2702.4 core s: 609 of
// these are 22.5 %, 324.8 are 12.0 %, 284.2 are 10.5 %.
TEST_CASE("what simulated members wait is told for each of two meeting points") {
    const CoupledRun run = judged(0.4, 0.35);
    const MemberGroup &group = run.members.at(0);
    CHECK(group.cost_core_s == Approx(609).epsilon(1e-6));
    CHECK(group.cost_share == Approx(609 / 2702.4).epsilon(1e-6));
    CHECK(group.meetings == 58);
    CHECK(group.meet_at == "assimilation");
    REQUIRE(group.points.size() == 2);
    const MeetingPoint &dearest = group.points[0], &other = group.points[1];
    CHECK(dearest.where == "assimilation");
    CHECK(dearest.meetings == 29);
    CHECK(dearest.cost_core_s / 3600 == Approx(0.0902).epsilon(1e-3));
    CHECK(dearest.cost_share == Approx(324.8 / 2702.4).epsilon(1e-6));
    CHECK(dearest.last == 2);
    CHECK(dearest.last_share == Approx(1));
    CHECK(other.where == "coupler");
    CHECK(other.cost_core_s / 3600 == Approx(0.0789).epsilon(1e-3));
    CHECK(other.last == 5);

    auto figures = told(run);
    CHECK(figures["where"] == "at assimilation (53 % of it; atmosphere_03 is last for 100 % of that) and at coupler "
                              "(47 % of it; atmosphere_06 is last for 100 % of that)");
    CHECK(figures["share"] == "23 %");
    CHECK(figures["hours"] == "0.169");
    CHECK(figures["parts"] == "the same members are late as a rule (100 % of it), most often atmosphere_03 (last for "
                              "53 % of it)");
    std::string lines = member_groups_section(run).text;
    for (char &c : lines)
        if (c == '\n') c = ' ';
    CHECK(holds(lines, "atmosphere_*: at assimilation: 0.090222 core hours (12 % of their core time) in 29 meetings; "
                       "atmosphere_03 is last for 100 % of it"));
    CHECK(holds(lines, "atmosphere_*: at coupler: 0.078944 core hours (11 % of their core time) in 29 meetings; "
                       "atmosphere_06 is last for 100 % of it"));

    const std::string json = info_json(run);
    CHECK(holds(json, "\"where\": \"coupler\""));
    const CoupledRun back = run_from_json("a.json", json);
    CHECK(back.members.at(0).points.at(1).last == 5);
    CHECK(member_sentences(back) == member_sentences(run));
}

// 0.03 / 0.43 = 7 % are less than a tenth.
TEST_CASE("a second meeting point that costs little is not told in the sentence") {
    const CoupledRun run = judged(0.4, 0.03);
    CHECK(run.members.at(0).points.size() == 2);
    CHECK(told(run)["where"] == "at assimilation (93 % of it; atmosphere_03 is last for 100 % of that)");
}
