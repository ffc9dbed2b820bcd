// Straight lines from ticks to nanoseconds between two calibration points.
#include "run/recovered/calibrated_clock.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::int64_t farthest_ns = std::int64_t{1} << 60; // 36 years: sums and differences stay inside 64 bits
constexpr std::int64_t least_distance_ns = 50'000'000;      // a reading is good to about 50 ns: a rate to 1e-6
constexpr std::int64_t steady_ns = 1'000'000'000;

double rate_between(std::uint64_t from_ticks, std::int64_t from_ns, std::uint64_t to_ticks, std::int64_t to_ns) {
    return static_cast<double>(to_ns - from_ns) / static_cast<double>(to_ticks - from_ticks);
}

bool plausible(double ns_per_tick) {
    return ns_per_tick > 1e-3 && ns_per_tick < 1e4;
}

Nanoseconds bounded(double ns) {
    return static_cast<Nanoseconds>(
        std::clamp(ns, -static_cast<double>(farthest_ns), static_cast<double>(farthest_ns)));
}

} // namespace

CalibratedClock::CalibratedClock(ClockSource source, const ClockPoint &first, const std::vector<ClockPoint> &points)
    : identity_(source == ClockSource::gettime) {
    points_.push_back({first.ticks, std::clamp(first.monotonic_ns, -farthest_ns, farthest_ns)});
    for (const ClockPoint &p : points) {
        const Point &before = points_.back();
        if (p.ticks <= before.ticks || p.monotonic_ns <= before.ns || p.monotonic_ns > farthest_ns) continue;
        if (!plausible(rate_between(before.ticks, before.ns, p.ticks, p.monotonic_ns))) continue;
        // Several close points: the last one counts, or the first of all. A short distance makes a poor rate.
        if (points_.size() > 1 && p.monotonic_ns - before.ns < least_distance_ns) continue;
        if (points_.size() == 2 && before.ns - points_[0].ns < least_distance_ns) points_.pop_back();
        points_.push_back({p.ticks, p.monotonic_ns});
    }
    if (points_.size() < 2) return;
    const Point &last = points_.back();
    const Point &previous = points_[points_.size() - 2];
    const Point &from = last.ns - previous.ns >= steady_ns ? previous : points_.front();
    last_rate_ = rate_between(from.ticks, from.ns, last.ticks, last.ns);
}

Nanoseconds CalibratedClock::to_ns(std::uint64_t ticks) const {
    if (identity_) return std::clamp(static_cast<Nanoseconds>(ticks), -farthest_ns, farthest_ns);
    if (!good()) return points_.front().ns;
    const auto after = std::upper_bound(points_.begin() + 1, points_.end() - 1, ticks,
                                        [](std::uint64_t t, const Point &p) { return t < p.ticks; });
    const bool beyond = ticks > points_.back().ticks;
    const Point &from = beyond ? points_.back() : *(after - 1);
    const double rate = beyond ? last_rate_ : rate_between(from.ticks, from.ns, after->ticks, after->ns);
    const double distance = static_cast<double>(static_cast<std::int64_t>(ticks - from.ticks)) * rate;
    return std::clamp(from.ns + bounded(distance), -farthest_ns, farthest_ns);
}

} // namespace cpl_lb
