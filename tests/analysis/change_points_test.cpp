// Where a series of runs changed.
#include "analysis/change_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

// Noise of at most 1 that repeats after 7 values; its median is 0.1.
double noise(int i) {
    constexpr double values[] = {0.3, -0.9, 0.6, 0.1, -0.5, 1.0, -0.6};
    return values[i % 7];
}

template <class Level>
std::vector<double> series(int length, Level level_of) {
    std::vector<double> values(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i)
        values[static_cast<std::size_t>(i)] = level_of(i) + noise(i);
    return values;
}

} // namespace

TEST_CASE("one change, with the medians of both sides") {
    const auto changes = change_points(series(21, [](int i) { return i < 14 ? 100.0 : 90.0; }));
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].at == 14);
    CHECK(changes[0].before == Approx(100.1));
    CHECK(changes[0].after == Approx(90.1));
}

TEST_CASE("several changes, down and up again") {
    const auto changes = change_points(series(42, [](int i) { return i >= 14 && i < 28 ? 95.0 : 100.0; }));
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].at == 14);
    CHECK(changes[1].at == 28);
    CHECK(changes[0].after == Approx(95.1));
}

TEST_CASE("noise, one slow run, and too few runs are no change") {
    std::vector<double> values = series(70, [](int) { return 100.0; });
    CHECK(change_points(values).empty());
    values[30] = 50;
    CHECK(change_points(values).empty());
    CHECK(change_points(std::vector<double>{}).empty());
    CHECK(change_points(std::vector<double>{1, 1, 5, 5, 5}).empty());
    CHECK(change_points(std::vector<double>(20, 7.0)).empty());
}

TEST_CASE("values without noise change where they change") {
    const auto changes = change_points(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2});
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].at == 4);
}
