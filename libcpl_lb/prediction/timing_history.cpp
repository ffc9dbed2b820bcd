// Keeps the times of each count, knows outliers by their noise, and notices a changed load.
#include "prediction/timing_history.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

void TimingNoise::add(double deviation, int earlier) {
    // The mean of n timings scatters too: a deviation from it has the variance (1 + 1/n) sigma^2.
    squares_ += deviation * deviation / (1 + 1.0 / earlier);
    weight_ += 1;
}

double TimingNoise::share() const {
    return std::sqrt(squares_ / weight_);
}

LocalCurve::LocalCurve(std::vector<ScalingSample> samples) : samples_(std::move(samples)) {
    std::sort(samples_.begin(), samples_.end(),
              [](const ScalingSample &a, const ScalingSample &b) { return a.processes < b.processes; });
    fit_ = fit_curve(samples_);
}

double LocalCurve::seconds(double processes) const {
    const auto ratio = [this](const ScalingSample &s) { return s.seconds / fit_.seconds(s.processes); };
    const auto right = std::lower_bound(samples_.begin(), samples_.end(), processes,
                                        [](const ScalingSample &s, double p) { return s.processes < p; });
    double correction = 1;
    if (right == samples_.end()) {
        correction = ratio(samples_.back());
    } else if (right == samples_.begin()) {
        correction = ratio(samples_.front());
    } else {
        const auto left = right - 1;
        const double share = std::log(processes / left->processes) / std::log(right->processes / left->processes);
        correction = ratio(*left) + share * (ratio(*right) - ratio(*left));
    }
    return correction * fit_.seconds(processes);
}

const TimingHistory::Entry *TimingHistory::find(std::int64_t count) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [count](const Entry &e) { return e.count == count; });
    return found == entries_.end() ? nullptr : &*found;
}

TimingHistory::News TimingHistory::add(std::int64_t count, double seconds, TimingNoise &noise) {
    constexpr double least_change = 0.05, changes_of_noise = 5;
    const std::optional<double> before = doubtful_;
    doubtful_.reset();
    const Entry *known = find(count);
    if (known == nullptr || known->before_change) {
        measured(count, seconds);
        return News::usual;
    }
    const double ratio = seconds / known->mean_s;
    if (std::abs(ratio - 1) <= std::max(least_change, changes_of_noise * noise.share())) {
        noise.add(ratio - 1, known->timings);
        measured(count, seconds);
        return News::usual;
    }
    if (before && (*before > 1) == (ratio > 1)) {
        change_by((ratio + *before) / 2);
        measured(count, seconds);
        return News::changed;
    }
    doubtful_ = ratio;
    return News::perhaps_changed;
}

// The shape of the curve is the best guess for the new load, until two counts were run with it.
void TimingHistory::change_by(double ratio) {
    for (Entry &e : entries_) {
        e.mean_s *= ratio;
        e.before_change = true;
    }
}

void TimingHistory::measured(std::int64_t count, double seconds) {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [count](const Entry &e) { return e.count == count; });
    if (entry == entries_.end()) {
        entries_.push_back({count, seconds, 1, false});
    } else if (entry->before_change) {
        *entry = {count, seconds, 1, false};
    } else {
        ++entry->timings;
        entry->mean_s += (seconds - entry->mean_s) / entry->timings;
    }
    const auto is_old = [](const Entry &e) { return e.before_change; };
    if (entries_.size() - static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), is_old)) >= 2)
        std::erase_if(entries_, is_old);
}

LocalCurve TimingHistory::curve() const {
    std::vector<ScalingSample> samples;
    for (const Entry &e : entries_)
        samples.push_back({static_cast<double>(e.count), e.mean_s});
    return LocalCurve(std::move(samples));
}

} // namespace cpl_lb
