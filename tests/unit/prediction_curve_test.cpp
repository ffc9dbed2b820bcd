// Scaling curves: known functions come back, convexity, and what is not known.
#include "prediction/scaling_curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

TEST_CASE("one sample: ideal scaling, no uncertainty known") {
    const ScalingCurve curve({{32, 10}});
    CHECK(curve.seconds(64, CurveForm::fit) == Approx(5));
    CHECK(curve.linear_s(16) == Approx(20));
    CHECK(std::isnan(curve.spread_s(64)));
    CHECK(curve.measure_next(16, 128) == 128); // a factor of 4 off, 16 only of 2
}

TEST_CASE("a / p + k from two samples") {
    // 1200 / 40 + 4 = 34, 1200 / 80 + 4 = 19.
    const ScalingCurve curve({{40, 34}, {80, 19}});
    CHECK(curve.fit().a == Approx(1200));
    CHECK(curve.fit().k == Approx(4));
    CHECK(curve.fit().b == 0);
    CHECK(curve.seconds(60, CurveForm::fit) == Approx(24));
    CHECK(curve.linear_s(60) == Approx(26.5)); // half-way
    CHECK(curve.spread_s(60) == Approx(2.5));
}

TEST_CASE("the fit finds a / p + b p^c + k") {
    // 1000 / p + 0.5 p^0.5: at 16: 62.5 + 2; 64: 15.625 + 4; 256: 3.90625 + 8; 1024: 0.9765625 + 16; 4: 250 + 1.
    const ScalingFit fit = fit_curve({{4, 251}, {16, 64.5}, {64, 19.625}, {256, 11.90625}, {1024, 16.9765625}});
    CHECK(fit.a == Approx(1000));
    CHECK(fit.b == Approx(0.5));
    CHECK(fit.c == Approx(0.5));
    CHECK(fit.k == Approx(0).margin(1e-6));
    CHECK(fit.rms_s < 1e-9);
}

TEST_CASE("terms are never negative") {
    // Faster than ideal: a / p would need k < 0. Least squares of a / p alone:
    // a = (10/1 + 4/2) / (1 + 1/4) = 12 / 1.25 = 9.6.
    const ScalingFit fit = fit_curve({{1, 10}, {2, 4}});
    CHECK(fit.a == Approx(9.6));
    CHECK(fit.b == 0);
    CHECK(fit.k == 0);
}

TEST_CASE("the interpolant is convex: a sample above the others' line is passed below") {
    const ScalingCurve curve({{10, 100}, {20, 90}, {40, 40}});
    CHECK(curve.linear_s(20) == Approx(80)); // from 100 at 10 to 40 at 40: 2 s for each process
    CHECK(curve.linear_s(5) == Approx(200)); // ideal towards fewer
    CHECK(curve.linear_s(80) == Approx(40)); // nothing is promised towards more
    CHECK_FALSE(curve.measured_range_holds(80));
}

TEST_CASE("the same count measured twice counts with its mean") {
    const ScalingCurve curve({{10, 9}, {20, 5}, {10, 11}});
    REQUIRE(curve.samples().size() == 2);
    CHECK(curve.linear_s(10) == Approx(10));
}

TEST_CASE("measure next where the two answers differ most") {
    // a / p + k through (10, 100), (100, 10): the line between them is far above the curve in the middle.
    const ScalingCurve curve({{10, 100}, {100, 10}});
    const double next = curve.measure_next(10, 100);
    CHECK(next > 15);
    CHECK(next < 70);
    // It is the widest of all, by a scan.
    double widest = 0;
    for (int p = 10; p <= 100; ++p)
        widest = std::max(widest, curve.spread_s(p) / curve.linear_s(p));
    CHECK(curve.spread_s(next) / curve.linear_s(next) > 0.98 * widest);
}

TEST_CASE("what is no time is refused") {
    CHECK_THROWS(ScalingCurve({}));
    CHECK_THROWS(ScalingCurve({{0, 1}}));
    CHECK_THROWS(ScalingCurve({{4, -1}}));
}
