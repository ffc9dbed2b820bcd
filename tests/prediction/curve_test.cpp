// Scaling curves: known functions come back, convexity, and what is not known.
#include "prediction/scaling_curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace cpl_lb;

TEST_CASE("one sample: ideal scaling, no uncertainty known") {
    const ScalingCurve curve({{32, 10}});
    CHECK(curve.seconds(64, CurveForm::measured) == Approx(5));
    CHECK(curve.seconds(64, CurveForm::hslb) == Approx(5));
    CHECK(curve.linear_s(16) == Approx(20));
    CHECK(std::isnan(curve.uncertainty(64)));
    CHECK(curve.uncertainty(32) == 0);
    CHECK(curve.measure_next(16, 128) == 128); // a factor of 4 off, 16 only of 2
}

TEST_CASE("a / p + k from two samples") {
    // 1200 / 40 + 4 = 34, 1200 / 80 + 4 = 19.
    const ScalingCurve curve({{40, 34}, {80, 19}});
    CHECK(curve.fit().a == Approx(1200));
    CHECK(curve.fit().k == Approx(4));
    CHECK(curve.fit().b == 0);
    CHECK(curve.seconds(60, CurveForm::hslb) == Approx(24));
    CHECK(curve.linear_s(60) == Approx(26.5)); // half-way
    // Two samples, and the form goes through both.
    CHECK(curve.seconds(60, CurveForm::measured) == Approx(24));
    // Two counts show nothing of the law between them: it may be 34 s until 79, or 19 s from 41 on.
    CHECK(curve.error(60).longer == Approx(34. / 24 - 1));
    CHECK(curve.error(60).shorter == Approx(24. / 19 - 1));
    CHECK(curve.uncertainty(60) == curve.error(60).longer);
    // Outside the fit goes on, 1200 / 160 + 4.
    CHECK(curve.seconds(160, CurveForm::measured) == Approx(11.5));
}

TEST_CASE("the fit finds a / p + b p^c + k") {
    // 1000 / p + 0.5 p^0.5: at 16: 62.5 + 2; 64: 15.625 + 4; 256: 3.90625 + 8; 1024: 0.9765625 + 16; 4: 250 + 1.
    const ScalingFit fit = fit_curve({{4, 251}, {16, 64.5}, {64, 19.625}, {256, 11.90625}, {1024, 16.9765625}});
    CHECK(fit.a == Approx(1000));
    CHECK(fit.b == Approx(0.5));
    CHECK(fit.c == Approx(0.5));
    CHECK(fit.k == Approx(0).margin(1e-6));
    CHECK(fit.rms < 1e-9);
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
    CHECK(curve.linear_s(20) == Approx(80));   // from 100 at 10 to 40 at 40: 2 s for each process
    CHECK(curve.linear_s(5.5) == Approx(550)); // half-way to 1000 s at one process
    // From 10 to 40 the time fell by 60 %, ideally by 75 %: 0.8 of it goes on, 40 (0.2 + 0.8 / 2).
    CHECK(curve.linear_s(80) == Approx(24));
    CHECK_FALSE(curve.measured_range_holds(80));
}

TEST_CASE("the measured form goes through all samples, monotone between them, whatever they are") {
    // A step (a cache), a plateau, a rise: no formula has that.
    const std::vector<ScalingSample> samples = {{2, 100}, {4, 50}, {8, 18}, {16, 9}, {32, 9}, {64, 12}};
    const ScalingCurve curve(samples);
    for (const ScalingSample &s : samples) {
        CHECK(curve.seconds(s.processes, CurveForm::measured) == Approx(s.seconds));
        CHECK(curve.uncertainty(s.processes) == Approx(0).margin(1e-9)); // nothing is known of their scatter
    }
    for (std::size_t i = 1; i < samples.size(); ++i) {
        double before = samples[i - 1].seconds;
        for (int step = 0; step <= 100; ++step) {
            const double p =
                samples[i - 1].processes + (samples[i].processes - samples[i - 1].processes) * step / 100;
            const double now = curve.seconds(p, CurveForm::measured);
            CHECK((samples[i].seconds >= samples[i - 1].seconds ? now >= before - 1e-9 : now <= before + 1e-9));
            before = now;
        }
    }
    // The example: the default does not contradict what was measured at 128.
    CHECK(ScalingCurve({{16, 40}, {32, 11}, {64, 3}, {128, 1.499}}).seconds(128, CurveForm::measured) ==
          Approx(1.499));
}

TEST_CASE("two samples that no form goes through: a line in the logarithms") {
    // Faster than ideal, 100 and 10 s with 4 and 16: 8 is half-way, sqrt(1000) s.
    CHECK(ScalingCurve({{4, 100}, {16, 10}}).seconds(8, CurveForm::measured) == Approx(std::sqrt(1000.)));
}

TEST_CASE("towards fewer processes a flat curve rises all the same") {
    // 5 s with 40, 80, 160: what was divided among them is not to be seen. Half-way between flat and ideal: a
    // quarter of the processes, twice the time; and that is as uncertain as it is large.
    const ScalingCurve curve({{40, 5}, {80, 5}, {160, 5}});
    CHECK(curve.seconds(10, CurveForm::measured) == Approx(10));
    CHECK(curve.seconds(320, CurveForm::measured) == Approx(5));
    CHECK(curve.uncertainty(10) >= 1);
}

TEST_CASE("repeated counts: means weighted by their errors, and the scatter is told") {
    const ScalingCurve alike({{10, 9}, {10, 11}, {20, 5}});
    // Mean 10, standard error sqrt(((-1)^2 + 1^2) / (2 x 1)) = 1: stated twice, as a share, exp(0.2) - 1.
    CHECK(alike.seconds(10, CurveForm::measured) == Approx(10));
    CHECK(alike.uncertainty(10) == Approx(std::exp(0.2) - 1));
    // 9 +- 1 and 11 +- 2: weights 1 and 1/4, mean 9.4.
    const ScalingCurve weighted({{10, 9, 1}, {10, 11, 2}, {20, 5, 0.1}});
    CHECK(weighted.seconds(10, CurveForm::measured) == Approx(9.4));
}

TEST_CASE("forms by name") {
    CHECK(curve_form("fit") == CurveForm::hslb);
    CHECK(name_of(curve_form("hslb")) == "hslb");
    CHECK(name_of(curve_form("measured")) == "measured");
    CHECK(name_of(curve_form("linear")) == "linear");
    CHECK_THROWS(curve_form("spline"));
}

TEST_CASE("the same count measured twice counts with its mean") {
    const ScalingCurve curve({{10, 9}, {20, 5}, {10, 11}});
    REQUIRE(curve.samples().size() == 2);
    CHECK(curve.linear_s(10) == Approx(10));
}

TEST_CASE("measure next where the curve is least certain") {
    // Between 10 and 100 nothing was measured: somewhere in the middle, not at the ends.
    const ScalingCurve curve({{10, 100}, {100, 40}});
    const double next = curve.measure_next(10, 100);
    CHECK(next > 15);
    CHECK(next < 70);
    // The formula is 2000 / 3p + 100 / 3, the line 320 / 3 - 2p / 3. Their ratio p (160 - p) / (1000 + 50p) is
    // largest where p^2 + 40p = 3200: at 40, where it is 80 / 50.
    CHECK(next == Approx(40).margin(1));
}

// 12 blocks of 10 s: ceil(12 / p) of them. With 5 processes 3 as with 4.
TEST_CASE("work in whole blocks: between two counts the time of either is possible") {
    const ScalingCurve curve({{3, 40}, {5, 30}, {6, 20}, {12, 10}});
    // Without 5 the rest is 120 / p, 24 s there. So the law has a step of 30 / 24, or steps may be, with two inner
    // counts, (30 / 24)^3 = 1.95 high or more. From 6 to 12 the curve is between 20 and 10 s: 20 / 1.95 = 10.3.
    const std::optional<UnmeasuredGap> gap = curve.gap_at(8);
    REQUIRE(gap);
    CHECK(gap->fewer == 6);
    CHECK(gap->more == 12);
    const double here = curve.seconds(8, CurveForm::measured); // the truth: 2 blocks, 20 s
    REQUIRE((here > 10.3 && here < 19.5));
    CHECK(gap->least_s == Approx(10));
    CHECK(gap->most_s == Approx(20));
    CHECK(curve.error(8).longer == Approx(20 / here - 1));
    CHECK(curve.error(8).shorter == Approx(here / 10 - 1));
    for (const double p : {2., 3., 5., 6., 12., 13.}) // measured, or outside
        CHECK_FALSE(curve.gap_at(p));
    CHECK(curve.uncertainty(24) >= 0.95); // steps are possible there, too
    CHECK(curve.uncertainty(6) == 0);
}

TEST_CASE("counts that agree with a smooth law within their scatter show no steps") {
    // 880 / p + 2.
    CHECK_FALSE(ScalingCurve({{20, 46}, {40, 24}, {80, 13}}).gap_at(60));
    CHECK(ScalingCurve({{20, 46}, {40, 24}, {80, 13}}).uncertainty(60) < 1e-3);
    // 24 s are measured 2 % too long. Two standard errors are 3 %, then 1.5 %.
    const auto measured = [](double error_s) {
        return ScalingCurve({{20, 46, 0.3}, {40, 1.02 * 24, error_s * 1.02 * 24}, {80, 13, 0.1}});
    };
    CHECK_FALSE(measured(0.015).gap_at(60));
    CHECK(measured(0.0075).gap_at(60));
    // Nothing is known of the scatter but that times are rounded, by 0.1 %, and there is one inner count: four times
    // the square root of ln(1.02)^2 - 0.001^2.
    const double steps = std::exp(4 * std::sqrt(std::pow(std::log(1.02), 2) - 1e-6));
    const ScalingCurve one({{20, 46}, {40, 1.02 * 24}, {80, 13}});
    const double here = one.seconds(60, CurveForm::measured);
    REQUIRE((here > 13 * steps && here < 24 / steps));
    CHECK(one.error(60).longer == Approx(steps - 1));
    CHECK(one.error(60).shorter == Approx(steps - 1));
}

TEST_CASE("what is no time is refused") {
    CHECK_THROWS(ScalingCurve({}));
    CHECK_THROWS(ScalingCurve({{0, 1}}));
    CHECK_THROWS(ScalingCurve({{4, -1}}));
}

TEST_CASE("one sample with a known serial part: Amdahl") {
    // 10 s with 4, half of it serial: 5 + 20 / p; 7.5 with 8, 15 with 2.
    const ScalingCurve curve = ScalingCurve::with_serial_part({4, 10}, 0.5);
    CHECK(curve.seconds(8, CurveForm::measured) == Approx(7.5));
    CHECK(curve.seconds(8, CurveForm::hslb) == Approx(7.5));
    CHECK(curve.linear_s(2) == Approx(15));
    CHECK(std::isnan(curve.uncertainty(8)));
    CHECK_THROWS(ScalingCurve::with_serial_part({4, 10}, 1.1));
}

TEST_CASE("four samples off the curve: least squares, not an interpolation") {
    // 12 / p + 1 at 1, 2, 3, 6 with errors +0.3, -0.1, -0.3, +0.1: 13.3, 6.9, 4.7, 3.1. With u = 1/p, the normal
    // equations: n = 4, sum u = 2, sum u^2 = 1 + 1/4 + 1/9 + 1/36 = 25/18, sum y = 28.0,
    // sum u y = 13.3 + 3.45 + 1.566667 + 0.516667 = 18.833333; a = (4 x 18.833333 - 2 x 28) / (4 x 25/18 - 4)
    // = 19.333333 / 1.555556 = 12.428571; k = (28 - 2 x 12.428571) / 4 = 0.785714. A growing term would only help if
    // it were positive; here it is checked that none of what is found is worse than this.
    const ScalingFit fit = fit_curve({{1, 13.3}, {2, 6.9}, {3, 4.7}, {6, 3.1}});
    // Residuals of a, k: 0.085714, -0.1, -0.228571, 0.242857; root mean square 0.179284.
    CHECK(fit.rms <= 0.179285);
    CHECK(fit.a >= 0);
    CHECK(fit.b >= 0);
    CHECK(fit.k >= 0);
    CHECK((fit.c >= 0 && fit.c <= 1));
    if (fit.b == 0) {
        CHECK(fit.a == Approx(12.428571));
        CHECK(fit.k == Approx(0.785714));
    }
}

TEST_CASE("measure next stays where the counts may be, and ends where nothing is uncertain") {
    const ScalingCurve curve({{10, 100}, {100, 40}});
    const double next = curve.measure_next(60, 80);
    CHECK((next >= 60 && next <= 80));
    // 720 / p at neighbours: a line in the logarithms, and all forms agree at whole counts.
    CHECK(ScalingCurve({{8, 90}, {9, 80}, {10, 72}}).measure_next(8, 10) == 0);
    CHECK(curve.measure_next(20, 10) == 0);                 // no count is possible
    CHECK(ScalingCurve({{8, 90}}).measure_next(8, 8) == 0); // none but the measured one
}

TEST_CASE("a growing part close to p itself; terms that are not needed are left out") {
    // 1000 / p + 0.5 p^0.8: p^0.8 is 1, 16, 256, 4096 at 1, 32, 1024, 32768.
    const ScalingFit growing = fit_curve({{1, 1000.5}, {32, 39.25}, {1024, 128.9765625}, {32768, 2048.030517578125}});
    CHECK(growing.c == Approx(0.8));
    CHECK(growing.b == Approx(0.5));
    CHECK(growing.a == Approx(1000));
    for (int work = 1; work <= 20; ++work) { // work / p exactly: rounding may not bring in the other terms
        const ScalingFit ideal = fit_curve({{1, 1.0 * work}, {3, work / 3.0}, {7, work / 7.0}});
        CHECK(ideal.b == 0);
        CHECK(ideal.k == 0);
    }
}
