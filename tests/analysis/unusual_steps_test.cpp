// What stands out of a series, in series made by hand.
#include "analysis/arrival_tests.hpp"

#include "data/time.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace cpl_lb;

namespace {

// Small and different values without a period: steps of the golden ratio.
std::vector<double> quiet(std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(1 + 0.1 * std::fmod(static_cast<double>(i) * 0.6180339887, 1.0));
    return values;
}

std::vector<std::size_t> places(const UnusualSteps &found) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < found.is.size(); ++i)
        if (found.is[i] != 0) list.push_back(i);
    return list;
}

} // namespace

TEST_CASE("nothing stands out of a quiet series") {
    CHECK_FALSE(find_unusual(quiet(500)).any());
    CHECK_FALSE(find_unusual({}).any());
    CHECK_FALSE(find_unusual(std::vector<double>(50, 1.0)).any());
}

TEST_CASE("one value stands out") {
    std::vector<double> values = quiet(100);
    values[40] = 5;
    CHECK(places(find_unusual(values)) == std::vector<std::size_t>{40});
    CHECK(find_unusual(values).every == 0);
}

TEST_CASE("every fifth value, and every other") {
    std::vector<double> values = quiet(100);
    for (std::size_t i = 2; i < 100; i += 5)
        values[i] += 2;
    CHECK(find_unusual(values).every == 5);
    CHECK(places(find_unusual(values)).size() == 20);
    std::vector<double> other = quiet(100);
    for (std::size_t i = 1; i < 100; i += 2)
        other[i] += 2;
    CHECK(find_unusual(other).every == 2);
    CHECK(places(find_unusual(other)).size() == 50);
}

TEST_CASE("a swell is no unusual step") {
    std::vector<double> values = quiet(480);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += 1 + std::sin(static_cast<double>(i) * 2 * 3.14159265358979 / 48);
    CHECK_FALSE(find_unusual(values).any());
}

TEST_CASE("values that are not known are left out") {
    std::vector<double> values = quiet(100);
    values[0] = values[99] = unknown;
    values[50] = 9;
    CHECK(places(find_unusual(values)) == std::vector<std::size_t>{50});
    std::vector<double> none(3, unknown);
    CHECK(std::isnan(median_of(none)));
}
