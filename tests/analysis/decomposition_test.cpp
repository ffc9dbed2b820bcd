// Parts of a grid: boxes and means worked out by hand, and what makes no map.
#include "analysis/decomposition.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

using namespace cpl_lb;

namespace {

GridPart points(const std::vector<double> &longitudes, const std::vector<double> &latitudes) {
    return part_of_points(longitudes, latitudes);
}

} // namespace

TEST_CASE("domains: a block keeps its numbers, and one beyond the grid is none") {
    const GridPart block = block_of({10, 20}, {3, 4}, {5, 6});
    CHECK(block.form == GridForm::block);
    CHECK(block.points == 30);
    CHECK(block.size == std::array<std::int64_t, 2>{10, 20});
    CHECK(block_of({10, 20}, {10, 20}, {1, 1}).points == 1);
    CHECK(block_of({10, 20}, {3, 4}, {0, 6}).points == 0); // a process without points
    CHECK(block_of({10, 20}, {3, 4}, {0, 6}).form == GridForm::block);
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    using Two = std::array<std::int64_t, 2>;
    struct Wrong {
        Two size, first, count;
    };
    const auto wrong =
        GENERATE(Wrong{{0, 20}, {1, 1}, {0, 1}}, Wrong{{10, -1}, {1, 1}, {1, 1}}, Wrong{{10, 20}, {0, 1}, {1, 1}},
                 Wrong{{10, 20}, {1, 21}, {1, 0}}, Wrong{{10, 20}, {1, 1}, {-1, 1}}, Wrong{{10, 20}, {7, 1}, {5, 1}},
                 Wrong{{10, 20}, {1, 1}, {huge, 1}}, Wrong{{huge, 2}, {1, 1}, {1, 1}});
    CHECK(block_of(wrong.size, wrong.first, wrong.count).form == GridForm::none);
}

TEST_CASE("domains: the box and the mean of points") {
    // Four points around (20, 0): the mean of their directions lies on the equator, at 20 degrees.
    const GridPart around = points({10, 30, 10, 30}, {-5, -5, 5, 5});
    CHECK(around.points == 4);
    CHECK(around.longitude == Approx(20));
    CHECK(around.latitude == Approx(0).margin(1e-12));
    CHECK(around.west == Approx(10));
    CHECK(around.east == Approx(30));
    CHECK(around.south == -5);
    CHECK(around.north == 5);
    // One point, given below -180: 190 west is 170 east.
    const GridPart one = points({-190}, {45});
    CHECK(one.longitude == Approx(170));
    CHECK(one.latitude == Approx(45));
    CHECK(one.west == Approx(170));
    CHECK(one.east == Approx(170));
}

TEST_CASE("domains: a box across the date line, and across the zero meridian") {
    const GridPart date_line = points({170, 178, -179, 185}, {0, 0, 0, 0});
    CHECK(date_line.west == Approx(170));
    CHECK(date_line.east == Approx(185)); // -179 is 181
    CHECK(date_line.longitude == Approx(178.5).margin(0.1));
    const GridPart zero = points({350, 10, 355, 5}, {0, 0, 0, 0});
    CHECK(zero.west == Approx(-10));
    CHECK(zero.east == Approx(10));
    CHECK(zero.longitude == Approx(0).margin(1e-9));
    // Around the pole: all longitudes, every 60 degrees. The widest gap is 60 degrees.
    const GridPart pole = points({0, 60, 120, 180, 240, 300}, {80, 80, 80, 80, 80, 80});
    CHECK(pole.east - pole.west == Approx(300));
    CHECK(pole.latitude == Approx(80)); // the mean is the pole, where none of them is
}

TEST_CASE("domains: the mean of a band around the globe is not the pole, but in the band") {
    std::vector<double> longitudes, latitudes;
    for (const double latitude : {-40, -30, -20}) {
        for (int n = 0; n < 12; ++n) {
            longitudes.push_back(15 + 30 * n);
            latitudes.push_back(latitude);
        }
    }
    const GridPart band = points(longitudes, latitudes);
    CHECK(band.latitude == Approx(-30));
    CHECK(band.south == -40);
    CHECK(band.east - band.west == Approx(330)); // all gaps are of 30 degrees
    // 20 points at 0 and 20 at 240 degrees, and one each at 80 and 160: the mean lies at 300, in the widest gap. The
    // box is from 0 to 240.
    longitudes.assign(20, 0.0);
    longitudes.insert(longitudes.end(), 20, 240.0);
    longitudes.insert(longitudes.end(), {80, 160});
    const GridPart uneven = points(longitudes, std::vector<double>(longitudes.size(), 10));
    CHECK(uneven.west == Approx(0));
    CHECK(uneven.east == Approx(240));
    CHECK(uneven.longitude == Approx(120));
    CHECK(uneven.latitude == Approx(10));
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

TEST_CASE("domains: points that are none") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(points({}, {}).form == GridForm::points); // a process without points
    CHECK(points({}, {}).points == 0);
    CHECK(points({-361}, {0}).form == GridForm::none);
    CHECK(points({721}, {0}).form == GridForm::none);
    CHECK(points({0}, {90.1}).form == GridForm::none);
    CHECK(points({0, nan}, {0, 0}).form == GridForm::none);
    CHECK(points({0, 0}, {0, nan}).form == GridForm::none);
    // On both poles there is no mean direction: the middle of the box.
    const GridPart poles = points({0, 0}, {-90, 90});
    CHECK(poles.form == GridForm::points);
    CHECK(poles.latitude == Approx(0).margin(1e-9));
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
    parts[1] = points({1}, {1});
    CHECK(why_no_decomposition(parts) == "some of its processes gave blocks of the grid, others points");
}

TEST_CASE("domains: what does not hold is taken out, with the reason; none at all is no fault") {
    ProcessFigures figures;
    figures.parts.resize(3);
    check_parts(figures);
    CHECK(figures.parts.empty());
    CHECK(figures.why_no_parts.empty());
    figures.parts = {points({1}, {1}), points({2}, {2})};
    check_parts(figures);
    CHECK(figures.parts.size() == 2);
    figures.parts[0] = {};
    check_parts(figures);
    CHECK(figures.parts.empty());
    CHECK(figures.why_no_parts == "1 of its 2 processes gave no part of the grid");
}
