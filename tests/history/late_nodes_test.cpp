// Node or place: histories made by hand, and the chances worked out beside them.
#include "history/late_nodes.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

using Names = std::vector<std::string>;
const Names five = {"n1", "n2", "n3", "n4", "n5"};
const Names ten = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10"};

// 8 processes on each node. The late node costs 10 % of the loop, half of what processes wait for each other.
ComponentRecord ocean(const Names &nodes, const std::string &late, std::int64_t first_process) {
    ComponentRecord c;
    c.name = "ocean";
    c.step_s = 2;
    c.imbalance.processes = 8 * static_cast<std::int64_t>(nodes.size());
    c.imbalance.nodes = static_cast<std::int64_t>(nodes.size());
    c.imbalance.total_s = 0.4;
    c.imbalance.nodes_s = late.empty() ? 0 : 0.2;
    c.imbalance.late_node = late;
    c.imbalance.late_node_process = late.empty() ? -1 : first_process;
    c.imbalance.node_names = nodes;
    return c;
}

struct History {
    std::vector<RunRecord> runs;

    void add(const Names &nodes, const std::string &late, std::int64_t first_process) {
        runs.emplace_back().components = {ocean(nodes, late, first_process)};
    }
    [[nodiscard]] LateNodes answer() const {
        const std::vector<LateNodes> all = late_nodes(runs);
        REQUIRE(all.size() == 1);
        CHECK(all.front().component == "ocean");
        return all.front();
    }
};

History of_late(const Names &nodes, const std::vector<std::pair<std::string, std::int64_t>> &late) {
    History history;
    for (const auto &[node, place] : late)
        history.add(nodes, node, place);
    return history;
}

} // namespace

TEST_CASE("the same node at other places: it is the node") {
    // 5 nodes, 4 runs: 5 (1/5)^4 = 0.008.
    const LateNodes a = of_late(five, {{"n3", 0}, {"n3", 16}, {"n3", 32}, {"n3", 0}}).answer();
    CHECK(a.cause == LateCause::node);
    CHECK(a.node == "n3");
    CHECK(a.of_node == 4);
    CHECK(a.runs_of_node == 4);
    CHECK(a.places_of_node == 3);
    CHECK(a.share == Approx(0.1)); // 0.2 s of 2 s
}

TEST_CASE("other nodes at the same place: it is the place") {
    const LateNodes a = of_late(five, {{"n3", 16}, {"n1", 16}, {"n5", 16}, {"n3", 16}}).answer();
    CHECK(a.cause == LateCause::place);
    CHECK(a.place == 16);
    CHECK(a.at_place == 4);
    CHECK(a.nodes_at_place == 3);
}

TEST_CASE("the same node at the same place, and others elsewhere: not known") {
    CHECK(of_late(five, {{"n3", 16}, {"n3", 16}, {"n3", 16}, {"n3", 16}}).answer().cause == LateCause::not_known);
    CHECK(of_late(five, {{"n1", 0}, {"n2", 8}, {"n3", 16}, {"n4", 24}}).answer().cause == LateCause::not_known);
    // It was late elsewhere only once: that may be chance.
    CHECK(of_late(five, {{"n3", 16}, {"n3", 16}, {"n3", 16}, {"n3", 0}}).answer().cause == LateCause::not_known);
    CHECK(of_late(five, {{"n3", 16}, {"n3", 16}, {"n3", 16}, {"n1", 16}}).answer().cause == LateCause::not_known);
}

TEST_CASE("too few late runs for what is not chance") {
    CHECK(of_late(ten, {{"n3", 0}, {"n3", 8}}).answer().cause == LateCause::too_few);
    // 5 (1/5)^3 = 0.04 is more than 1 in 100; 10 (1/10)^3 = 0.01 is not.
    CHECK(of_late(five, {{"n3", 0}, {"n3", 8}, {"n3", 16}}).answer().cause == LateCause::too_few);
    CHECK(of_late(ten, {{"n3", 0}, {"n3", 8}, {"n3", 16}}).answer().cause == LateCause::node);
}

TEST_CASE("one late run of another node: chance is worked out with it") {
    const std::vector<std::pair<std::string, std::int64_t>> late = {
        {"n3", 0}, {"n3", 8}, {"n3", 16}, {"n3", 24}, {"n1", 32}};
    // 4 of 5 on 10 nodes: 10 (5 (1/10)^4 9/10 + (1/10)^5) = 0.0046; on 5: 5 (5 (1/5)^4 4/5 + (1/5)^5) = 0.034.
    CHECK(of_late(ten, late).answer().cause == LateCause::node);
    CHECK(of_late(five, late).answer().cause == LateCause::not_known);
}

TEST_CASE("runs in which the node took part and was not late count against it, others do not") {
    History without = of_late(five, {{"n3", 0}, {"n3", 8}, {"n3", 16}, {"n3", 24}}), with = without,
            unknown_names = without;
    for (int i = 0; i < 4; ++i) {
        without.add({"n1", "n2", "n6", "n4", "n5"}, "", 0);
        with.add(five, "", 0);
        unknown_names.add(five, "", 0);
        unknown_names.runs.back().components.front().imbalance.node_names.clear();
    }
    CHECK(without.answer().cause == LateCause::node);
    CHECK(with.answer().cause == LateCause::not_known); // 4 of 8
    CHECK(with.answer().runs_of_node == 8);
    CHECK(unknown_names.answer().cause == LateCause::not_known);
}

TEST_CASE("runs without a late node count against a place") {
    History history = of_late(five, {{"n3", 16}, {"n1", 16}, {"n5", 16}, {"n2", 16}});
    history.add(five, "", 0);
    history.add(five, "", 0); // 4 of 6
    CHECK(history.answer().cause == LateCause::not_known);
}

TEST_CASE("only runs that are laid out as the last one, and at most 30 of them") {
    History history = of_late(ten, {{"n3", 0}, {"n3", 8}, {"n3", 16}});
    for (const std::int64_t place : {0, 8, 16, 24})
        history.add(five, "n4", place);
    CHECK(history.answer().node == "n4");
    CHECK(history.answer().runs == 4);
    for (int i = 0; i < 40; ++i)
        history.add(five, "n2", std::int64_t{8} * (i % 5));
    CHECK(history.answer().node == "n2");
    CHECK(history.answer().runs == 30);
}

TEST_CASE("a late node costs 1 % of the loop and a tenth of the imbalance, and has a name") {
    ComponentRecord c = ocean(five, "n3", 16);
    CHECK(has_late_node(c));
    c.imbalance.nodes_s = 0.019; // of 2 s
    CHECK_FALSE(has_late_node(c));
    c.imbalance.nodes_s = 0.2;
    c.imbalance.total_s = 2.1;
    CHECK_FALSE(has_late_node(c));
    c = ocean(five, "", 0);
    c.imbalance.nodes_s = 0.2;
    CHECK_FALSE(has_late_node(c));
    c = ocean(five, "n3", 16);
    c.step_s = unknown; // without a loop
    CHECK_FALSE(has_late_node(c));
    std::vector<RunRecord> runs(1);
    runs.front().components = {c};
    CHECK(late_nodes(runs).empty());
    CHECK(late_nodes({}).empty());
}
