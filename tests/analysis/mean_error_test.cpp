// How well the mean of a correlated series is known.
#include "analysis/mean_error.hpp"

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
    // Two-sided 95 %: Abramowitz and Stegun, table 26.10, with more digits from Octave: t = sqrt(v (1 / x - 1)),
    // x = betaincinv(0.05, v / 2, 1 / 2).
    const auto exactly = [](double expected) { return Approx(expected).epsilon(1e-9); };
    CHECK(students_t(1) == exactly(12.706204736175));
    CHECK(students_t(1.5) == exactly(6.016663104428));
    CHECK(students_t(2) == exactly(4.302652729749));
    CHECK(students_t(2.5) == exactly(3.574654842004));
    CHECK(students_t(3) == exactly(3.182446305284));
    CHECK(students_t(5) == exactly(2.570581835636));
    CHECK(students_t(10) == exactly(2.228138851986));
    CHECK(students_t(30) == exactly(2.042272456301));
    CHECK(students_t(100) == exactly(1.983971518524));
    CHECK(students_t(199, 1e-6) == exactly(5.0490945952324)); // mpmath
    CHECK(students_t(200) == exactly(1.9718962236339));
    CHECK(students_t(200, 1e-6) == exactly(5.0482856598523));
    CHECK(students_t(1000, 1e-6) == Approx(4.9222895234).epsilon(1e-8));
    CHECK(students_t(1e9) == Approx(1.959963985).epsilon(1e-8)); // a normal value
    // One in a million, as a change point in 10,000 runs needs it.
    CHECK(students_t(3, 1e-6) == exactly(130.154589558));
    CHECK(students_t(5, 1e-6) == exactly(28.478473463));
    CHECK(students_t(10, 1e-6) == exactly(10.5164899569));
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
