// OASIS's five kinds of partitions as blocks of a grid of 4 x 3 points, worked out by hand: row j has the points 4 (j
// - 1)
// + 1 to 4 j.
#include "adapters/cpl_lb_oasis_part.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb::adapter;

namespace {

using Two = std::array<long long, 2>;

void is(const Block &block, Two size, Two first, Two count) {
    CHECK(block.size == size);
    CHECK(block.first == first);
    CHECK(block.count == count);
}

} // namespace

TEST_CASE("OASIS partitions: serial, one process has all and another none") {
    const std::vector<Segment> serial = {{1, 12, 0}};
    is(block_of_process(serial, 12, 4, 3, 0), {4, 3}, {1, 1}, {4, 3});
    is(block_of_process(serial, 12, 4, 3, 1), {4, 3}, {1, 1}, {0, 0});
}

TEST_CASE("OASIS partitions: apples of whole rows are blocks, others lie along one direction") {
    is(block_of_process({{1, 4, 0}, {5, 8, 1}}, 12, 4, 3, 1), {4, 3}, {1, 2}, {4, 2});
    is(block_of_process({{1, 5, 0}, {6, 7, 1}}, 12, 4, 3, 1), {12, 1}, {6, 1}, {7, 1});
}

TEST_CASE("OASIS partitions: boxes") {
    // Columns 1 and 2, and columns 3 and 4: a segment for each row, which MCT may sort by their first points.
    const std::vector<Segment> boxes = {{1, 2, 0}, {3, 2, 1}, {5, 2, 0}, {7, 2, 1}, {9, 2, 0}, {11, 2, 1}};
    is(block_of_process(boxes, 12, 4, 3, 0), {4, 3}, {1, 1}, {2, 3});
    is(block_of_process(boxes, 12, 4, 3, 1), {4, 3}, {3, 1}, {2, 3});
}

TEST_CASE("OASIS partitions: an orange of which each part is a block, and one that is none") {
    const std::vector<Segment> rows = {{1, 4, 0}, {5, 2, 1}, {9, 2, 1}, {7, 2, 2}, {11, 2, 2}};
    is(block_of_process(rows, 12, 4, 3, 2), {4, 3}, {3, 2}, {2, 2});
    // The first and the last row: neither a block of the grid nor of a line.
    CHECK(block_of_process({{1, 4, 0}, {9, 4, 0}, {5, 4, 1}}, 12, 4, 3, 0).size[0] == 0);
}

TEST_CASE("OASIS partitions: points, one after the other") {
    std::vector<Segment> points;
    for (const long long first : {1, 2, 5, 6, 9, 10})
        points.push_back({first, 1, 0});
    for (const long long first : {3, 4, 7, 8, 11, 12})
        points.push_back({first, 1, 1});
    is(block_of_process(points, 12, 4, 3, 1), {4, 3}, {3, 1}, {2, 3});
}

TEST_CASE("OASIS partitions: a grid of unknown or of another size, and impossible segments") {
    is(block_of_process({{1, 4, 0}, {5, 8, 1}}, 12, -1, -1, 1), {12, 1}, {5, 1}, {8, 1});
    is(block_of_process({{1, 4, 0}, {5, 8, 1}}, 12, 5, 3, 1), {12, 1}, {5, 1}, {8, 1});
    CHECK(block_of_process({{1, 4, 0}, {5, 9, 1}}, 12, 4, 3, 1).size[0] == 0); // beyond the grid
    CHECK(block_of_process({{0, 4, 0}}, 12, 4, 3, 0).size[0] == 0);
    CHECK(block_of_process({}, 12, 4, 3, 0).size[0] == 0);
    CHECK(block_of_process({{1, 4, 0}}, 0, 0, 0, 0).size[0] == 0);
}
