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
