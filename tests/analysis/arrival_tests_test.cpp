// What is more than chance, against tables of F, and what stalls, in series made by hand.
#include "analysis/arrival_tests.hpp"

#include "data/time.hpp"

#include <algorithm>
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

std::vector<std::size_t> places(const std::vector<std::uint8_t> &found) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != 0) list.push_back(i);
    return list;
}

double up_and_down(std::size_t i) {
    return i % 2 == 0 ? 1 : -1;
}

} // namespace

// Two processes, +a and -a from their mean, +-1 from batch to batch: F = 15 a^2 with 1 and 15 degrees of freedom. It
// is 16.59 in 1 of 1,000 cases by chance: a = 1.05.
TEST_CASE("processes differ by more than one case in a thousand does") {
    const auto differ = [](double a) {
        std::vector<float> batches;
        for (const double sign : {1.0, -1.0})
            for (std::size_t b = 0; b < 16; ++b)
                batches.push_back(static_cast<float>(sign * (a + up_and_down(b))));
        return processes_differ(batches, 16);
    };
    CHECK(differ(1.12));
    CHECK_FALSE(differ(0.98));
    CHECK_FALSE(differ(0));
}

// Three nodes of four processes: -e, 0 and e, +-1 from process to process: F = 3 e^2 with 2 and 9 degrees of freedom.
// It is 8.02 in 1 of 100 cases by chance: e = 1.64. A process alone on its node shows nothing.
TEST_CASE("nodes differ by more than one case in a hundred does") {
    const auto differ = [](double e, bool one_more) {
        std::vector<double> late;
        std::vector<std::int32_t> nodes;
        for (std::int32_t node = 0; node < 3; ++node) {
            for (std::size_t p = 0; p < 4; ++p) {
                late.push_back(e * (node - 1) + up_and_down(p));
                nodes.push_back(node);
            }
        }
        if (one_more) {
            late.push_back(100);
            nodes.push_back(3);
        }
        return nodes_differ(late, nodes);
    };
    CHECK(differ(1.75, false));
    CHECK_FALSE(differ(1.53, false));
    CHECK_FALSE(differ(1.53, true));
    CHECK_FALSE(nodes_differ(std::vector<double>{0, 0, 5}, std::vector<std::int32_t>{0, 0, 1}));
}

TEST_CASE("nothing stalls in a quiet series") {
    CHECK(places(find_stalls(quiet(500))).empty());
    CHECK(places(find_stalls({})).empty());
    CHECK(places(find_stalls(std::vector<double>(50, 1.0))).empty());
}

TEST_CASE("one value is far above the others") {
    std::vector<double> values = quiet(100);
    values[40] = 5;
    CHECK(places(find_stalls(values)) == std::vector<std::size_t>{40});
}

TEST_CASE("more than a tenth are no stalls") {
    std::vector<double> values = quiet(100);
    for (std::size_t i = 2; i < 100; i += 10)
        values[i] += 2;
    CHECK(places(find_stalls(values)).size() == 10);
    values[7] += 2;
    CHECK(places(find_stalls(values)).empty());
}

TEST_CASE("a swell is no stall") {
    std::vector<double> values = quiet(480);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += 1 + std::sin(static_cast<double>(i) * 2 * 3.14159265358979 / 48);
    CHECK(places(find_stalls(values)).empty());
}

TEST_CASE("values that are not known are left out") {
    std::vector<double> values = quiet(100);
    values[0] = values[99] = unknown;
    values[50] = 9;
    CHECK(places(find_stalls(values)) == std::vector<std::size_t>{50});
}
