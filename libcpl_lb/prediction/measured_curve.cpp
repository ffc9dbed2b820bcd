// Interpolation of measured times in logarithms.
#include "prediction/measured_curve.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// Slope at a point between two intervals that keeps the curve monotone (Fritsch and Butland 1984): the weighted
// harmonic mean, 0 at a turn.
double inner_slope(double left_width, double left, double right_width, double right) {
    if (left * right <= 0) return 0;
    const double w1 = 2 * right_width + left_width;
    const double w2 = right_width + 2 * left_width;
    return (w1 + w2) / (w1 / left + w2 / right);
}

// The slope at an end, from the first two intervals. It is limited so that the first one stays monotone.
double end_slope(double width, double first, double next_width, double next) {
    const double slope = ((2 * width + next_width) * first - width * next) / (width + next_width);
    if (slope * first <= 0) return 0;
    if (first * next <= 0 && std::abs(slope) > 3 * std::abs(first)) return 3 * first;
    return slope;
}

std::vector<double> monotone_slopes(const std::vector<double> &x, const std::vector<double> &y) {
    const std::size_t n = x.size();
    std::vector<double> slopes(n);
    if (n < 2) return slopes;
    const auto width = [&](std::size_t i) { return x[i + 1] - x[i]; };
    const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / width(i); };
    if (n == 2) return {secant(0), secant(0)};
    for (std::size_t i = 1; i + 1 < n; ++i)
        slopes[i] = inner_slope(width(i - 1), secant(i - 1), width(i), secant(i));
    slopes[0] = end_slope(width(0), secant(0), width(1), secant(1));
    slopes[n - 1] = end_slope(width(n - 2), secant(n - 2), width(n - 3), secant(n - 3));
    return slopes;
}

} // namespace

MeasuredCurve::MeasuredCurve(const std::vector<ScalingSample> &samples)
    : fit_(fit_curve(samples, FitErrors::relative)) {
    for (const ScalingSample &s : samples) {
        x_.push_back(std::log(s.processes));
        y_.push_back(std::log(s.seconds));
    }
    slope_ = monotone_slopes(x_, y_);
    if (samples.size() == 1) slope_ = {-1}; // ideal scaling
    two_fitted_ = samples.size() == 2 && fit_.rms < 1e-6;
}

double MeasuredCurve::between(double x) const {
    const auto right = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin());
    const std::size_t left = right - 1;
    const double width = x_[right] - x_[left];
    const double t = (x - x_[left]) / width;
    const double back = 1 - t;
    return y_[left] * (1 + 2 * t) * back * back + y_[right] * (1 + 2 * back) * t * t +
           width * t * back * (slope_[left] * back - slope_[right] * t);
}

double MeasuredCurve::seconds(double processes) const {
    const double x = std::log(processes);
    if (x > x_.front() && x < x_.back()) return two_fitted_ ? fit_.seconds(processes) : std::exp(between(x));
    const bool fewer = x <= x_.front();
    const double end = fewer ? x_.front() : x_.back();
    const double met = std::exp(fewer ? y_.front() : y_.back());
    const double fitted = met * fit_.seconds(processes) / fit_.seconds(std::exp(end));
    return fewer ? std::max(fitted, met * std::exp((end - x) / 2)) : fitted;
}

} // namespace cpl_lb
