// Parts in several pieces: what becomes of them is worked out by hand, or counted point by point.
#include "analysis/decomposition.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <utility>

using namespace cpl_lb;

namespace {

using Numbers = std::vector<long long>;
using Point = std::pair<std::int64_t, std::int64_t>;

std::multiset<Point> points_in(const std::vector<GridPiece> &pieces) {
    std::multiset<Point> points;
    for (const GridPiece &p : pieces) {
        for (std::int64_t i = 0; i < p.count[0]; ++i)
            for (std::int64_t j = 0; j < p.count[1]; ++j)
                points.insert({p.first[0] + i, p.first[1] + j});
    }
    return points;
}

GridPart part_of_pieces(std::array<std::int64_t, 2> size, const Numbers &first, const Numbers &count) {
    GridPart part;
    CHECK(make_part(size, first, count, part).empty());
    return part;
}

std::string_view why_no_part(std::array<std::int64_t, 2> size, const Numbers &first, const Numbers &count) {
    GridPart part;
    return make_part(size, first, count, part);
}

// Single points: i and j of each.
GridPart of_points(std::array<std::int64_t, 2> size, const std::vector<Point> &points) {
    Numbers first;
    for (const auto &[i, j] : points)
        first.insert(first.end(), {i, j});
    return part_of_pieces(size, first, Numbers(first.size(), 1));
}

bool same(const GridPiece &piece, std::array<std::int64_t, 2> first, std::array<std::int64_t, 2> count) {
    return piece.first == first && piece.count == count;
}

} // namespace

TEST_CASE("pieces: rows under each other, and points beside each other, are one block") {
    const GridPart rows = part_of_pieces({4, 3}, Numbers{3, 3, 3, 1, 3, 2}, Numbers{2, 1, 2, 1, 2, 1});
    REQUIRE(rows.pieces.size() == 1);
    CHECK(same(rows.pieces[0], {3, 1}, {2, 3}));
    CHECK(rows.points == 6);
    const GridPart points = of_points({4, 3}, {{2, 2}, {1, 1}, {1, 2}, {2, 1}});
    REQUIRE(points.pieces.size() == 1);
    CHECK(same(points.pieces[0], {1, 1}, {2, 2}));
}

TEST_CASE("pieces: what is no block keeps its pieces, row after row") {
    // The last row first; the first one in two halves, which are one piece; one without points.
    const GridPart own = part_of_pieces({4, 3}, Numbers{1, 3, 1, 1, 3, 1, 2, 2}, Numbers{4, 1, 2, 1, 2, 1, 0, 1});
    CHECK(own.size == std::array<std::int64_t, 2>{4, 3});
    CHECK(own.points == 8);
    REQUIRE(own.pieces.size() == 2);
    CHECK(same(own.pieces[0], {1, 1}, {4, 1}));
    CHECK(same(own.pieces[1], {1, 3}, {4, 1}));
    CHECK_FALSE(own.is_coarse());
}

TEST_CASE("pieces: none, and pieces without points, are a process without points") {
    const auto numbers = GENERATE(Numbers{}, Numbers{2, 2}, Numbers{1, 1, 4, 3});
    const GridPart part = part_of_pieces({4, 3}, numbers, Numbers(numbers.size(), 0));
    CHECK(part.given());
    CHECK(part.points == 0);
    CHECK(part.pieces.empty());
}

TEST_CASE("pieces: what is no part of the grid") {
    constexpr long long huge = std::numeric_limits<long long>::max();
    struct Wrong {
        std::array<std::int64_t, 2> size;
        Numbers first, count;
    };
    const auto wrong =
        GENERATE(Wrong{{0, 3}, {}, {}}, Wrong{{4, -1}, {1, 1}, {1, 1}}, Wrong{{4, 3}, {0, 1}, {1, 1}},
                 Wrong{{4, 3}, {1, 1, 4, 3}, {1, 1, 2, 1}}, Wrong{{4, 3}, {1, 1}, {-1, 1}},
                 Wrong{{4, 3}, {1, 1}, {huge, huge}}, Wrong{{huge, huge}, {1, 1}, {1, 1}}, Wrong{{4, 3}, {1, 1}, {1}},
                 Wrong{{4, 3}, {1, 4}, {1, 0}}, Wrong{{4, 3}, {huge, 1}, {1, 1}});
    CHECK(why_no_part(wrong.size, wrong.first, wrong.count) == "value out of range");
    // (2, 1) is in both; the same piece twice.
    CHECK(why_no_part({4, 3}, {1, 1, 2, 1}, {2, 1, 2, 1}) == "two of its pieces have a point in common");
    CHECK(why_no_part({4, 3}, {1, 1, 1, 1}, {2, 1, 2, 1}) == "two of its pieces have a point in common");
}

TEST_CASE("pieces: of more than 16 neighbours become the box around them, and the points are still counted right") {
    // Every second of 40 rows: 20 pieces of 10 points. Four boxes of three rows have a foreign row in the middle.
    Numbers first, count;
    for (long long row = 1; row <= 39; row += 2) {
        first.insert(first.end(), {1, row});
        count.insert(count.end(), {10, 1});
    }
    const GridPart own = part_of_pieces({10, 40}, first, count);
    CHECK(own.points == 200);
    REQUIRE(own.pieces.size() == most_pieces);
    CHECK(own.is_coarse());
    const std::multiset<Point> held = points_in(own.pieces);
    CHECK(held.size() == 240); // 200, and 4 foreign rows of 10
    for (std::int64_t row = 1; row <= 39; row += 2)
        CHECK(held.count({1, row}) == 1);
    CHECK(std::all_of(own.pieces.begin(), own.pieces.end(), [](const GridPiece &p) { return p.count[1] <= 3; }));
}

TEST_CASE("pieces: boxes do not reach from one end of the grid to the other") {
    std::vector<Point> points;
    for (std::int64_t j = 1; j <= 19; j += 2) {
        points.emplace_back(1, j);
        points.emplace_back(40, j);
    }
    const GridPart own = of_points({40, 20}, points);
    REQUIRE(own.pieces.size() == most_pieces);
    CHECK(points_in(own.pieces).size() == 24); // 20, and one between two in each of four boxes
    CHECK(std::all_of(own.pieces.begin(), own.pieces.end(), [](const GridPiece &p) { return p.count[0] == 1; }));
}

TEST_CASE("pieces: a box that is full needs no division") {
    // A pinwheel of five pieces is 3 x 3 points.
    const std::vector<GridPiece> pinwheel = {
        {{1, 1}, {2, 1}}, {{3, 1}, {1, 2}}, {{2, 3}, {2, 1}}, {{1, 2}, {1, 2}}, {{2, 2}, {1, 1}}};
    const std::vector<GridPiece> one = grouped(pinwheel, 3);
    REQUIRE(one.size() == 1);
    CHECK(same(one[0], {1, 1}, {3, 3}));
    CHECK(grouped(pinwheel, 5).size() == 5);
    CHECK(grouped({}, 3).empty());
}

TEST_CASE("pieces: a hundred thousand scattered points are 16 boxes that hold them all") {
    std::vector<Point> points;
    for (std::int64_t j = 1; j <= 200; ++j)
        for (std::int64_t i = 1 + j % 2; i <= 1000; i += 2)
            points.emplace_back(i, j);
    const GridPart own = of_points({1000, 200}, points);
    CHECK(own.points == 100'000);
    REQUIRE(own.pieces.size() <= most_pieces);
    const std::multiset<Point> held = points_in(own.pieces);
    CHECK(std::all_of(points.begin(), points.end(), [&](const Point &p) { return held.count(p) > 0; }));
}

namespace {

// Two processes on a grid of 4 x 3.
ProcessFigures two(const GridPart &first, const GridPart &second) {
    ProcessFigures figures;
    figures.parts = {first, second};
    check_parts(figures);
    return figures;
}

} // namespace

TEST_CASE("pieces: with the blocks of others they make up the grid") {
    const GridPart outer = part_of_pieces({4, 3}, Numbers{1, 1, 1, 3}, Numbers{4, 1, 4, 1});
    const ProcessFigures figures = two(outer, part_of_pieces({4, 3}, {1, 2}, {4, 1}));
    CHECK(figures.why_no_parts.empty());
    REQUIRE(figures.parts.size() == 2);
    CHECK(figures.parts[1].points == 4);
    REQUIRE(figures.parts[1].pieces.size() == 1);
    CHECK(same(figures.parts[1].pieces[0], {1, 2}, {4, 1}));
}

TEST_CASE("pieces: boxes around several are not compared, the numbers of points are") {
    // Odd and even rows of 40: both have boxes, which hold each other's points.
    const auto rows_from = [](long long row) {
        Numbers first, count;
        for (; row <= 40; row += 2) {
            first.insert(first.end(), {1, row});
            count.insert(count.end(), {10, 1});
        }
        return part_of_pieces({10, 40}, first, count);
    };
    const ProcessFigures figures = two(rows_from(1), rows_from(2));
    CHECK(figures.why_no_parts.empty());
    CHECK(std::ranges::all_of(figures.parts, &GridPart::is_coarse));
    CHECK(two(rows_from(1), rows_from(4)).why_no_parts == "no process has 10 of the 400 points of the grid");
    CHECK(two(rows_from(1), part_of_pieces({10, 40}, {1, 1}, {10, 21})).why_no_parts ==
          "its processes have more than the 400 points of the grid together");
}
