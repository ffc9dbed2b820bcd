// What each process did in the loop, and its part of the grid, on their way to the master: ranks in memory.
#include "run/live/figures_gather.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include "analysis/decomposition.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

OfRanks<ProcessFigures> gathered(const WorldSetup &setup, const std::function<OwnFigures(int)> &own) {
    return step_on<ProcessFigures>(setup, [&](Transport &t, ProcessFigures &mine) {
        Group group(t, first_ranks(t.size()));
        mine = gather_figures(group, own(t.rank()));
    });
}

GridPart part_of(std::array<std::int64_t, 2> size, const std::vector<long long> &first,
                 const std::vector<long long> &count) {
    GridPart part;
    CHECK(make_part(size, first, count, part).empty());
    return part;
}

} // namespace

TEST_CASE("figures: computing is the loop less exchanges and times away") {
    // A loop from 10 to 30 s, 5 s in exchanges: 15 s. Away from 8 to 12 and from 20 to 21: 3 s of that.
    OwnExchanges loop{{10 * second, 30 * second}, false, {5 * second, true}};
    constexpr Interval running{0, 40 * second};
    CHECK(own_computing_s(loop, running, {}) == Approx(15));
    CHECK(own_computing_s(loop, {12 * second, 27 * second}, {}) == Approx(10)); // came 2 s late, left 3 s early
    const std::vector<Interval> away = {
        {8 * second, 12 * second}, {20 * second, 21 * second}, {40 * second, 50 * second}};
    CHECK(own_computing_s(loop, running, away) == Approx(12));
    loop.own.any = false; // exchanges nothing in the loop
    CHECK(std::isnan(own_computing_s(loop, running, {})));
    loop = {{10 * second, 30 * second}, true, {5 * second, true}}; // no loop
    CHECK(std::isnan(own_computing_s(loop, running, {})));
}

TEST_CASE("figures: of all processes, in the order of the group, on its leader") {
    const int ranks = GENERATE(1, 3, 8);
    const auto all = gathered(quick_world(ranks), [ranks](int rank) {
        return OwnFigures{rank + 1.0, unknown, rank == 1 ? unknown : 100.0 * rank,
                          part_of({ranks, 1}, {rank + 1, 1}, {1, 1})};
    });
    REQUIRE(all.good());
    const ProcessFigures &figures = all.results[0];
    REQUIRE(figures.computing_s.size() == static_cast<std::size_t>(ranks));
    CHECK(figures.mpi_inside_s.empty()); // nobody knows it
    REQUIRE(figures.memory_B.size() == static_cast<std::size_t>(ranks));
    REQUIRE(figures.parts.size() == static_cast<std::size_t>(ranks));
    CHECK(figures.why_no_parts.empty());
    for (int r = 0; r < ranks; ++r) {
        const auto place = static_cast<std::size_t>(r);
        CHECK(figures.computing_s[place] == r + 1);
        CHECK(is_known(figures.memory_B[place]) == (r != 1));
        REQUIRE(figures.parts[place].pieces.size() == 1);
        CHECK(figures.parts[place].pieces[0].first[0] == r + 1);
        if (r > 0) CHECK(all.results[place].empty());
    }
}

TEST_CASE("figures: a process without a part of the grid, or none with one") {
    auto all = gathered(quick_world(3), [](int rank) {
        OwnFigures own{1, 2, 3, {}};
        if (rank != 1) own.part = part_of({3, 1}, {rank + 1, 1}, {1, 1});
        return own;
    });
    REQUIRE(all.good());
    CHECK(all.results[0].parts.empty());
    CHECK(all.results[0].why_no_parts == "1 of its 3 processes gave no part of the grid");
    CHECK(all.results[0].computing_s == std::vector<double>{1, 1, 1});
    all = gathered(quick_world(3), [](int /*rank*/) { return OwnFigures{}; });
    REQUIRE(all.good());
    CHECK(all.results[0].empty());
}

TEST_CASE("figures: pieces of the grid beside the blocks of others") {
    // The grid has a column for each process and two more rows: process 1 has its column and the two rows.
    const int ranks = GENERATE(3, 8);
    const auto all = gathered(quick_world(ranks), [ranks](int rank) {
        const std::array<std::int64_t, 2> size = {ranks, 3};
        if (rank != 1) return OwnFigures{1, 2, 3, part_of(size, {rank + 1, 1}, {1, 1})};
        return OwnFigures{1, 2, 3, part_of(size, {2, 1, 1, 2}, {1, 1, ranks, 2})};
    });
    REQUIRE(all.good());
    const ProcessFigures &figures = all.results[0];
    CHECK(figures.why_no_parts.empty());
    REQUIRE(figures.parts.size() == static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        const auto place = static_cast<std::size_t>(r);
        REQUIRE(figures.parts[place].pieces.size() == (r == 1 ? 2U : 1U));
        CHECK(figures.parts[place].pieces[0].first[0] == r + 1);
    }
    CHECK(figures.parts[1].pieces[1].count[0] == ranks);
    CHECK(figures.parts[1].points == 1 + 2 * ranks);
}

TEST_CASE("figures: times in regions, of all processes, and 0 where one did not enter") {
    const int ranks = GENERATE(1, 3, 8);
    const std::vector<std::string> regions = {"radiation", "ice"};
    const auto all = step_on<ProcessFigures>(quick_world(ranks), [&](Transport &t, ProcessFigures &mine) {
        Group group(t, first_ranks(t.size()));
        OwnFigures own{1, 2, 3, {}};
        std::vector<RegionSummary> here = {{"radiation", 1, 1, 0, t.rank() + 0.5, 0}};
        if (t.rank() == 2) here.push_back({"ice", 1, 1, 0, 7, 0});
        own.regions_s = own_times(regions, here);
        mine = gather_figures(group, own, regions);
    });
    REQUIRE(all.good());
    const ProcessFigures &figures = all.results[0];
    REQUIRE(figures.regions.size() == 2);
    CHECK(figures.regions[0].region == "radiation");
    CHECK(figures.regions[1].region == "ice");
    for (int r = 0; r < ranks; ++r) {
        CHECK(figures.regions[0].seconds[static_cast<std::size_t>(r)] == r + 0.5);
        CHECK(figures.regions[1].seconds[static_cast<std::size_t>(r)] == (r == 2 ? 7 : 0));
    }
}

TEST_CASE("figures: of many regions the 32 with the most time of all processes together") {
    std::vector<RegionSummary> regions;
    regions.reserve(41);
    for (int i = 0; i < 40; ++i)
        regions.push_back({"r" + std::to_string(i), 1, 1, 0, static_cast<double>(i), 0});
    regions.push_back({"on many", 1, 10, 0, 3.95, 0}); // 39.5 s together, more than any other
    const std::vector<std::string> chosen = regions_with_most_time(regions);
    REQUIRE(chosen.size() == 32);
    CHECK(chosen[0] == "on many");
    CHECK(chosen[1] == "r39");
    CHECK(chosen[31] == "r9");
    CHECK(regions_with_most_time({}).empty());
}
