// What changes take from a component's computing, and which pairs they move, by hand.
#include "prediction/changes.hpp"

#include "tests/analysis/loop_literals.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

using namespace cpl_lb::literals;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

// Two coupling steps of 10 s.
Component two_steps() {
    Component c;
    c.name = "ocean";
    c.balance.steps = {{0, 10}, {10, 10}};
    return c;
}

std::vector<ComputingPiece> pieces_of(const std::vector<Interval> &when) {
    std::vector<ComputingPiece> pieces;
    pieces.reserve(when.size());
    for (const Interval &one : when)
        pieces.push_back({{one.start * second, one.stop * second}, static_cast<double>(one.stop - one.start)});
    return pieces;
}

} // namespace

TEST_CASE("a faster component: all of its computing") {
    Component c = two_steps();
    Changes changes;
    changes.speeds = {{"ocean", "", 4}, {"atmosphere", "", 2}};
    auto pieces = pieces_of({{0, 4}, {6, 8}});
    change_computing(c, changes, pieces);
    CHECK(pieces[0].computing_s == 1);
    CHECK(pieces[1].computing_s == 0.5);
}

TEST_CASE("a faster region: its time of each step, evenly over what the component computes in it") {
    Component c = two_steps();
    RegionSummary &region = c.regions.emplace_back();
    region.name = "dynamics";
    region.steps = {{1, 0, 2, 0}, {6, 5, 8, 0}};
    Changes changes;
    changes.speeds = {{"ocean", "dynamics", 2}};
    // Computing 4 s in step 1; in step 2 2 s of a piece that began in step 1, and 3 s.
    auto pieces = pieces_of({{0, 2}, {8, 12}, {13, 16}});
    change_computing(c, changes, pieces);
    // Step 1: 1 of 4 s fall away, a quarter. Step 2: 4 of 5 s do.
    CHECK(pieces[0].computing_s == Approx(1.5));
    CHECK(pieces[1].computing_s == Approx(2 * 0.75 + 2 * 0.2));
    CHECK(pieces[2].computing_s == Approx(0.6));
}

// 9,973 x 9,967 x 9,949 x 9,941 x 9,931 is above 2^63; nobody has so many cycles.
TEST_CASE("periods whose common cycle is longer than any run") {
    Changes changes;
    changes.periods = {{"A", 9973}, {"B", 9967}, {"C", 9949}, {"D", 9941}, {"E", 9931}};
    CHECK(changes.longer_cycle() == 988'939'464'559); // of the first three: 99,400,891 x 9,949
    changes.periods = {{"A", 4}, {"B", 6}};
    CHECK(changes.longer_cycle() == 12);
}

TEST_CASE("a region never saves more than the component computes") {
    Component c = two_steps();
    RegionSummary &region = c.regions.emplace_back();
    region.name = "step";
    region.steps = {{9, 9, 9, 0}, {9, 9, 9, 0}};
    Changes changes;
    changes.speeds = {{"ocean", "step", 10}};
    auto pieces = pieces_of({{0, 4}, {11, 19}});
    change_computing(c, changes, pieces);
    CHECK(pieces[0].computing_s == 0); // 8.1 of 4
    CHECK(pieces[1].computing_s == 0); // 8.1 of 8
}

TEST_CASE("less output") {
    Component c = two_steps();
    // Output at 1 to 2, 3 to 4, 5 to 6, 7 to 8; a restart at 9 to 10.
    const ComponentLiteral made = component_of({{out(1, 2), out(3, 4), out(5, 6), out(7, 8), rst(9, 10)}});
    c.table = made.table;
    Changes changes;
    changes.output_every = 2; // the first and the third stay
    auto pieces = pieces_of({{0, 7}, {7, 10}});
    change_computing(c, changes, pieces);
    CHECK(pieces[0].computing_s == Approx(7 - 1));
    CHECK(pieces[1].computing_s == Approx(3 - 1));
    changes.output_every = 0;
    pieces = pieces_of({{0, 7}, {7, 10}});
    change_computing(c, changes, pieces);
    CHECK(pieces[0].computing_s == Approx(7 - 3));
    CHECK(pieces[1].computing_s == Approx(3 - 2));
}
