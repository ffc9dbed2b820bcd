// Members of an ensemble: which components they are by their names, and their figures as one component.
#include "analysis/members.hpp"
#include "tests/named_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using cpl_lb::test::named_run;

namespace {

using Names = std::vector<std::string>;

// "atmosphere_* 3" for each group that is one row.
Names groups_in(CoupledRun run, const std::string &choice = "") {
    run.run.members = choice;
    Names found;
    for (const ComponentGroup &group : component_groups(run))
        if (group.is_folded()) found.push_back(group.name + " " + std::to_string(group.of.size()));
    return found;
}

std::string remark_on(CoupledRun run, const std::string &choice) {
    run.run.members = choice;
    remark_on_members(run);
    return run.remarks.empty() ? "" : run.remarks.at(0);
}

// Three members, and an ocean before the last of them; loops of 10 s. They compute 6, 7 and 8 s on 4, 4 and 8 cores,
// and wait for the ocean, which waits for the first and the last of them.
CoupledRun three_members() {
    CoupledRun run = named_run({"atmosphere_01", "atmosphere_02", "ocean", "atmosphere_03"});
    std::int32_t rank = 0;
    for (Component &c : run.components) {
        const double computing_s = c.name == "ocean" ? 7 : 5 + c.name.back() - '0';
        const double waiting_s = 10 - computing_s;
        c.balance.loop_s = 10;
        c.balance.computing_s = computing_s;
        c.balance.waiting_s = waiting_s;
        c.balance.coupling_cost = waiting_s / 10;
        c.balance.waiting_for = {{3, waiting_s, 0}};
        for (int p = c.name == "atmosphere_03" ? -4 : 0; p < 4; ++p)
            c.ranks.push_back(rank++);
        c.events = 5;
    }
    run.components[2].balance.waiting_for = {{1, 1, 0}, {4, 1.5, 0.5}};
    return run;
}

const Component &named(const FoldedRun &whole, const std::string &name) {
    for (const Component &c : whole.run.components)
        if (c.name == name) return c;
    throw std::runtime_error("no " + name);
}

} // namespace

TEST_CASE("names that differ in one number only are members") {
    CHECK(groups_in(named_run({"atmosphere_01", "atmosphere_02", "atmosphere_03", "ocean"})) ==
          Names{"atmosphere_* 3"});
    CHECK(groups_in(named_run({"CPL:ATM_0001", "CPL:ATM_0002", "CPL:ATM_0003"})) == Names{"CPL:ATM_* 3"});
    CHECK(groups_in(named_run({"ocn.7", "ocn.8", "ocn.9", "ice1", "ice2", "ice3"})) == Names{"ocn.* 3", "ice* 3"});
    CHECK(groups_in(named_run({"m_8", "m_09", "m_010"})) == Names{"m_* 3"}); // with zeros or without
    CHECK(groups_in(named_run({"m10", "9m", "m1", "m"})).empty());
    CHECK(groups_in(named_run({"atmosphere_1", "atmosphere_2"})).empty()); // two are chance
    CHECK(groups_in(named_run({"atmosphere_1", "ocean", "ice"})).empty());
}

TEST_CASE("of several numbers in a name the one counts that more components have") {
    CHECK(groups_in(named_run({"a_1_1", "a_1_2", "a_1_3", "a_2_1"})) == Names{"a_1_* 3"});
    CHECK(groups_in(named_run({"t63_1", "t63_2", "t63_3", "t127_1", "t127_2", "t127_3"})) ==
          Names{"t63_* 3", "t127_* 3"});
    // Each of a_1_1, a_2_1, a_3_1 and a_4_1 is in one group; a_1_2 and a_1_3 are too few then.
    CHECK(groups_in(named_run({"a_1_1", "a_1_2", "a_1_3", "a_2_1", "a_3_1", "a_4_1"})) == Names{"a_*_1 4"});
}

TEST_CASE("the user chooses members, also two, by names with a star") {
    CHECK(groups_in(named_run({"atmosphere_1", "atmosphere_2"}), "atmosphere_*") == Names{"atmosphere_* 2"});
    CHECK(groups_in(named_run({"m1", "m2", "m3", "n1", "n2"}), "n*") == Names{"n* 2"});
    CHECK(groups_in(named_run({"m1", "m2", "nx", "ny", "n"}), "n*,m*") == Names{"m* 2", "n* 2"});
    CHECK(groups_in(named_run({"m1x", "m2x", "m3", "mx"}), "m*x") == Names{"m*x 2"}); // a star is some text
    CHECK(groups_in(named_run({"m1", "m2", "m3"}), "none").empty());
    CHECK(groups_in(named_run({"m1", "m2", "m3"}), "m1").empty()); // no pattern: nothing is chosen
    CHECK(groups_in(named_run({"m1", "ocean"}), "m*").empty());    // a single one is no ensemble
    CHECK(remark_on(named_run({"m1", "ocean"}), "m*") ==
          "no members of an ensemble as chosen: fewer than two components are called m*");
    CHECK(remark_on(named_run({"m1", "m2"}), "m*").empty());
    CHECK(remark_on(named_run({"m1", "m2"}), "m") ==
          "no members of an ensemble as chosen: 'm' is no name with one * in it, as atmosphere_*");
    CHECK(member_choice("a*,b**").why_not == "'b**' is no name with one * in it, as atmosphere_*");
    CHECK(member_choice("a*,none").why_not == "'none' is no name with one * in it, as atmosphere_*");
    CHECK(member_choice("a*,b*").patterns == Names{"a*", "b*"});
    CHECK(member_choice("none").patterns.empty());
    CHECK(member_choice("none").why_not.empty());
}

TEST_CASE("a remark on an earlier choice goes with it") {
    CoupledRun run = named_run({"m1", "m2"});
    run.run.members = "n*";
    remark_on_members(run);
    run.run.members = "o*";
    remark_on_members(run);
    CHECK(run.remarks == Names{"no members of an ensemble as chosen: fewer than two components are called o*"});
    run.run.members = "none";
    remark_on_members(run);
    CHECK(run.remarks.empty());
}

TEST_CASE("components that wait for each other's messages are guessed to be no members") {
    CoupledRun run = named_run({"m1", "m2", "m3"});
    run.components[0].balance.waiting_for = {{2, 3, 0, 3}, {1, 1, 0}}; // in collective operations, and for itself
    CHECK(groups_in(run) == Names{"m* 3"});
    run.components[0].balance.waiting_for = {{2, 4, 0, 3}}; // 1 s of 4 s in GET
    CHECK(groups_in(run).empty());
    run.components[0].balance.waiting_for = {{2, 3, 0.5, 3}}; // in PUT
    CHECK(groups_in(run).empty());
    CHECK(groups_in(run, "m*") == Names{"m* 3"}); // the user says so
}

TEST_CASE("I/O servers with numbers are guessed to be no members") {
    CoupledRun run = named_run({"xios1", "xios2", "xios3"});
    for (Component &c : run.components)
        c.balance.is_io_server = true;
    CHECK(groups_in(run).empty());
}

// Means of 6, 7 and 8 s, and of 4, 3 and 2 s; 4 + 4 + 8 processes of one core. The group waits 3 s for the ocean, and
// the ocean 1 + 1.5 + 0.5 s for the group.
TEST_CASE("members as one component have sums of processes and means of times") {
    const CoupledRun run = three_members();
    const FoldedRun whole = folded(run);
    REQUIRE(whole.run.components.size() == 2);
    CHECK(whole.groups[0].of == std::vector<std::size_t>{0, 1, 3});
    CHECK(whole.run.components[1].name == "ocean");
    const Component &c = whole.run.components[0];
    CHECK(c.name == "atmosphere_*");
    CHECK(c.id == 1);
    CHECK(whole.run.component_name(1) == "atmosphere_*");
    CHECK(c.ranks.size() == 16);
    CHECK(c.cores() == 16);
    CHECK(c.events == 15);
    CHECK(c.balance.loop_s == Approx(10));
    CHECK(c.balance.computing_s == Approx(7));
    CHECK(c.balance.waiting_s == Approx(3));
    CHECK(c.balance.coupling_cost == Approx(0.3));
    REQUIRE(c.balance.waiting_for.size() == 1);
    CHECK(c.balance.waiting_for[0].component == 3);
    CHECK(c.balance.waiting_for[0].get_s == Approx(3));
    const std::vector<WaitingFor> &ocean = named(whole, "ocean").balance.waiting_for;
    REQUIRE(ocean.size() == 1);
    CHECK(ocean[0].component == 1);
    CHECK(ocean[0].get_s == Approx(2.5));
    CHECK(ocean[0].put_s == Approx(0.5));
    CHECK(whole.groups[0].computing_s.min == 6);
    CHECK(whole.groups[0].computing_s.max == 8);
    CHECK(whole.groups[0].waiting_s.min == 2);
    CHECK(whole.groups[0].waiting_s.max == 4);
    CHECK(folded(run, true).run.component_name(1) == "atmosphere_* (3 members)");
}

// The second has no jitter, so it is the mean of 1 and 2 s; nobody has a mapping. The third has no loop: the others
// wait 4 and 3 s for the ocean.
TEST_CASE("figures that some members do not have are of the others, and n/a where none has them") {
    CoupledRun run = three_members();
    run.components[0].balance.jitter_s = 1;
    run.components[3].balance.jitter_s = 2;
    ComponentBalance &last = run.components[3].balance;
    last.loop_s = last.computing_s = last.waiting_s = unknown;
    last.waiting_for.clear();
    const FoldedRun whole = folded(run);
    const ComponentBalance &b = whole.run.components[0].balance;
    CHECK(b.jitter_s == Approx(1.5));
    CHECK(b.computing_s == Approx(6.5));
    CHECK_FALSE(is_known(b.mapping_s));
    CHECK_FALSE(is_known(b.critical_share));
    CHECK(b.waiting_for.at(0).get_s == Approx(3.5));
    CHECK(whole.groups[0].computing_s.max == 7);
    for (Component &c : run.components)
        c.balance.computing_s = unknown;
    CHECK_FALSE(is_known(folded(run).groups[0].computing_s.min));
}

// The ocean has 40 % of the critical path, the members 20, 10 and 30: together 60 %.
TEST_CASE("members are the slow side together") {
    CoupledRun run = three_members();
    const double shares[] = {0.2, 0.1, 0.4, 0.3};
    for (std::size_t i = 0; i < 4; ++i)
        run.components[i].balance.critical_share = shares[i];
    run.balance.slow_side = 3;
    FoldedRun whole = folded(run);
    CHECK(whole.run.balance.slow_side == 1);
    CHECK(whole.run.components[0].balance.critical_share == Approx(0.6));
    run.components[2].balance.critical_share = 0.7;
    CHECK(folded(run).run.balance.slow_side == 3);
    // The path changes between two of the members: the group is slow, and nobody equally so.
    run.components[2].balance.critical_share = 0.4;
    run.balance.slow_side = 0;
    run.balance.equally_slow = {1, 4};
    whole = folded(run);
    CHECK(whole.run.balance.slow_side == 1);
    CHECK(whole.run.balance.equally_slow.empty());
    // No path is known, or each stands for itself: as it is.
    run.balance.equally_slow.clear();
    CHECK(folded(run).run.balance.slow_side == 0);
    run.balance.equally_slow = {1, 4};
    run.run.members = "none";
    CHECK(folded(run).run.balance.equally_slow == std::vector<std::int32_t>{1, 4});
    CHECK(folded(run).run.components.size() == 4);
}
