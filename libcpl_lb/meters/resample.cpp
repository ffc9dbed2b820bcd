// The largest sample, or the rate of a counter, in each of several equal intervals.
#include "meters/resample.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::vector<TimedValue> known(std::span<const TimedValue> samples) {
    std::vector<TimedValue> all;
    all.reserve(samples.size());
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(all),
                 [](const TimedValue &s) { return is_known(s.value); });
    return all;
}

// At least two samples, and `at` between the first and the last.
double on_line(Nanoseconds at, const std::vector<TimedValue> &samples) {
    const auto after = std::upper_bound(samples.begin(), samples.end(), at,
                                        [](Nanoseconds t, const TimedValue &s) { return t < s.at; });
    if (after == samples.begin()) return samples.front().value;
    if (after == samples.end()) return samples.back().value;
    const TimedValue &a = *(after - 1), &b = *after; // a.at <= at < b.at
    const double share = static_cast<double>(at - a.at) / static_cast<double>(b.at - a.at);
    return a.value + share * (b.value - a.value);
}

} // namespace

Bins bins_of(Nanoseconds length, Nanoseconds sample) {
    if (length <= 0) return {};
    constexpr auto most = static_cast<Nanoseconds>(series_most_points);
    const Nanoseconds step = std::max({(length + most - 1) / most, sample, Nanoseconds{1}});
    return {step, static_cast<std::size_t>((length + step - 1) / step)};
}

std::vector<double> largest_in(const Bins &bins, std::span<const TimedValue> samples) {
    std::vector<double> values(bins.count, unknown);
    const std::vector<TimedValue> all = known(samples);
    std::size_t next = 0;
    double before = unknown;
    for (std::size_t i = 0; i < bins.count && next < all.size(); ++i) {
        const Nanoseconds end = static_cast<Nanoseconds>(i + 1) * bins.step;
        double largest = unknown;
        for (; next < all.size() && all[next].at <= end; ++next) {
            before = all[next].value;
            largest = is_known(largest) ? std::max(largest, before) : before;
        }
        values[i] = is_known(largest) ? largest : before;
    }
    return values;
}

std::vector<double> rate_in(const Bins &bins, std::span<const TimedValue> samples) {
    std::vector<double> values(bins.count, unknown);
    const std::vector<TimedValue> all = known(samples);
    if (all.size() < 2) return values;
    for (std::size_t i = 0; i < bins.count; ++i) {
        const Nanoseconds from = std::max(static_cast<Nanoseconds>(i) * bins.step, all.front().at);
        const Nanoseconds to = std::min(static_cast<Nanoseconds>(i + 1) * bins.step, all.back().at);
        if (to - from < bins.step / 2 || to <= from) continue;
        values[i] = (on_line(to, all) - on_line(from, all)) / to_seconds(to - from);
    }
    return values;
}

double value_at(Nanoseconds at, std::span<const TimedValue> samples) {
    const std::vector<TimedValue> all = known(samples);
    if (all.size() < 2 || at < all.front().at || at > all.back().at) return unknown;
    return on_line(at, all);
}

} // namespace cpl_lb
