// Regions by step, by hand.
#include "analysis/region_steps.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

std::vector<double> laid(const std::vector<Nanoseconds> &edges, Interval when, double seconds) {
    std::vector<double> steps(edges.size() - 1);
    add_calls(steps, edges, when, seconds);
    return steps;
}

RegionSummary region(const std::string &name, double mean_s, int processes = 2) {
    RegionSummary r;
    r.name = name;
    r.processes = processes;
    r.mean_s = mean_s;
    return r;
}

// A component of as many steps as the region has, whose imbalance is given.
Component with_regions(double imbalance_s, std::vector<RegionSummary> regions) {
    Component c;
    c.balance.imbalance_s = imbalance_s;
    c.balance.steps.resize(regions.front().steps.size());
    c.balance.step_count = static_cast<std::int64_t>(c.balance.steps.size());
    c.regions = std::move(regions);
    return c;
}

// differ: most - least of each step.
RegionSummary differing(const std::string &name, double mean_s, const std::vector<double> &differ) {
    RegionSummary r = region(name, mean_s);
    for (const double d : differ)
        r.steps.push_back({1 + d / 2, 1, 1 + d, 0});
    return r;
}

} // namespace

TEST_CASE("calls lie in the step of their time, evenly where they go over its border") {
    const std::vector<Nanoseconds> edges = {10 * second, 20 * second, 30 * second, 40 * second};
    CHECK(laid(edges, {12 * second, 15 * second}, 2) == std::vector<double>{2, 0, 0});
    CHECK(laid(edges, {20 * second, 21 * second}, 1) == std::vector<double>{0, 1, 0}); // a step owns its begin
    // 18 to 34 s, 8 of 16 s busy: 2 of 16 in the first step, 10 in the second, 4 in the third, halved.
    CHECK(laid(edges, {18 * second, 34 * second}, 8) == std::vector<double>{1, 5, 2});
    // Before and after the loop nothing counts.
    CHECK(laid(edges, {0, 8 * second}, 8) == std::vector<double>{0, 0, 0});
    CHECK(laid(edges, {0, 12 * second}, 12) == std::vector<double>{2, 0, 0});
    CHECK(laid(edges, {38 * second, 48 * second}, 10) == std::vector<double>{0, 0, 2});
    CHECK(laid(edges, {40 * second, 48 * second}, 8) == std::vector<double>{0, 0, 0});
    CHECK(laid(edges, {15 * second, 15 * second}, 0) == std::vector<double>{0, 0, 0});
}

TEST_CASE("regions of a hundredth of the loop are looked at, those with the most time first") {
    Window window;
    window.steps = {0, 50 * second, 100 * second};
    // A hundredth of 4 processes and 100 s is 4 s in all: 'rare' has 2 x 1.9, 'serial' 1 x 5.
    const std::vector<RegionSummary> all = {region("rare", 1.9), region("serial", 5, 1), region("all", 20, 4)};
    const RegionPlan plan = plan_regions(window, all, 4);
    CHECK(plan.regions == std::vector<std::string>{"all", "serial"});
    CHECK(plan.edges == window.steps);
    CHECK(plan.fits_together());
    CHECK(plan_regions(Window(), all, 4).regions.empty());
    CHECK(plan_regions(window, {}, 4).edges.empty());
}

TEST_CASE("many steps: the groups of the list, and fewer regions") {
    Window window;
    for (Nanoseconds i = 0; i <= 25'000; ++i)
        window.steps.push_back(i * second);
    std::vector<RegionSummary> all;
    all.reserve(20);
    for (int r = 0; r < 20; ++r)
        all.push_back(region("region " + std::to_string(r), 1000.0 - r));
    const RegionPlan plan = plan_regions(window, all, 2);
    // 25,000 steps in groups of 3: 8,334 of them; 65,536 / 8,334 = 7.86 regions.
    CHECK(plan.steps() == 8334);
    CHECK(plan.edges[1] == 3 * second);
    CHECK(plan.edges.back() == 25'000 * second);
    CHECK(plan.regions.size() == 7);
    CHECK(plan.fits_together());
}

TEST_CASE("damaged plans do not fit") {
    const RegionPlan good{{"a"}, {0, 1}};
    CHECK(good.fits_together());
    CHECK_FALSE(RegionPlan{{"a"}, {0}}.fits_together());
    CHECK_FALSE(RegionPlan{{"a"}, {}}.fits_together());
    CHECK_FALSE(RegionPlan{{}, {0, 1}}.fits_together());
    CHECK_FALSE(RegionPlan{{"a"}, {1, 0}}.fits_together());
    CHECK_FALSE(RegionPlan{std::vector<std::string>(2, "a"), std::vector<Nanoseconds>(40'000, 0)}.fits_together());
}

TEST_CASE("processes together: mean, least, most, and the first of the slowest") {
    RegionTimesOfSome all = of_one_process(3, 0);
    all.add(of_one_process(5, 1));
    RegionTimesOfSome others = of_one_process(5, 2);
    others.add(of_one_process(1, 3));
    others.add(all);                   // in any order
    CHECK(others.all().mean_s == 3.5); // (3 + 5 + 5 + 1) / 4
    CHECK(others.all().min_s == 1);
    CHECK(others.all().max_s == 5);
    CHECK(others.all().slowest == 1);
    others.add(of_one_process(unknown, 4));
    CHECK_FALSE(is_known(others.all().mean_s));
}

TEST_CASE("the inner one of nested regions makes the difference") {
    // Four of sixty steps: 2 s more each, and 0.1 s in all. 4 x 2 + 60 x 0.1 = 14 s; the outer one has 14.6 s.
    std::vector<double> inner(60, 0.1), outer(60, 0.11), other(60, 0.01);
    for (const std::size_t i : {0U, 13U, 31U, 50U}) {
        inner[i] += 2;
        outer[i] += 2;
    }
    const Component c = with_regions(
        11, {differing("step", 60, outer), differing("radiation", 9, inner), differing("physics", 5, other)});
    const RegionDifference found = find_region_difference(c);
    REQUIRE(found.region != nullptr);
    CHECK(found.region->name == "radiation");
    CHECK(found.seconds == Approx(14));
}

TEST_CASE("no region makes the difference if none has half of the imbalance, or none is known by step") {
    const std::vector<double> differ(20, 0.1); // 2 s
    CHECK(find_region_difference(with_regions(4.1, {differing("a", 9, differ)})).region == nullptr);
    const RegionDifference half = find_region_difference(with_regions(3.9, {differing("a", 9, differ)}));
    REQUIRE(half.region != nullptr);
    Component other = with_regions(3.9, {differing("a", 9, differ)});
    other.balance.steps.resize(19); // of another reading of the run
    CHECK(find_region_difference(other).region == nullptr);
    CHECK(find_region_difference(with_regions(unknown, {differing("a", 9, differ)})).region == nullptr);
}
