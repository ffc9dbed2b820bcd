// Where a series of steps changed.
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

using Places = std::vector<std::size_t>;

TEST_CASE("one change, and several, down and up again") {
    CHECK(change_points(series(21, [](int i) { return i < 14 ? 100.0 : 90.0; })) == Places{14});
    CHECK(change_points(series(42, [](int i) { return i >= 14 && i < 28 ? 95.0 : 100.0; })) == Places{14, 28});
    // Values without noise change where they change.
    CHECK(change_points(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2}) == Places{4});
}

TEST_CASE("noise, one slow step, and too few steps are no change") {
    std::vector<double> values = series(70, [](int) { return 100.0; });
    CHECK(change_points(values).empty());
    values[30] = 50;
    CHECK(change_points(values).empty());
    CHECK(change_points(std::vector<double>{}).empty());
    CHECK(change_points(std::vector<double>{1, 1, 5, 5, 5}).empty());
    CHECK(change_points(std::vector<double>(20, 7.0)).empty());
}
