// Prewhitens a series, finds the length of its blocks, and takes the variance of their means.
#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace cpl_lb {
namespace {

using Values = std::vector<double>;

Values centred(std::span<const double> values) {
    const double mean = mean_of(values);
    Values result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), [mean](double v) { return v - mean; });
    return result;
}

// The autocovariance of a centred series, with the divisor n.
double autocovariance(const Values &x, std::size_t lag) {
    return std::inner_product(x.begin() + static_cast<std::ptrdiff_t>(lag), x.end(), x.begin(), 0.0) /
           static_cast<double>(x.size());
}

// The correlation from one value to the next, with Kendall's correction of its bias; 0 if it cannot be told from
// none, or is negative.
double persistence(const Values &x, double variance) {
    constexpr double most = 0.97;
    const auto n = static_cast<double>(x.size());
    const double found = autocovariance(x, 1) / variance;
    const double corrected = found + (1 + 3 * found) / n;
    return corrected < 1 / std::sqrt(n) ? 0 : std::min(corrected, most);
}

// How many lags matter: the lags before the first stretch in which no lag differs from 0.
std::size_t significant_lags(const Values &covariance, std::size_t stretch, double bound) {
    std::size_t last = 0;
    for (std::size_t lag = 1; lag + stretch <= covariance.size(); ++lag) {
        const auto begin = covariance.begin() + static_cast<std::ptrdiff_t>(lag);
        const bool quiet = std::all_of(begin, begin + static_cast<std::ptrdiff_t>(stretch),
                                       [&](double c) { return std::abs(c) < bound * covariance[0]; });
        if (quiet) return std::max<std::size_t>(1, lag - 1);
    }
    for (std::size_t lag = 1; lag < covariance.size(); ++lag)
        if (std::abs(covariance[lag]) >= bound * covariance[0]) last = lag;
    return std::max<std::size_t>(1, last);
}

// Politis and White (2004), section 3, with the constant of the circular bootstrap.
double block_length(const Values &x) {
    const auto n = static_cast<double>(x.size());
    const auto stretch = static_cast<std::size_t>(std::max(5.0, std::ceil(std::sqrt(std::log10(n)))));
    const std::size_t most_lags = std::min(static_cast<std::size_t>(std::ceil(std::sqrt(n))) + stretch, x.size() - 1);
    Values covariance(most_lags + 1);
    for (std::size_t lag = 0; lag <= most_lags; ++lag)
        covariance[lag] = autocovariance(x, lag);
    if (!(covariance[0] > 0)) return 1;
    const std::size_t window =
        std::min(2 * significant_lags(covariance, stretch, 2 * std::sqrt(std::log10(n) / n)), most_lags);
    double spectrum = covariance[0], slope = 0;
    for (std::size_t lag = 1; lag <= window; ++lag) {
        const double share = static_cast<double>(lag) / static_cast<double>(window);
        const double weight = share <= 0.5 ? 1 : 2 * (1 - share);
        spectrum += 2 * weight * covariance[lag];
        slope += 2 * weight * static_cast<double>(lag) * covariance[lag];
    }
    if (!(spectrum > 0)) return 1;
    const double length = std::cbrt(1.5 * slope * slope / (spectrum * spectrum) * n);
    return std::clamp(std::round(length), 1.0, std::ceil(std::min(3 * std::sqrt(n), n / 3)));
}

// The variance of the mean of n values drawn in blocks of `length` from anywhere in the ring of values.
double variance_of_block_means(const Values &x, std::size_t length) {
    double sum = std::accumulate(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(length), 0.0);
    double squares = 0;
    for (std::size_t first = 0; first < x.size(); ++first) {
        squares += sum * sum;
        sum += x[(first + length) % x.size()] - x[first];
    }
    const auto n = static_cast<double>(x.size());
    const auto size = static_cast<double>(length);
    return squares / n / (size * size) / std::ceil(n / size);
}

// The size that a normal value exceeds, on both sides together, with that probability.
double normal_exceeds(double level) {
    double low = 0, high = 40;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::numbers::sqrt2) > level ? low : high) = middle;
    }
    return low;
}

// The incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun 26.5.8) from its end.
double incomplete_beta(double a, double b, double x) {
    constexpr int terms = 100;
    double fraction = 1;
    for (int n = terms; n > 0; --n) {
        const double m = n / 2; // NOLINT(bugprone-integer-division): terms come in pairs
        const double d = n % 2 == 1 ? -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
                                    : m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m));
        fraction = 1 + d * x / fraction;
    }
    const double log_of_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
    return std::exp(a * std::log(x) + b * std::log1p(-x) - log_of_beta) / (a * fraction);
}

// The probability that Student's t lies beyond -t or t. The fraction converges fast on one side of (a + 1) / (a + b +
// 2).
double t_exceeds(double freedom, double t) {
    const double a = freedom / 2, b = 0.5, sum = freedom + t * t;
    return freedom / sum < (a + 1) / (a + b + 2) ? incomplete_beta(a, b, freedom / sum)
                                                 : 1 - incomplete_beta(b, a, t * t / sum);
}

} // namespace

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::span<const double> values) {
    if (values.empty()) return unknown;
    Values sorted(values.begin(), values.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (sorted.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

MeanError error_of_mean(std::span<const double> values) {
    if (values.size() < fewest_values) return {};
    const Values x = centred(values);
    const auto n = static_cast<double>(x.size());
    const double variance = autocovariance(x, 0);
    if (!(variance > 0)) return {0, n - 1, 1};
    const double phi = persistence(x, variance);
    Values rest(x.size() - 1);
    for (std::size_t i = 1; i < x.size(); ++i)
        rest[i - 1] = x[i] - phi * x[i - 1];
    rest = centred(rest);
    const double block = block_length(rest);
    const double independent = std::max(2.0, n * (1 - phi) / (1 + phi) / block);
    // A sample's variance is too small by (k - 1) / k for k independent values.
    const double enlarged = independent / (independent - 1);
    const double of_rest = variance_of_block_means(rest, static_cast<std::size_t>(block));
    return {std::sqrt(of_rest * enlarged) / (1 - phi), independent - 1, block};
}

double students_t(double freedom, double level) {
    const double v = std::max(1.0, freedom), z = normal_exceeds(level), z2 = z * z;
    constexpr double series_is_exact = 1000;
    if (v >= series_is_exact) { // Abramowitz and Stegun 26.7.5
        return z + z * ((z2 + 1) / (4 * v) + ((5 * z2 + 16) * z2 + 3) / (96 * v * v) +
                        (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * v * v * v));
    }
    double low = z, high = 1 / std::tan(std::numbers::pi * level / 2); // between the normal and Cauchy's distribution
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (t_exceeds(v, middle) > level ? low : high) = middle;
    }
    return low;
}

} // namespace cpl_lb
