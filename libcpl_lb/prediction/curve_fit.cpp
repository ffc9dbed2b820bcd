// The fit a / p + b p^c + k: three unknowns that must not be negative, so all subsets of them are tried.
#include "prediction/scaling_curve.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

constexpr int c_steps = 100;
using Terms = std::array<double, 3>; // a, b, k

// The terms at p. Each is divided by its value at the first sample, so that all have the same size.
struct Basis {
    double first = 1; // processes of the first sample
    double c = 0;
    [[nodiscard]] Terms at(double p) const { return {first / p, std::pow(p / first, c), 1.0}; }
};

// The weight of an error at the sample.
double weight_of(const ScalingSample &sample, FitErrors errors) {
    return errors == FitErrors::relative ? 1 / sample.seconds : 1;
}

// Solves the least squares with the terms in `subset` by Gram-Schmidt; false if they are not independent.
bool solve(const std::vector<ScalingSample> &samples, FitErrors errors, const Basis &basis, unsigned subset,
           Terms &coefficients) {
    std::vector<std::size_t> used;
    for (std::size_t t = 0; t < 3; ++t)
        if ((subset >> t & 1U) != 0) used.push_back(t);
    std::vector<std::vector<double>> q;
    std::array<std::array<double, 3>, 3> r{};
    Terms projection{};
    for (std::size_t i = 0; i < used.size(); ++i) {
        std::vector<double> column;
        double size = 0;
        for (const ScalingSample &s : samples) {
            column.push_back(basis.at(s.processes)[used[i]] * weight_of(s, errors));
            size += column.back() * column.back();
        }
        for (std::size_t j = 0; j < i; ++j) {
            for (std::size_t n = 0; n < column.size(); ++n)
                r[j][i] += q[j][n] * column[n];
            for (std::size_t n = 0; n < column.size(); ++n)
                column[n] -= r[j][i] * q[j][n];
        }
        double left = 0;
        for (const double x : column)
            left += x * x;
        if (left <= 1e-18 * size) return false;
        r[i][i] = std::sqrt(left);
        for (std::size_t n = 0; n < column.size(); ++n) {
            column[n] /= r[i][i];
            projection[i] += column[n] * samples[n].seconds * weight_of(samples[n], errors);
        }
        q.push_back(std::move(column));
    }
    coefficients = {};
    for (std::size_t i = used.size(); i-- > 0;) {
        double x = projection[i];
        for (std::size_t j = i + 1; j < used.size(); ++j)
            x -= r[i][j] * coefficients[used[j]];
        coefficients[used[i]] = x / r[i][i];
    }
    return true;
}

double rms_of(const std::vector<ScalingSample> &samples, FitErrors errors, const ScalingFit &fit) {
    double sum = 0;
    for (const ScalingSample &s : samples) {
        const double error = (fit.seconds(s.processes) - s.seconds) * weight_of(s, errors);
        sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(samples.size()));
}

} // namespace

double ScalingFit::seconds(double processes) const {
    return a / processes + (b > 0 ? b * std::pow(processes, c) : 0) + k;
}

ScalingFit fit_curve(const std::vector<ScalingSample> &samples, FitErrors errors) {
    ScalingFit best;
    best.rms = std::numeric_limits<double>::infinity();
    int fewest = 4;
    const double tie = 1e-9 * samples.front().seconds * weight_of(samples.front(), errors);
    for (int step = 0; step <= c_steps; ++step) {
        const Basis basis{samples.front().processes, static_cast<double>(step) / c_steps};
        // Subsets: bit 0 a, bit 1 b, bit 2 k. With c = 0, b and k are the same term; without b, c does not matter.
        for (unsigned subset = 1; subset < 8; ++subset) {
            const bool with_b = (subset & 2U) != 0;
            if (with_b ? step == 0 : step > 0) continue;
            const int terms = std::popcount(subset);
            if (samples.size() == 1 ? subset != 1 : static_cast<std::size_t>(terms) > samples.size()) continue;
            Terms x{};
            if (!solve(samples, errors, basis, subset, x) || *std::ranges::min_element(x) < 0) continue;
            ScalingFit fit{x[0] * basis.first, x[1] / std::pow(basis.first, basis.c), basis.c, x[2], 0};
            fit.rms = rms_of(samples, errors, fit);
            const bool better = fit.rms < best.rms - tie;
            if (better || (fit.rms < best.rms + tie && terms < fewest)) {
                best = fit;
                fewest = terms;
            }
        }
    }
    return best;
}

} // namespace cpl_lb
