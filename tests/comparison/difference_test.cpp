// The difference of two states, by hand.
#include "comparison/difference.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

namespace {

// Coupling steps with a longer one in each four, the same in both runs.
StepValues with_a_day(double scale, double noise) {
    StepValues values;
    for (int i = 0; i < 200; ++i)
        values.push_back(scale * ((i % 4 == 0 ? 1.3 : 1.0) + noise * std::sin(1.7 * i * i)));
    return values;
}

} // namespace

TEST_CASE("repeated runs: the spread between them is the interval") {
    // Means 10, 11 before and 12, 13 after: 10.5 and 12.5, + 19.0476 %. Spread: relative deviations 0.5 / 10.5 =
    // 0.047619 twice and 0.5 / 12.5 = 0.04 twice: squares 2 x 0.00226757 + 2 x 0.0016 = 0.00773515, by 2 degrees of
    // freedom 0.00386757, times 1/2 + 1/2. Its root 0.0621898 times the ratio 1.190476 is 0.0740355, times t(2) =
    // 4.302653 is 0.318549.
    const std::vector<StepValues> before = {{10}, {11}}, after = {{12}, {13}};
    const Difference d = difference_of(before, after, false);
    CHECK(d.before == Approx(10.5));
    CHECK(d.after == Approx(12.5));
    CHECK(d.change == Approx(0.190476).epsilon(1e-5));
    CHECK(d.high - d.change == Approx(0.318549).epsilon(1e-4));
    CHECK(d.change - d.low == Approx(0.318549).epsilon(1e-4));
    CHECK_FALSE(d.larger());
}

TEST_CASE("what repeats in both runs is no noise where the steps are the same") {
    const std::vector<StepValues> before = {with_a_day(1, 0)}, after = {with_a_day(1.02, 0)};
    const Difference paired = difference_of(before, after, true);
    CHECK(paired.change == Approx(0.02));
    CHECK(paired.half_width() < 1e-9); // nothing but the day
    const Difference apart = difference_of(before, after, false);
    CHECK(apart.change == Approx(0.02));
    CHECK(apart.half_width() > 1e-4);
    CHECK(paired.larger());
}

TEST_CASE("no interval, and why") {
    const auto why = [](const StepValues &before, const StepValues &after) {
        const std::vector<StepValues> b = {before}, a = {after};
        const Difference d = difference_of(b, a, true);
        CHECK_FALSE(d.has_interval());
        CHECK_FALSE(d.larger());
        CHECK_FALSE(d.smaller());
        return d.why_no_interval;
    };
    CHECK(why({1, 2, 3}, {2, 3, 4}) == "fewer than 8 coupling steps");
    CHECK(why({}, {2, 3, 4}) == "the figure before or after is not known");
    CHECK(why({unknown}, {2}) == "the figure before or after is not known");
    CHECK(why(StepValues(10, 0.0), StepValues(10, 1.0)) == "it was 0 before");
}

TEST_CASE("one run against repeated ones is taken to vary as they do") {
    // 12 against 10 and 11 (mean 10.5): squares 2 x (0.5 / 10.5)^2 = 0.00453515 with 1 degree of freedom, times 1/2 +
    // 1, root 0.0824772, times 12 / 10.5 = 0.0942597, times t(1) = 12.7062: 1.19768.
    const std::vector<StepValues> before = {{10}, {11}}, after = {{12}};
    const Difference d = difference_of(before, after, false);
    CHECK(d.half_width() == Approx(1.19768).epsilon(1e-4));
    CHECK(d.high == Approx(0.142857 + 1.19768).epsilon(1e-4));
    CHECK(d.low == -1); // 0.142857 - 1.19768 is less: no time is more than 100 % shorter
}
