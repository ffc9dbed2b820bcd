// The three forms of a scaling curve, and how far to trust it.
#include "prediction/scaling_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// Weighted by 1 / error^2 if all errors are known, else equally. The error of the mean is the larger of two
// estimates: from the errors, and from the distances between the samples.
ScalingSample mean_of(std::span<const ScalingSample> same) {
    const bool weighted = std::ranges::all_of(same, [](const ScalingSample &s) { return s.error_s > 0; });
    const auto weight_of = [&](const ScalingSample &s) { return weighted ? 1 / (s.error_s * s.error_s) : 1; };
    double weights = 0, sum = 0, squares = 0;
    for (const ScalingSample &s : same) {
        weights += weight_of(s);
        sum += weight_of(s) * s.seconds;
    }
    ScalingSample mean{same.front().processes, sum / weights, weighted ? std::sqrt(1 / weights) : not_known};
    if (same.size() == 1) return mean;
    for (const ScalingSample &s : same)
        squares += weight_of(s) * (s.seconds - mean.seconds) * (s.seconds - mean.seconds);
    const double apart = std::sqrt(squares / weights / static_cast<double>(same.size() - 1));
    mean.error_s = weighted ? std::max(mean.error_s, apart) : apart;
    return mean;
}

std::vector<ScalingSample> sorted_means(std::vector<ScalingSample> samples) {
    for (const ScalingSample &s : samples)
        if (!(s.processes > 0) || !(s.seconds > 0) || !std::isfinite(s.processes) || !std::isfinite(s.seconds))
            throw std::invalid_argument("processes and seconds of a scaling curve must be positive");
    if (samples.empty()) throw std::invalid_argument("a scaling curve needs at least one measured time");
    std::ranges::sort(samples, [](const ScalingSample &a, const ScalingSample &b) {
        return a.processes < b.processes || (a.processes == b.processes && a.seconds < b.seconds);
    });
    std::vector<ScalingSample> means;
    for (std::size_t i = 0; i < samples.size();) {
        std::size_t j = i;
        while (j < samples.size() && samples[j].processes == samples[i].processes)
            ++j;
        means.push_back(mean_of(std::span(samples).subspan(i, j - i)));
        i = j;
    }
    return means;
}

std::vector<ScalingSample> lower_hull(std::vector<ScalingSample> samples) {
    std::vector<ScalingSample> hull;
    if (samples.front().processes > 1)
        samples.insert(samples.begin(), {1, samples.front().processes * samples.front().seconds});
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

// The slope at a point between two intervals, so that the curve stays monotone (Fritsch and Butland 1984): the
// weighted harmonic mean, 0 at a turn.
double inner_slope(double left_width, double left, double right_width, double right) {
    if (left * right <= 0) return 0;
    const double w1 = 2 * right_width + left_width;
    const double w2 = right_width + 2 * left_width;
    return (w1 + w2) / (w1 / left + w2 / right);
}

// The slope at an end, from the first two intervals, limited so that the first one stays monotone.
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

// How far to trust a curve. These shares were set on random scaling laws so that the truth lies within what is stated
// in 90 of 100 cases (tests/simulator).

// Below this share, one more run would not be worth its cost.
constexpr double agreeing = 5e-3;
// A curve with the point is closer than the one without it, which has to span twice the interval.
constexpr double of_left_out = 0.6;
// Share for each factor of e beyond the measured counts, where the component may scale in another way.
constexpr double least_beyond = 0.15;
// In standard errors: two of them cover 95 of 100 cases.
constexpr double of_scatter = 2;
// Steps off the counts that were measured are higher than those that the measured ones happen to show: the more so,
// the fewer these are.
constexpr double of_steps = 2, of_steps_shown_once = 2;
// Times in tables are rounded.
constexpr double rounded = 1e-3;

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

std::string name_of(CurveForm form) {
    if (form == CurveForm::measured) return "measured";
    return form == CurveForm::hslb ? "hslb" : "linear";
}

CurveForm curve_form(const std::string &name) {
    if (name == "measured") return CurveForm::measured;
    if (name == "hslb" || name == "fit") return CurveForm::hslb;
    if (name == "linear") return CurveForm::linear;
    throw std::invalid_argument("no form of a scaling curve: '" + name + "'; there are measured, hslb, linear");
}

ScalingCurve::ScalingCurve(std::vector<ScalingSample> samples)
    : samples_(sorted_means(std::move(samples))), hull_(lower_hull(samples_)), hslb_(fit_curve(samples_)),
      measured_(samples_) {
    leave_out_each();
}

ScalingCurve ScalingCurve::with_serial_part(const ScalingSample &sample, double share) {
    if (!(share >= 0 && share <= 1)) throw std::invalid_argument("a serial part is a share from 0 to 1");
    ScalingCurve curve({sample});
    curve.hslb_.a *= 1 - share;
    curve.hslb_.k = share * sample.seconds;
    curve.serial_part_ = true;
    return curve;
}

ScalingCurve ScalingCurve::like(const ScalingSample &sample, const ScalingCurve &shape) {
    ScalingCurve curve({sample});
    curve.shape_ = std::make_shared<const ScalingCurve>(shape);
    return curve;
}

double ScalingCurve::seconds(double processes, CurveForm form) const {
    if (shape_) {
        const ScalingSample &sample = samples_.front();
        return sample.seconds * shape_->seconds(processes, form) / shape_->seconds(sample.processes, form);
    }
    if (form == CurveForm::linear) return linear_s(processes);
    return form == CurveForm::hslb || serial_part_ ? hslb_.seconds(processes) : measured_.seconds(processes);
}

double ScalingCurve::linear_s(double processes) const {
    if (shape_) return seconds(processes, CurveForm::linear);
    if (samples_.size() == 1) return hslb_.seconds(processes);
    const ScalingSample &last = hull_.back();
    if (processes >= last.processes) {
        const ScalingSample &before = hull_[hull_.size() - 2];
        const double fell = (1 - last.seconds / before.seconds) / (1 - before.processes / last.processes);
        const double falls = std::clamp(fell, 0.0, 1.0);
        return last.seconds * (1 - falls + falls * last.processes / processes);
    }
    auto right = std::ranges::lower_bound(hull_, processes, {}, &ScalingSample::processes);
    if (right == hull_.begin()) ++right;
    const auto left = right - 1;
    const double share = (processes - left->processes) / (right->processes - left->processes);
    return left->seconds + share * (right->seconds - left->seconds);
}

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

void ScalingCurve::leave_out_each() {
    left_out_.assign(samples_.size(), 0);
    if (samples_.size() < 3) return;
    // Of many samples only those near it tell of the curve there: each curve costs the same, however long the table.
    constexpr std::size_t most_near = 65;
    const std::size_t near = std::min(most_near, samples_.size());
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const std::size_t first = std::min(std::max(i, near / 2) - near / 2, samples_.size() - near);
        const auto from = samples_.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<ScalingSample> others(from, from + static_cast<std::ptrdiff_t>(near));
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i - first));
        left_out_[i] = log_ratio(MeasuredCurve(others).seconds(samples_[i].processes), samples_[i].seconds);
    }
    double most = 0; // of the inner counts, beyond their scatter: squared
    for (std::size_t i = 1; i + 1 < samples_.size(); ++i) {
        const double by_chance = std::max(scatter(samples_[i]), rounded);
        most = std::max(most, left_out_[i] * left_out_[i] - by_chance * by_chance);
    }
    const auto inner = static_cast<double>(samples_.size() - 2);
    steps_ = (of_steps + of_steps_shown_once / inner) * std::sqrt(most);
}

ScalingCurve::Between ScalingCurve::between(double processes) const {
    const auto right = std::upper_bound(samples_.begin() + 1, samples_.end() - 1, processes,
                                        [](double p, const ScalingSample &s) { return p < s.processes; });
    const auto left = right - 1;
    return {static_cast<std::size_t>(left - samples_.begin()), static_cast<std::size_t>(right - samples_.begin()),
            std::log(processes / left->processes) / std::log(right->processes / left->processes)};
}

// 0 at the measured counts; largest half-way between two of them.
double ScalingCurve::bend_between(double processes) const {
    const auto [left, right, t] = between(processes);
    const std::size_t last = samples_.size() - 1;
    if (last == 1) { // two samples: the difference between the forms
        const double here = measured_.seconds(processes);
        return std::max(log_ratio(hslb_.seconds(processes), here), log_ratio(linear_s(processes), here));
    }
    // Without the end the curve extrapolates, which tells nothing about the counts in between.
    const double shape = std::max(left == 0 ? 0 : left_out_[left], right == last ? 0 : left_out_[right]);
    return shape * of_left_out * 4 * t * (1 - t);
}

double ScalingCurve::scatter_between(double processes) const {
    const auto [left, right, t] = between(processes);
    return scatter(samples_[left]) * (1 - t) + scatter(samples_[right]) * t;
}

// A law that falls, or rises, lies between the two times.
std::optional<UnmeasuredGap> ScalingCurve::gap_at(double processes) const {
    if (samples_.size() < 2 || !measured_range_holds(processes) || steps_ <= 0) return std::nullopt;
    const auto [left, right, t] = between(processes);
    if (t <= 0 || t >= 1) return std::nullopt;
    const double here = measured_.seconds(processes);
    const auto [low, high] = std::minmax(samples_[left].seconds, samples_[right].seconds);
    return UnmeasuredGap{samples_[left].processes, samples_[right].processes,
                         std::clamp(here * std::exp(-steps_), std::min(low, here), here),
                         std::clamp(here * std::exp(steps_), here, std::max(high, here))};
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
    if (n > 2) disagree = std::max({disagree, steps_, left_out_[fewer ? 0 : n - 1] * std::abs(distance) / before});
    return std::hypot(std::max(disagree, least_beyond * std::abs(distance)), scatter(end));
}

TimeError ScalingCurve::error_of_logarithm(double processes) const {
    if (samples_.size() == 1) {
        const bool measured = processes == samples_.front().processes;
        const double off = measured ? scatter(samples_.front()) : not_known;
        return {off, off};
    }
    if (!measured_range_holds(processes)) {
        const double off = uncertain_beyond(processes);
        return {off, off};
    }
    const double bend = bend_between(processes), noise = scatter_between(processes);
    const std::optional<UnmeasuredGap> gap = gap_at(processes);
    if (!gap) return {std::hypot(bend, noise), std::hypot(bend, noise)};
    const double here = measured_.seconds(processes);
    return {std::hypot(std::max(bend, log_ratio(here, gap->least_s)), noise),
            std::hypot(std::max(bend, log_ratio(gap->most_s, here)), noise)};
}

TimeError ScalingCurve::error(double processes) const {
    const auto [shorter, longer] = error_of_logarithm(processes);
    return {as_share(shorter), as_share(longer)};
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
        if (p < least || p > most) return;
        const double off =
            as_share(measured_range_holds(p) ? std::hypot(bend_between(p), scatter_between(p)) : uncertain_beyond(p));
        if (off <= widest) return;
        widest = off;
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
