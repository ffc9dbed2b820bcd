// Components of which each gets as many cores as the others: one unit, with figures worked out by hand.
#include "prediction/best_split.hpp"
#include "prediction/coupling_graph.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

ProcessorPool leaf(std::size_t component) {
    return {ProcessorPool::Kind::component, component, {}};
}

ProcessorPool side_by_side(std::vector<ProcessorPool> parts) {
    return {ProcessorPool::Kind::side_by_side, 0, std::move(parts)};
}

ProcessorPool in_turn(std::vector<ProcessorPool> parts) {
    return {ProcessorPool::Kind::one_after_other, 0, std::move(parts)};
}

// Two members of 10 and 30 s on 2 cores, one with 1 and one with 2 threads for each process; an ocean of 5 s on 4.
std::vector<SplitUnit> two_members() {
    return split_units({{10, 2, 1, false}, {5, 4, 1, false}, {30, 2, 2, false}}, {{0, 2}});
}

} // namespace

// One member's work: (10 s x 2 + 30 s x 2) / 2 = 40 core s. On 8 cores for both each has 4: 10 s. The counts of both
// come in steps of 2 x 2 threads.
TEST_CASE("members are one unit of the split, in the place of the first one") {
    const std::vector<SplitUnit> units = two_members();
    REQUIRE(units.size() == 2);
    CHECK(units[0].of == std::vector<std::size_t>{0, 2});
    CHECK(units[1].of == std::vector<std::size_t>{1});
    CHECK(units[0].work_s == Approx(40));
    CHECK(units[0].present == 4);
    CHECK(units[0].step() == 4);
    CHECK(units[0].computing_s(8) == Approx(10));
    CHECK(units[1].computing_s(8) == Approx(2.5));
}

// 8 cores of both members beside 3 of the ocean.
TEST_CASE("the pool has one leaf for each unit") {
    const ProcessorPool pool = pool_of_units(side_by_side({leaf(0), leaf(1), leaf(2)}), two_members());
    CHECK(pool.parts.size() == 2);
    CHECK(pool.of_all({8, 3}) == 11);
}

TEST_CASE("members that share cores with others have no split of their own") {
    const std::vector<SplitUnit> units = two_members();
    CHECK_THROWS_WITH(pool_of_units(side_by_side({in_turn({leaf(0), leaf(1)}), leaf(2)}), units),
                      "members of an ensemble share cores with others, and what each would take with other cores is "
                      "not known");
    const ProcessorPool half = side_by_side({in_turn({side_by_side({leaf(0)}), leaf(1)}), leaf(2)});
    CHECK_THROWS_WITH(pool_of_units(half, units),
                      "some members of an ensemble share cores with others, and some do not: what another split "
                      "could gain is not known");
    // Components that are alone are split whoever shares with whom.
    const std::vector<SplitUnit> alone = split_units({{10, 2, 1, false}, {5, 2, 1, false}}, {});
    CHECK(pool_of_units(in_turn({leaf(0), leaf(1)}), alone).of_all({2, 2}) == 2);
}
