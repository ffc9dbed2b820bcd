// OASIS's five kinds of partitions as pieces of a grid of 4 x 3 points, worked out by hand: row j has the points 4 (j
// - 1)
// + 1 to 4 j.
#include "adapters/cpl_lb_oasis_part.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb::adapter;

namespace {

using Two = std::array<long long, 2>;
using Numbers = std::vector<long long>;

void is(const Pieces &pieces, Two size, const Numbers &first, const Numbers &count) {
    CHECK(pieces.size == size);
    CHECK(pieces.first == first);
    CHECK(pieces.count == count);
}

} // namespace

TEST_CASE("OASIS partitions: serial, one process has all and another none") {
    const std::vector<Segment> serial = {{1, 12, 0}};
    is(pieces_of_process(serial, 12, 4, 3, 0), {4, 3}, {1, 1}, {4, 3});
    is(pieces_of_process(serial, 12, 4, 3, 1), {4, 3}, {}, {});
}

TEST_CASE("OASIS partitions: apples of whole rows, and others") {
    is(pieces_of_process({{1, 4, 0}, {5, 8, 1}}, 12, 4, 3, 1), {4, 3}, {1, 2}, {4, 2});
    // Points 2 to 11: the rest of row 1, row 2, the begin of row 3.
    is(pieces_of_process({{1, 1, 0}, {2, 10, 1}, {12, 1, 0}}, 12, 4, 3, 1), {4, 3}, {2, 1, 1, 2, 1, 3},
       {3, 1, 4, 1, 3, 1});
    // Points 6 and 7 lie within row 2; points 4 and 5 in two rows.
    is(pieces_of_process({{6, 2, 1}}, 12, 4, 3, 1), {4, 3}, {2, 2}, {2, 1});
    is(pieces_of_process({{4, 2, 1}}, 12, 4, 3, 1), {4, 3}, {4, 1, 1, 2}, {1, 1, 1, 1});
}

TEST_CASE("OASIS partitions: boxes are a piece for each row, which MCT may sort by their first points") {
    const std::vector<Segment> boxes = {{1, 2, 0}, {3, 2, 1}, {5, 2, 0}, {7, 2, 1}, {9, 2, 0}, {11, 2, 1}};
    is(pieces_of_process(boxes, 12, 4, 3, 1), {4, 3}, {3, 1, 3, 2, 3, 3}, {2, 1, 2, 1, 2, 1});
}

TEST_CASE("OASIS partitions: an orange, the first and the last row") {
    is(pieces_of_process({{1, 4, 0}, {9, 4, 0}, {5, 4, 1}}, 12, 4, 3, 0), {4, 3}, {1, 1, 1, 3}, {4, 1, 4, 1});
}

TEST_CASE("OASIS partitions: points, one after the other") {
    is(pieces_of_process({{1, 1, 1}, {7, 1, 1}, {12, 1, 1}, {2, 5, 0}}, 12, 4, 3, 1), {4, 3}, {1, 1, 3, 2, 4, 3},
       {1, 1, 1, 1, 1, 1});
}

TEST_CASE("OASIS partitions: points that the model leaves out, as the size that it gave says") {
    // 10 of 12 points: row 2 lacks points 6 and 7. OASIS has 12, which the model gave: without, it has the sum, 10.
    const std::vector<Segment> land = {{1, 5, 0}, {8, 5, 1}};
    const Pieces told = pieces_of_process(land, 12, 4, 3, 1);
    is(told, {4, 3}, {4, 2, 1, 3}, {1, 1, 4, 1});
    CHECK(told.left_out == 2);
    CHECK(pieces_of_process(land, 12, 4, 3, 0).left_out == 2); // on all processes
    CHECK(pieces_of_process(land, 12, -1, -1, 1).size == Two{12, 1});
    CHECK(pieces_of_process({{1, 5, 0}, {6, 7, 1}}, 12, 4, 3, 1).left_out == 0);
    // The model said nothing: the holes are in the namcouple's grid, or before the last point, and nobody left them
    // out.
    const Pieces hole = pieces_of_process(land, 10, 4, 3, 1);
    is(hole, {4, 3}, {4, 2, 1, 3}, {1, 1, 4, 1});
    CHECK(hole.left_out == 0);
    is(pieces_of_process(land, 10, -1, -1, 1), {12, 1}, {8, 1}, {5, 1});
    is(pieces_of_process(land, 10, 3, 3, 1), {12, 1}, {8, 1}, {5, 1}); // no grid of 9 points
    CHECK(pieces_of_process(land, 11, 4, 3, 1).size[0] == 0); // the model gave fewer points than its last one
}

TEST_CASE("OASIS partitions: a grid of unknown or of another size is one direction, and impossible segments") {
    const std::vector<Segment> apples = {{1, 4, 0}, {5, 8, 1}};
    is(pieces_of_process(apples, 12, -1, -1, 1), {12, 1}, {5, 1}, {8, 1});
    is(pieces_of_process(apples, 12, 5, 3, 1), {12, 1}, {5, 1}, {8, 1});
    is(pieces_of_process({{1, 4, 0}, {9, 4, 0}, {5, 4, 1}}, 12, 0, 0, 0), {12, 1}, {1, 1, 9, 1}, {4, 1, 4, 1});
    CHECK(pieces_of_process({{1, 4, 0}, {5, 9, 1}}, 12, 4, 3, 0).size[0] == 0); // beyond the grid, of another process
    CHECK(pieces_of_process({{0, 4, 0}}, 12, 4, 3, 0).size[0] == 0);
    CHECK(pieces_of_process({{1, 4, -1}}, 12, 4, 3, 0).size[0] == 0);
    CHECK(pieces_of_process({}, 12, 4, 3, 0).size[0] == 0);
    CHECK(pieces_of_process({{1, 4, 0}}, 0, 0, 0, 0).size[0] == 0);
    is(pieces_of_process({{3, 0, 0}, {1, 12, 1}}, 12, 4, 3, 0), {4, 3}, {}, {}); // a segment without points
}
