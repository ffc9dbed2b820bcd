// How far to trust a scaling curve. The shares below were set on random scaling laws so that the truth lies within
// what is stated in 90 of 100 cases (tests/simulator).
#include "prediction/scaling_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cpl_lb {
namespace {

// Below this share, one more run would not be worth its cost.
constexpr double agreeing = 5e-3;
// A curve with the point is closer than the one without it, which has to span twice the interval.
constexpr double of_left_out = 0.6;
// Share for each factor of e beyond the measured counts, where the component may scale in another way.
constexpr double least_beyond = 0.15;
// In standard errors: two of them cover 95 of 100 cases.
constexpr double of_scatter = 2;

double log_ratio(double a, double b) {
    return std::abs(std::log(a / b));
}

double as_share(double logarithm) {
    return std::expm1(logarithm);
}

double scatter(const ScalingSample &sample) {
    return sample.error_s > 0 ? of_scatter * sample.error_s / sample.seconds : 0;
}

} // namespace

void ScalingCurve::leave_out_each() {
    left_out_.assign(samples_.size(), 0);
    if (samples_.size() < 3) return;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        std::vector<ScalingSample> others = samples_;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        left_out_[i] = log_ratio(MeasuredCurve(others).seconds(samples_[i].processes), samples_[i].seconds);
    }
}

// At the measured counts there is only the scatter; the uncertainty is largest half-way between two counts.
double ScalingCurve::uncertain_between(double processes) const {
    const auto right =
        static_cast<std::size_t>(std::upper_bound(samples_.begin(), samples_.end() - 1, processes,
                                                  [](double p, const ScalingSample &s) { return p < s.processes; }) -
                                 samples_.begin());
    const std::size_t left = right - 1;
    const double t = std::log(processes / samples_[left].processes) /
                     std::log(samples_[right].processes / samples_[left].processes);
    const std::size_t last = samples_.size() - 1;
    // Without the end the curve extrapolates, which tells nothing about the counts in between.
    double shape = std::max(left == 0 ? 0 : left_out_[left], right == last ? 0 : left_out_[right]) * of_left_out;
    if (last == 1) { // two samples: the difference between the forms
        shape = log_ratio(hslb_.seconds(processes), measured_.seconds(processes));
        shape = std::max(shape, log_ratio(linear_s(processes), measured_.seconds(processes)));
    } else {
        shape *= 4 * t * (1 - t);
    }
    return std::hypot(shape, scatter(samples_[left]) * (1 - t) + scatter(samples_[right]) * t);
}

double ScalingCurve::uncertain_beyond(double processes) const {
    const bool fewer = processes < samples_.front().processes;
    const std::size_t n = samples_.size();
    const ScalingSample &end = fewer ? samples_.front() : samples_.back();
    const ScalingSample &next = fewer ? samples_[1] : samples_[n - 2];
    const double here = measured_.seconds(processes);
    const double distance = std::log(processes / end.processes);
    const double slope = fewer ? measured_.first_slope() : measured_.last_slope();
    double disagree = log_ratio(end.seconds * std::exp(slope * distance), here);
    disagree =
        std::max(disagree, log_ratio(end.seconds * hslb_.seconds(processes) / hslb_.seconds(end.processes), here));
    if (fewer) disagree = std::max(disagree, log_ratio(end.seconds * end.processes / processes, here));
    // The error of the curve without the end, scaled to that distance.
    const double before = std::abs(std::log(end.processes / next.processes));
    if (n > 2) disagree = std::max(disagree, left_out_[fewer ? 0 : n - 1] * std::abs(distance) / before);
    return std::hypot(std::max(disagree, least_beyond * std::abs(distance)), scatter(end));
}

double ScalingCurve::uncertainty(double processes) const {
    if (samples_.size() == 1) {
        if (processes == samples_.front().processes) return as_share(scatter(samples_.front()));
        return std::numeric_limits<double>::quiet_NaN();
    }
    return as_share(measured_range_holds(processes) ? uncertain_between(processes) : uncertain_beyond(processes));
}

double ScalingCurve::measure_next(double least, double most) const {
    const double first = samples_.front().processes;
    const double last = samples_.back().processes;
    if (least > most) return 0;
    if (samples_.size() == 1) {
        if (least == first && most == first) return 0;
        return std::abs(std::log(most / first)) > std::abs(std::log(first / least)) ? most : least;
    }
    double best = 0;
    double widest = agreeing;
    const auto consider = [&](double p) {
        if (p < least || p > most || uncertainty(p) <= widest) return;
        widest = uncertainty(p);
        best = p;
    };
    consider(least);
    consider(most);
    constexpr int steps = 64;
    const double low = std::log(std::min(first, least));
    const double high = std::log(std::max(last, most));
    for (int i = 0; i <= steps; ++i)
        consider(std::round(std::exp(low + i * (high - low) / steps)));
    return best;
}

} // namespace cpl_lb
