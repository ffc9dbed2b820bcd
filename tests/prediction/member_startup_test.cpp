// Start-up against the number of members, with lines worked out by hand.
#include "prediction/member_plan.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

using MemberCounts = std::vector<std::int64_t>;

StartupOfRuns startup_with(const std::vector<std::pair<std::int64_t, double>> &measured) {
    std::vector<StartupOfRun> runs;
    runs.reserve(measured.size());
    for (const auto &[members, startup_s] : measured)
        runs.push_back({"", members, startup_s});
    return startup_of_runs(std::move(runs));
}

} // namespace

// 11 + 1.9 x members: 30, 49 and 87 s.
TEST_CASE("start-up of runs with three numbers of members grows by the slope of their line") {
    const StartupOfRuns all = startup_with({{40, 87}, {10, 30}, {20, 49}});
    CHECK(all.members == MemberCounts{10, 20, 40});
    CHECK(all.runs.front().members == 10);
    CHECK(all.growth_s == Approx(1.9));
    // 30, 55 and 87 s: the members less their mean of 70 / 3 are -40 / 3, -10 / 3, 50 / 3, the seconds less theirs
    // -82 / 3, -7 / 3, 89 / 3: (3280 + 70 + 4450) / (1600 + 100 + 2500) = 13 / 7.
    CHECK(startup_with({{10, 30}, {20, 55}, {40, 87}}).growth_s == Approx(13.0 / 7));
    // A second run with 10 members takes 30 s, too, and lies on the line as well.
    const StartupOfRuns four = startup_with({{10, 30}, {10, 30}, {20, 49}, {40, 87}});
    CHECK(four.members == MemberCounts{10, 20, 40});
    CHECK(four.growth_s == Approx(1.9));
}

TEST_CASE("start-up of runs: no slope of two numbers, nor where no line shows it") {
    CHECK_FALSE(is_known(startup_with({{10, 30}, {20, 49}}).growth_s));
    CHECK_FALSE(is_known(startup_with({{10, 30}, {10, 31}, {20, 49}, {20, 50}}).growth_s));
    CHECK_FALSE(is_known(startup_with({{10, 30}, {20, 90}, {40, 40}}).growth_s));
    // 16.7 / 466.7 s for a member: 1.07 s from 10 to 40 members, less than a tenth of the mean of 30.3 s.
    CHECK_FALSE(is_known(startup_with({{10, 30}, {20, 30}, {40, 31}}).growth_s));
    const StartupOfRuns one_less = startup_with({{10, 30}, {20, unknown}, {40, 87}});
    CHECK(one_less.members == MemberCounts{10, 40});
    CHECK_FALSE(is_known(one_less.growth_s));
    CHECK(one_less.runs.size() == 3);
    CHECK(startup_with({}).runs.empty());
}
