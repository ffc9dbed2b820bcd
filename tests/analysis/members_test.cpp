// Members of an ensemble: who they are, what they cost, and why they are late; made runs whose reasons are known.
#include "analysis/member_figures.hpp"
#include "analysis/member_groups.hpp"
#include "tests/analysis/member_runs.hpp"
#include "tests/named_run.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace cpl_lb;

namespace {

using cpl_lb::test::MadeMembers;
using cpl_lb::test::members_run;
using cpl_lb::test::named_run;

std::vector<std::string> groups_in(const CoupledRun &run, const std::string &choice = "") {
    std::vector<std::string> found;
    for (const MemberGroup &group : find_members(run, member_choice(choice)))
        found.push_back(group.name + " " + std::to_string(group.of.size()));
    return found;
}

MemberGroup judged(const MadeMembers &made, const std::string &choice = "") {
    CoupledRun run = members_run(made);
    run.run.members = choice;
    judge_members(run);
    return run.members.at(0);
}

double random_of(std::size_t step, std::size_t member, double size) {
    std::mt19937 random(static_cast<std::uint32_t>(1000 * step + member + 1));
    random.discard(8);
    return size * std::uniform_real_distribution<double>(0, 1)(random);
}

double sum_of_parts(const ImbalanceParts &p) {
    return p.processes_s + (is_known(p.nodes_s) ? p.nodes_s : 0) + p.moving_s + p.steps_s + p.random_s;
}

} // namespace

TEST_CASE("names that differ in one number only are members") {
    using Names = std::vector<std::string>;
    CHECK(groups_in(named_run({"atmosphere_01", "atmosphere_02", "atmosphere_03", "ocean"})) ==
          Names{"atmosphere_* 3"});
    CHECK(groups_in(named_run({"CPL:ATM_0001", "CPL:ATM_0002", "CPL:ATM_0003"})) == Names{"CPL:ATM_* 3"});
    CHECK(groups_in(named_run({"ocn.7", "ocn.8", "ocn.9", "ice1", "ice2", "ice3"})) == Names{"ocn.* 3", "ice* 3"});
    CHECK(groups_in(named_run({"atmosphere_1", "atmosphere_2"})).empty()); // two are chance
    CHECK(groups_in(named_run({"atmosphere_1", "atmosphere_2"}), "atmosphere_*") == Names{"atmosphere_* 2"});
    CHECK(groups_in(named_run({"a_1_1", "a_1_2", "a_1_3", "a_2_1"})) == Names{"a_1_* 3"});
    CHECK(groups_in(named_run({"m1", "m2", "m3"}), "none").empty());
    CHECK(groups_in(named_run({"m1", "m2", "m3", "n1", "n2"}), "n*") == Names{"n* 2"});
}

TEST_CASE("members stand in the order of their numbers") {
    const CoupledRun run = named_run({"m10", "m9", "m1"});
    const std::vector<MemberGroup> groups = find_members(run, {});
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].of[0].name == "m1");
    CHECK(groups[0].of[0].place == 2);
    CHECK(groups[0].of[2].name == "m10");
}

TEST_CASE("components that exchange other fields, or send to each other, are no members") {
    CoupledRun run = named_run({"m1", "m2", "m3", "m4"});
    run.field_names = {"SST_1", "SST_2", "SST_3", "heat"};
    for (std::int32_t m = 0; m < 4; ++m)
        test::add_event(run.components[static_cast<std::size_t>(m)], Kind::get, 0, 0, 1, 2);
    const auto field_of = [&](std::size_t m) -> std::int32_t & {
        return run.components[m].table.keys.classes()[0].field;
    };
    for (std::size_t m = 0; m < 4; ++m)
        field_of(m) = static_cast<std::int32_t>(m) + 1;
    CHECK(groups_in(run) == std::vector<std::string>{"m* 3"}); // m4 gets "heat"; the others their own SST
    field_of(1) = 4;
    CHECK(groups_in(run).empty()); // two and two
    field_of(1) = 2;
    run.components[0].table.keys.classes()[0].counterpart = 2;
    CHECK(groups_in(run).empty()); // m1 gets from m2
}

TEST_CASE("a choice that is no pattern is said") {
    CHECK(member_choice("atmosphere").why_not == "'atmosphere' is no name with one * in it, as atmosphere_*");
    CHECK(member_choice("a*,b**").why_not == "'b**' is no name with one * in it, as atmosphere_*");
    CHECK(member_choice("a*,b*").patterns == std::vector<std::string>{"a*", "b*"});
    CHECK(member_choice("").why_not.empty());
    CHECK(without_number("SST_03_2m", 3) == "SST_#_2m");
    CHECK(without_number("SST_03_2m", 2) == "SST_03_#m");
    CHECK(member_number("atmosphere_*", "atmosphere_07") == 7);
    CHECK(member_number("atmosphere_*", "atmosphere_x") == -1);
}

// EnsembleMember 3 takes 0.1 s longer in each of 50 steps. 49 meetings count. In each the 7 others wait 0.1 s on 4
// cores: 49 x 7 x 0.1 x 4 = 137.2 core seconds. From the first arrival of the second meeting to the last one's
// latest: 48 x 1.101 + 0.1 = 52.948 s on 32 cores: 137.2 / 1694.336 = 8.0976 %.
TEST_CASE("a member that is always slow by a tenth") {
    const MemberGroup group = judged({.delay = [](std::size_t, std::size_t m) { return m == 2 ? 0.1 : 0.0; }});
    CHECK(group.name == "atmosphere_*");
    CHECK(group.guessed);
    CHECK(group.meet_at == "assimilation");
    CHECK(group.meetings == 49);
    CHECK(group.cost_core_s == Approx(137.2).epsilon(1e-9));
    CHECK(group.cost_share == Approx(137.2 / 1694.336).epsilon(1e-9));
    CHECK(group.spread_s == Approx(0.1).epsilon(1e-9));
    CHECK(group.slowest == 2);
    CHECK(group.of[group.slowest].step_s == Approx(1.1));
    CHECK(group.of[group.fastest].step_s == Approx(1.0));
    REQUIRE(group.parts.known());
    CHECK(group.parts.processes_s == Approx(sum_of_parts(group.parts)).epsilon(1e-6));
    REQUIRE(group.parts.last.size() == 1);
    CHECK(group.parts.last[0].process == 2);
    CHECK(group.parts.last[0].share == Approx(1.0));
    CHECK_FALSE(group.cut_explains);
    CHECK(group.parts.why_no_nodes == "the nodes of its members are not known");
}

// 4 of 20 members have their 4 processes on two nodes, and take a fifth longer; all vary by up to 0.02 s.
TEST_CASE("members that are cut across nodes are told from the others") {
    const MadeMembers made{.members = 20, .delay = [](std::size_t k, std::size_t m) {
                               return (m % 5 == 1 ? 0.2 : 0.0) + random_of(k, m, 0.02);
                           }};
    CoupledRun run = members_run(made);
    for (std::size_t m = 0; m < 20; ++m) {
        Component &c = run.components[m];
        const auto node = static_cast<std::int32_t>(2 * m);
        c.nodes = m % 5 == 1 ? 2 : 1;
        c.on_nodes = m % 5 == 1 ? std::vector{node, node + 1} : std::vector{node};
    }
    judge_members(run);
    const MemberGroup &group = run.members.at(0);
    CHECK(group.of[1].is_cut);
    CHECK_FALSE(group.of[2].is_cut);
    CHECK(group.cut_explains);
    CHECK(group.cut_later_s == Approx(0.2).margin(0.005));
    CHECK(group.parts.processes_s > 0.8 * sum_of_parts(group.parts));
    CHECK(group.parts.why_no_nodes == "each member has nodes of its own");

    for (std::size_t m = 0; m < 20; ++m) // the same four on one node, and four others are cut: that explains nothing
        run.components[m].nodes = m % 5 == 2 ? 2 : 1;
    judge_members(run);
    CHECK_FALSE(run.members.at(0).cut_explains);
}

// Slow are members 4, 9 and 13; cut are 4 and 6. They are later in the mean, 0.1 s to 0.37 / 18 = 0.02 s, but one of
// two is slow in 19 of 190 random choices of two: nobody can say that it is the cut.
TEST_CASE("a cut that may be chance explains nothing") {
    CoupledRun run = members_run({.members = 20, .delay = [](std::size_t k, std::size_t m) {
                                      const double slow = m == 3 ? 0.2 : m == 8 ? 0.19 : m == 12 ? 0.18 : 0.0;
                                      return slow + random_of(k, m, 0.01);
                                  }});
    for (std::size_t m = 0; m < 20; ++m)
        run.components[m].nodes = m == 3 || m == 5 ? 2 : 1;
    judge_members(run);
    const MemberGroup &group = run.members.at(0);
    CHECK(group.cut_later_s == Approx(0.08).margin(0.01));
    CHECK_FALSE(group.cut_explains);
}

// Four of eight are cut. If all four are late, by 0.2 s where the others differ by less than 0.02 s, it is the cut;
// if one of them is not, or if they differ from each other more than from the rest, it may be chance.
TEST_CASE("of few members, cut ones that stand apart from the others are told") {
    const auto explains = [](const std::function<double(std::size_t)> &late) {
        CoupledRun run =
            members_run({.delay = [&](std::size_t k, std::size_t m) { return late(m) + random_of(k, m, 0.02); }});
        for (std::size_t m = 0; m < 8; ++m)
            run.components[m].nodes = m % 2 == 1 ? 2 : 1;
        judge_members(run);
        return run.members.at(0).cut_explains;
    };
    CHECK(explains([](std::size_t m) { return m % 2 == 1 ? 0.2 : 0.0; }));
    CHECK_FALSE(explains([](std::size_t m) { return m % 2 == 1 && m != 3 ? 0.2 : 0.0; }));
    CHECK_FALSE(explains([](std::size_t m) { return m % 2 == 0 ? 0.0 : m == 1 ? 0.05 : 0.3; }));
}

// Two fields of one component, in turn: each field's first meeting belongs to the start-up, 48 count, 48 x 7 x 0.1 s
// x 4 cores = 134.4 core seconds.
TEST_CASE("several fields of one component are one meeting point") {
    CoupledRun run = members_run({.delay = [](std::size_t, std::size_t m) { return m == 2 ? 0.1 : 0.0; }});
    run.field_names.emplace_back("ensemble_mean");
    for (std::size_t m = 0; m < 8; ++m) {
        std::vector<EventKey> keys;
        for (std::int64_t k = 0; k < 50; ++k)
            keys.push_back({Kind::get, static_cast<std::int32_t>(1 + k % 2), 9, no_date, k / 2});
        run.components[m].table.keys = EventKeys(keys);
    }
    judge_members(run);
    const MemberGroup &group = run.members.at(0);
    REQUIRE(group.points.size() == 1);
    CHECK(group.points[0].where == "assimilation");
    CHECK(group.points[0].meetings == 48);
    CHECK(group.points[0].cost_core_s == Approx(134.4).epsilon(1e-9));
    CHECK(group.points[0].cost_share == Approx(group.cost_share));
    CHECK(group.points[0].last == 2);
}

// Four members on each of five nodes; those of the second node take 0.2 s longer.
TEST_CASE("members of one node are late together") {
    CoupledRun run = members_run({.members = 20, .steps = 200, .delay = [](std::size_t k, std::size_t m) {
                                      return (m / 4 == 1 ? 0.2 : 0.0) + random_of(k, m, 0.02);
                                  }});
    for (std::size_t m = 0; m < 20; ++m) {
        run.components[m].nodes = 1;
        run.components[m].on_nodes = {static_cast<std::int32_t>(m / 4)};
    }
    run.meters.nodes.resize(5);
    run.meters.nodes[1].name = "nid002";
    judge_members(run);
    const ImbalanceParts &p = run.members.at(0).parts;
    CHECK(p.why_no_nodes.empty());
    CHECK(p.nodes_s > 0.8 * sum_of_parts(p));
    CHECK(p.late_node == "nid002");
}

TEST_CASE("lateness that goes from member to member") {
    constexpr double pi = 3.14159265358979323846;
    const MemberGroup group = judged({.steps = 240, .delay = [](std::size_t k, std::size_t m) {
                                          const double around =
                                              static_cast<double>(k % 24) / 24 - static_cast<double>(m) / 8;
                                          return 0.1 * (1 + std::cos(2 * pi * around));
                                      }});
    CHECK(group.parts.moving_s > 0.9 * sum_of_parts(group.parts));
}

TEST_CASE("lateness by chance is told as chance") {
    const MemberGroup group =
        judged({.steps = 200, .delay = [](std::size_t k, std::size_t m) { return random_of(k, m, 0.2); }});
    CHECK(group.cost_share > 0.02);
    CHECK(group.parts.random_s > 0.95 * sum_of_parts(group.parts));
}

// The first member has 40 steps, the others 50: 39 meetings of all. It takes 0.1 s longer, until it ends.
TEST_CASE("members of different length are compared over their common steps") {
    const MadeMembers made{.delay = [](std::size_t k, std::size_t m) { return m == 0 || k >= 40 ? 0.1 : 0.0; },
                           .steps_of = [](std::size_t m) -> std::size_t { return m == 0 ? 40 : 50; }};
    const MemberGroup group = judged(made);
    CHECK(group.steps == 40);
    CHECK(group.most_steps == 50);
    CHECK(group.meetings == 39);
    CHECK(group.cost_core_s == Approx(39 * 7 * 0.1 * 4).epsilon(1e-9));
    CHECK(group.of[1].step_s == Approx(1.0)); // the first 40 only
    CHECK(group.slowest == 0);

    MadeMembers apart = made;
    apart.meet = false;
    const MemberGroup alone = judged(apart);
    CHECK(alone.why_no_cost == "its members meet nowhere and have different numbers of steps: how long each runs is "
                               "not its speed");
    CHECK_FALSE(is_known(alone.cost_core_s));
}

// They only send, and nobody waits: the 7 others end 50 x 0.1 = 5 s before member 3: 7 x 5 x 4 = 140 core seconds of
// 50 x 1.101 = 55.05 s on 32 cores.
TEST_CASE("members that meet nowhere wait at the end of the job") {
    const MemberGroup group =
        judged({.delay = [](std::size_t, std::size_t m) { return m == 2 ? 0.1 : 0.0; }, .meet = false});
    CHECK(group.meetings == 0);
    CHECK(group.cost_core_s == Approx(140).epsilon(1e-9));
    CHECK(group.cost_share == Approx(140 / (55.05 * 32)).epsilon(1e-9));
    REQUIRE(group.parts.known());
    CHECK(group.parts.processes_s == Approx(sum_of_parts(group.parts)).epsilon(1e-6));
    CHECK(group.parts.last.at(0).process == 2);
}

TEST_CASE("a receive for which nobody waits costs nothing") {
    CoupledRun run = members_run({.delay = [](std::size_t, std::size_t m) { return m == 2 ? 0.1 : 0.0; }});
    for (Component &c : run.components)
        for (EventSpan &span : c.table.spans)
            span.last_stop = span.last_start + 1000; // a microsecond
    judge_members(run);
    // 49 meetings, 7 members on 4 cores, a microsecond each.
    CHECK(run.members.at(0).cost_core_s == Approx(49 * 7 * 4 * 1e-6).epsilon(1e-6));
}

TEST_CASE("what the analysis has no time for is not known, and says why") {
    CoupledRun run = members_run({.delay = [](std::size_t, std::size_t m) { return m == 2 ? 0.1 : 0.0; }});
    judge_members(run, Budget(0, "there was no time"));
    const MemberGroup &group = run.members.at(0);
    CHECK(group.why_no_cost == "there was no time");
    CHECK_FALSE(is_known(group.cost_core_s));
    CHECK(group.slowest == 2); // by what is known without the events
}

// 2, 5, 8, ... s: 3 s with each member. The same numbers in another order show nothing.
TEST_CASE("start-up grows with the members where a line shows it") {
    CHECK(growth_by_member(std::vector<double>{2, 5, 8, 11, 14, 17}) == Approx(3));
    CHECK_FALSE(is_known(growth_by_member(std::vector<double>{11, 2, 17, 5, 14, 8})));
    CHECK_FALSE(is_known(growth_by_member(std::vector<double>{17, 14, 11, 8, 5, 2})));
    CHECK_FALSE(is_known(growth_by_member(std::vector<double>{100, 100.1, 100.2, 100.3, 100.4}))); // 0.4 %
    CHECK_FALSE(is_known(growth_by_member(std::vector<double>{2, 5, 8})));
    CHECK_FALSE(is_known(growth_by_member(std::vector<double>{2, 5, unknown, 11, 14})));
}
