// How well the mean of a correlated series is known.
#include "comparison/mean_error.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace cpl_lb;

namespace {

// Uniform in [-1, 1]: variance 1/3. By Lehmer's generator, the same on every machine.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed * 2654435761U % 2147483647U + 1) {}
    double operator()() {
        state_ = state_ * 48271U % 2147483647U;
        return 2 * static_cast<double>(state_) / 2147483647.0 - 1;
    }

private:
    std::uint64_t state_;
};

// x_i = phi x_(i-1) + e_i. The variance of the mean of n goes to var(e) / (1 - phi)^2 / n.
std::vector<double> series(double phi, std::size_t n, std::uint64_t seed) {
    Noise noise(seed);
    std::vector<double> x;
    double last = 0;
    for (std::size_t i = 0; i < n + 100; ++i) {
        last = phi * last + noise();
        if (i >= 100) x.push_back(last);
    }
    return x;
}

} // namespace

TEST_CASE("Student's t as the tables print it") {
    // Two-sided 95 %: Abramowitz and Stegun, table 26.10.
    CHECK(students_t(1) == Approx(12.706).epsilon(1e-4));
    CHECK(students_t(2) == Approx(4.303).epsilon(1e-4));
    CHECK(students_t(3) == Approx(3.182).epsilon(0.01)); // the series of three terms
    CHECK(students_t(5) == Approx(2.571).epsilon(0.002));
    CHECK(students_t(10) == Approx(2.228).epsilon(5e-4));
    CHECK(students_t(30) == Approx(2.042).epsilon(5e-4));
    CHECK(students_t(120) == Approx(1.980).epsilon(5e-4));
}

TEST_CASE("the error of a mean is that of theory, however the values follow each other") {
    const double phi = GENERATE(0.0, 0.5, 0.8);
    constexpr std::size_t n = 2000;
    const double theory = std::sqrt(1.0 / 3 / n) / (1 - phi);
    double mean_of_errors = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        mean_of_errors += error_of_mean(series(phi, n, seed)).standard_error / 20;
    CAPTURE(phi, mean_of_errors, theory);
    CHECK(mean_of_errors == Approx(theory).epsilon(0.1));
}

TEST_CASE("a series that swings from step to step does not widen the interval") {
    // 1, -1, 1, -1, ...: its mean is 0 to 1 / n, where independent values had 1 / sqrt(n) = 0.1.
    std::vector<double> x(100);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = i % 2 == 0 ? 1 : -1;
    CHECK(error_of_mean(x).standard_error < 0.05);
}

TEST_CASE("too few values, and values that are all the same") {
    CHECK_FALSE(is_known(error_of_mean(std::vector<double>(7, 1.0)).standard_error));
    CHECK(error_of_mean(std::vector<double>(8, 1.0)).standard_error == 0);
}
