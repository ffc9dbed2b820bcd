// Speed and throughput rows and the shoulder, by hand.
#include "analysis/model_rows.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// CHSY = 24 cores / SYPD
std::vector<ScalingPoint> points(const std::vector<std::pair<double, double>> &cores_and_sypd) {
    std::vector<ScalingPoint> list;
    list.reserve(cores_and_sypd.size());
    for (const auto &[cores, sypd] : cores_and_sypd)
        list.push_back({"", cores, sypd, 24 * cores / sypd});
    return list;
}

} // namespace

TEST_CASE("four counts: the fastest, the cheapest, the cheapest that is fast enough, the shoulder") {
    // CHSY: 685.7, 738.5, 822.9, 1010.5. Bend: cores 1/3 and 2/3 of the way, speed (26 - 14) / 24 = 0.5 and
    // (35 - 14) / 24 = 0.875 of it; 0.875 - 0.667 = 0.208 is more than 0.5 - 0.333 = 0.167.
    const auto list = points({{400, 14}, {800, 26}, {1200, 35}, {1600, 38}});
    const ScalingModes modes = scaling_modes(list, 20);
    CHECK(modes.speed == 3);
    CHECK(modes.cheapest == 0);
    CHECK(modes.cheapest_enough == 1u);
    CHECK(modes.shoulder == 2u);
    CHECK(scaling_modes(list, 35).cheapest_enough == 2u);
    CHECK_FALSE(scaling_modes(list, 38.1).cheapest_enough);
    CHECK_FALSE(scaling_modes(list, unknown).cheapest_enough);
}

TEST_CASE("no shoulder: a straight line, a bend below 5 %, two counts") {
    const ScalingModes straight = scaling_modes(points({{10, 1}, {20, 2}, {40, 4}}), unknown);
    CHECK_FALSE(straight.shoulder);
    CHECK(straight.why_no_shoulder == "the speed grows in nearly a straight line up to the most cores");
    // Half of the way in cores; in speed 0.54 and 0.56.
    CHECK_FALSE(scaling_modes(points({{10, 1}, {20, 1.54}, {30, 2}}), unknown).shoulder);
    CHECK(scaling_modes(points({{10, 1}, {20, 1.56}, {30, 2}}), unknown).shoulder == 1u);
    CHECK(scaling_modes(points({{10, 1}, {20, 1.5}}), unknown).why_no_shoulder.find("three numbers of cores") !=
          std::string::npos);
}

TEST_CASE(
    "points that are slower than one with fewer cores do not bend the curve; of equal ones the cheaper counts") {
    // Without the slow point (600, 10), and without the second at 800: 400, 800, 1200 with bend (26-14)/21 - 1/2 =
    // 0.07.
    const auto list = points({{400, 14}, {600, 10}, {800, 25}, {800, 26}, {1200, 35}, {1600, 35}});
    const ScalingModes modes = scaling_modes(list, unknown);
    CHECK(modes.shoulder == 3u);
    CHECK(modes.speed == 4); // 1200 cores do what 1600 do
    // Equal bends: (5 - 1) / 8 - 1/4 and (7 - 1) / 8 - 2/4.
    CHECK(scaling_modes(points({{1, 1}, {2, 5}, {3, 7}, {5, 9}}), unknown).shoulder == 1u);
}

TEST_CASE("repetitions are one point: the mean of the times") {
    // 10 and 15 SYPD: 1/10 and 1/15 day for a year, in the mean 1/12.
    auto runs = points({{800, 10}, {400, 8}, {800, 15}});
    const auto merged = repetitions_as_one(runs);
    REQUIRE(merged.size() == 2);
    CHECK(merged[0].cores == 400);
    CHECK(merged[1].sypd == Approx(12));
    CHECK(merged[1].chsy == Approx(24 * 800 / 12.));
    runs[0].name = "ocean=100";
    CHECK(repetitions_as_one(runs).size() == 3); // another split of the same cores
}

TEST_CASE("the pairs of rows that Balaji et al. 2017 print for one model are its S and T") {
    // Table 1: CM2.6, ESM2G, EC-Earth3.2; S and T as printed, SYPD and CHSY.
    for (const auto &[s, t] : std::vector<std::pair<std::pair<double, double>, std::pair<double, double>>>{
             {{2.2, 2.12e5}, {1.1, 1.81e5}}, {{36.5, 279}, {26.4, 235}}, {{4.0, 21481}, {1.3, 12126}}}) {
        const std::vector<ScalingPoint> list = {{"", t.first * t.second / 24, t.first, t.second},
                                                {"", s.first * s.second / 24, s.first, s.second}};
        const ScalingModes modes = scaling_modes(list, unknown);
        CHECK(modes.speed == 1);
        CHECK(modes.cheapest == 0);
    }
}
