#include "prediction/scaling_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr double agreeing = 1e-3;

std::vector<ScalingSample> sorted_means(std::vector<ScalingSample> samples) {
    for (const ScalingSample &s : samples)
        if (!(s.processes > 0) || !(s.seconds > 0) || !std::isfinite(s.processes) || !std::isfinite(s.seconds))
            throw std::invalid_argument("processes and seconds of a scaling curve must be positive");
    if (samples.empty()) throw std::invalid_argument("a scaling curve needs at least one measured time");
    std::sort(samples.begin(), samples.end(), [](const ScalingSample &a, const ScalingSample &b) {
        return a.processes < b.processes || (a.processes == b.processes && a.seconds < b.seconds);
    });
    std::vector<ScalingSample> means;
    for (std::size_t i = 0; i < samples.size();) {
        double sum = 0;
        std::size_t j = i;
        for (; j < samples.size() && samples[j].processes == samples[i].processes; ++j)
            sum += samples[j].seconds;
        means.push_back({samples[i].processes, sum / static_cast<double>(j - i)});
        i = j;
    }
    return means;
}

std::vector<ScalingSample> lower_hull(const std::vector<ScalingSample> &samples) {
    std::vector<ScalingSample> hull;
    const auto bends_down = [](const ScalingSample &a, const ScalingSample &b, const ScalingSample &c) {
        return (b.seconds - a.seconds) * (c.processes - b.processes) >=
               (c.seconds - b.seconds) * (b.processes - a.processes);
    };
    for (const ScalingSample &s : samples) {
        while (hull.size() >= 2 && bends_down(hull[hull.size() - 2], hull.back(), s))
            hull.pop_back();
        hull.push_back(s);
    }
    return hull;
}

} // namespace

ScalingCurve::ScalingCurve(std::vector<ScalingSample> samples)
    : samples_(sorted_means(std::move(samples))), hull_(lower_hull(samples_)), fit_(fit_curve(samples_)) {}

ScalingCurve ScalingCurve::with_serial_part(const ScalingSample &sample, double share) {
    if (!(share >= 0 && share <= 1)) throw std::invalid_argument("a serial part is a share from 0 to 1");
    ScalingCurve curve({sample});
    curve.fit_.a *= 1 - share;
    curve.fit_.k = share * sample.seconds;
    return curve;
}

double ScalingCurve::linear_s(double processes) const {
    if (hull_.size() == 1) return fit_.seconds(processes);
    const ScalingSample &first = hull_.front();
    const ScalingSample &last = hull_.back();
    if (processes <= first.processes) return first.seconds * first.processes / processes;
    if (processes >= last.processes) return last.seconds;
    const auto right = std::lower_bound(hull_.begin(), hull_.end(), processes,
                                        [](const ScalingSample &s, double p) { return s.processes < p; });
    const auto left = right - 1;
    const double share = (processes - left->processes) / (right->processes - left->processes);
    return left->seconds + share * (right->seconds - left->seconds);
}

double ScalingCurve::spread_s(double processes) const {
    if (samples_.size() == 1) return std::numeric_limits<double>::quiet_NaN();
    return std::abs(fit_.seconds(processes) - linear_s(processes));
}

double ScalingCurve::measure_next(double least, double most) const {
    const double first = samples_.front().processes;
    const double last = samples_.back().processes;
    if (samples_.size() == 1)
        return std::abs(std::log(most / first)) > std::abs(std::log(first / least)) ? most : least;
    double best = 0;
    double widest = agreeing;
    const auto consider = [&](double p) {
        const double relative = spread_s(p) / linear_s(p);
        if (p < least || p > most || relative <= widest) return;
        widest = relative;
        best = p;
    };
    consider(least);
    consider(most);
    constexpr int steps = 64;
    for (int i = 0; i <= steps; ++i) {
        consider(
            std::round(std::exp(std::log(std::min(first, least)) +
                                i * (std::log(std::max(last, most)) - std::log(std::min(first, least))) / steps)));
    }
    return best;
}

} // namespace cpl_lb
