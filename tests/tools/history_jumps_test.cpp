// Why a step of a history's figure is no change: each reason where it holds, and only there.
#include "tools/history/history_output.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cpl_lb;
using Catch::Contains;
using Why = UnseenJump::Why;

namespace {

std::optional<UnseenJump> jump_of(const std::vector<double> &values) {
    return unseen_jump(values, change_points(values));
}

// In words, of a history with these speeds.
std::string words_of(const std::vector<double> &speeds) {
    std::vector<RunRecord> runs;
    runs.reserve(speeds.size());
    for (const double speed : speeds) {
        RunRecord &run = runs.emplace_back();
        run.name = "run " + std::to_string(runs.size());
        run.sypd = speed;
    }
    const HistoryView view = view_of(std::move(runs));
    std::string words;
    for (const HistoryJump &jump : view.jumps)
        words += in_words(view, jump) + "\n";
    return words;
}

// Noise of at most 1 that repeats after 7 values.
std::vector<double> two_levels(int before, int after, double step) {
    constexpr double noise[] = {0.3, -0.9, 0.6, 0.1, -0.5, 1.0, -0.6};
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(before) + static_cast<std::size_t>(after));
    for (int i = 0; i < before + after; ++i)
        values.push_back(10 + noise[i % 7] + (i < before ? 0 : step));
    return values;
}

} // namespace

TEST_CASE("no step that can be seen, or a change that is told") {
    CHECK(!jump_of({}));
    CHECK(!jump_of({12}));
    CHECK(!jump_of({12, 12, 12.5, 12, 12, 12})); // 4 % of the largest
    CHECK(!jump_of({12, 12, 12, 8, 8, 8}));
    CHECK(words_of({12, 12, 12, 8, 8, 8}).empty());
}

TEST_CASE("too few runs since a step, or before it") {
    for (const std::size_t count : {1U, 2U}) {
        std::vector<double> values(6, 12.0);
        values.insert(values.end(), count, 8.0);
        const auto after = jump_of(values);
        REQUIRE(after);
        CHECK((after->why == Why::few_after && after->at == 6 && after->runs_after == count));
        std::reverse(values.begin(), values.end());
        const auto before = jump_of(values);
        REQUIRE(before);
        CHECK((before->why == Why::few_before && before->at == count && before->runs_before == count));
    }
    CHECK(words_of({12, 12, 12, 12, 12, 12, 8}) ==
          "SYPD falls from 12 to 8 with run 7, but this does not count as a change: there is "
          "only 1 run since then, and three are needed.\n");
    CHECK(words_of({8, 8, 12, 12, 12, 12, 12}) ==
          "SYPD rises from 8 to 12 with run 3, but this does not count as a change: there are "
          "only 2 runs before it, and three are needed.\n");
    CHECK(jump_of({12, 8})->why == Why::few_after);
    // Behind a change that is told, too.
    const auto later = jump_of({12, 12, 12, 8, 8, 8, 4});
    REQUIRE(later);
    CHECK((later->why == Why::few_after && later->at == 6 && later->runs_before == 3));
}

TEST_CASE("one slow run among others") {
    const auto jump = jump_of({12, 12, 12, 12, 8, 12, 12, 12});
    REQUIRE(jump);
    CHECK(jump->why == Why::came_back);
    CHECK_THAT(words_of({12, 12, 12, 12, 8, 12, 12, 12}), Contains("the runs after it are as before"));
}

TEST_CASE("runs that all differ from each other") {
    const auto jump = jump_of({10, 14, 10, 14, 10, 14, 10, 14});
    REQUIRE(jump);
    CHECK(jump->why == Why::spread);
    CHECK(!is_known(jump->least_told));
    CHECK_THAT(words_of({10, 14, 10, 14, 10, 14, 10, 14}), Contains("differ from each other, too."));
}

TEST_CASE("the least change that is told is about where the rule begins to tell it") {
    const double least = least_change_told(two_levels(14, 14, 0), 14, 14);
    CHECK(change_points(two_levels(14, 14, 0.7 * least)).empty());
    CHECK(change_points(two_levels(14, 14, 1.5 * least)).size() == 1);
    CHECK(!is_known(least_change_told(two_levels(14, 2, 3), 14, 2)));
    CHECK(!is_known(least_change_told(std::vector<double>{1, 2, 3}, 3, 3)));
}
