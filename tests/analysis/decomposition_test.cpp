// Parts of a grid, and what makes no map.
#include "analysis/decomposition.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace cpl_lb;

namespace {

using Two = std::array<long long, 2>;

// None if it is no block.
GridPart block_of(std::array<std::int64_t, 2> size, Two first, Two count) {
    GridPart block;
    const bool good = make_part(size, first, count, block).empty();
    CHECK(good == block.given());
    return block;
}

std::string why_no_decomposition(std::vector<GridPart> parts) {
    ProcessFigures figures;
    figures.parts = std::move(parts);
    check_parts(figures);
    CHECK(figures.parts.empty() != figures.why_no_parts.empty());
    return figures.why_no_parts;
}

} // namespace

TEST_CASE("domains: a block keeps its numbers") {
    const GridPart block = block_of({10, 20}, {3, 4}, {5, 6});
    REQUIRE(block.pieces.size() == 1);
    CHECK(block.points == 30);
    CHECK(block.size == std::array<std::int64_t, 2>{10, 20});
    CHECK(block_of({10, 20}, {10, 20}, {1, 1}).points == 1);
    CHECK(block_of({10, 20}, {3, 4}, {0, 6}).points == 0); // a process without points
    CHECK(block_of({10, 20}, {3, 4}, {0, 6}).given());
    CHECK(block_of({10, 20}, {3, 4}, {0, 6}).pieces.empty());
}

TEST_CASE("domains: holes that the model speaks of are no mistake, and others are") {
    // 4 x 3 without the points (3, 2) and (4, 2).
    ProcessFigures figures;
    const auto give = [&](std::int64_t left_out) {
        figures = {};
        figures.parts = {block_of({4, 3}, {1, 1}, {4, 1}), block_of({4, 3}, {1, 2}, {2, 2}),
                         block_of({4, 3}, {3, 3}, {2, 1})};
        figures.left_out = left_out;
        check_parts(figures);
        return figures.why_no_parts;
    };
    CHECK(give(2).empty());
    CHECK(figures.parts.size() == 3);
    CHECK(give(0) == "no process has 2 of the 12 points of the grid");
    CHECK(figures.parts.empty());
    CHECK(give(3) == "no process has 2 of the 12 points of the grid, but the model says that it leaves out 3");
    CHECK(give(1) == "no process has 2 of the 12 points of the grid, but the model says that it leaves out 1");
    // All points are there, and the model leaves out one.
    figures = {};
    figures.parts = {block_of({4, 3}, {1, 1}, {4, 3})};
    figures.left_out = 1;
    check_parts(figures);
    CHECK(figures.why_no_parts ==
          "no process has 0 of the 12 points of the grid, but the model says that it leaves out 1");
}

TEST_CASE("domains: blocks that are the grid") {
    // 4 x 2 in four blocks; 3 x 3 as a pinwheel, which no line cuts from side to side; one with a process without
    // points.
    using Blocks = std::vector<GridPart>;
    const auto good = GENERATE(Blocks{block_of({4, 2}, {1, 1}, {2, 1}), block_of({4, 2}, {3, 1}, {2, 1}),
                                      block_of({4, 2}, {1, 2}, {2, 1}), block_of({4, 2}, {3, 2}, {2, 1})},
                               Blocks{block_of({3, 3}, {1, 1}, {2, 1}), block_of({3, 3}, {3, 1}, {1, 2}),
                                      block_of({3, 3}, {2, 3}, {2, 1}), block_of({3, 3}, {1, 2}, {1, 2}),
                                      block_of({3, 3}, {2, 2}, {1, 1})},
                               Blocks{block_of({4, 1}, {1, 1}, {4, 1}), block_of({4, 1}, {2, 1}, {0, 0})});
    CHECK(why_no_decomposition(good).empty());
}

TEST_CASE("domains: blocks that are no map") {
    std::vector<GridPart> parts = {block_of({4, 2}, {1, 1}, {2, 2}), block_of({4, 2}, {3, 1}, {2, 2})};
    CHECK(why_no_decomposition(parts).empty());
    parts[1] = block_of({4, 2}, {2, 2}, {3, 1});
    CHECK(why_no_decomposition(parts) == "its processes 0 and 1 both have point (2, 2) of the grid");
    parts[1] = block_of({4, 2}, {3, 1}, {2, 1});
    CHECK(why_no_decomposition(parts) == "no process has 2 of the 8 points of the grid");
    parts[1] = block_of({4, 3}, {3, 1}, {2, 2});
    CHECK(why_no_decomposition(parts) ==
          "its process 0 has a part of a grid of 4 x 2 points, process 1 of one of 4 x 3");
    parts[1] = {};
    CHECK(why_no_decomposition(parts) == "1 of its 2 processes gave no part of the grid");
}

TEST_CASE("domains: what does not hold is taken out, with the reason; none at all is no fault") {
    ProcessFigures figures;
    figures.parts.resize(3);
    check_parts(figures);
    CHECK(figures.parts.empty());
    CHECK(figures.why_no_parts.empty());
    figures.parts = {block_of({2, 1}, {1, 1}, {1, 1}), block_of({2, 1}, {2, 1}, {1, 1})};
    check_parts(figures);
    CHECK(figures.parts.size() == 2);
    figures.parts[0] = {};
    check_parts(figures);
    CHECK(figures.parts.empty());
    CHECK(figures.why_no_parts == "1 of its 2 processes gave no part of the grid");
}
