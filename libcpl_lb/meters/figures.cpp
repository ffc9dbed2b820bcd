// The largest sample, or the rate of a counter, in each of several equal intervals.
#include "meters/figures.hpp"

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

Series series_of(const Bins &bins, const std::vector<double> &values) {
    Series series;
    if (std::none_of(values.begin(), values.end(), is_known)) return series;
    series.step_s = to_seconds(bins.step);
    for (const double value : values)
        series.values.emplace_back().add(value);
    return series;
}

namespace {

void enter_gauge(MeterFigures &figures, const std::vector<TimedValue> &samples) {
    if (samples.empty()) return;
    const auto [least, most] = std::minmax_element(
        samples.begin(), samples.end(), [](const TimedValue &a, const TimedValue &b) { return a.value < b.value; });
    figures.over = {.min = least->value, .max = most->value, .sum = mean_over_time(samples), .count = 1};
}

// One sample says nothing of how much was counted.
void enter_counter(MeterFigures &figures, const std::vector<TimedValue> &samples) {
    if (samples.size() < 2) return;
    const TimedValue &first = samples.front(), &last = samples.back();
    figures.over.add(last.value - first.value);
    if (last.at > first.at) figures.rate_per_s.add((last.value - first.value) / to_seconds(last.at - first.at));
}

} // namespace

double mean_over_time(std::span<const TimedValue> samples) {
    const std::vector<TimedValue> all = known(samples);
    if (all.empty()) return unknown;
    const Nanoseconds length = all.back().at - all.front().at;
    if (length <= 0) return all.back().value;
    double sum = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        sum += 0.5 * (all[i - 1].value + all[i].value) * static_cast<double>(all[i].at - all[i - 1].at);
    return sum / static_cast<double>(length);
}

MeterFigures figures_of(const SampledQuantity &sampled, const Bins &bins, Nanoseconds held_until) {
    const Quantity &quantity = *sampled.quantity;
    MeterFigures figures;
    figures.meter = sampled.meter;
    figures.quantity = quantity.name;
    figures.unit = quantity.unit;
    figures.of_node = sampled.of_node;
    figures.counts_up = quantity.measure == Measure::counter;
    figures.why_missing = quantity.why_missing;
    if (!figures.why_missing.empty()) return figures;
    std::vector<TimedValue> samples = known(sampled.samples);
    if (figures.counts_up) {
        enter_counter(figures, samples);
        figures.series = series_of(bins, rate_in(bins, samples));
    } else {
        enter_gauge(figures, samples);
        if (!samples.empty() && samples.back().at < held_until) samples.push_back({held_until, samples.back().value});
        figures.series = series_of(bins, largest_in(bins, samples));
    }
    if (figures.over.count == 0) figures.why_missing = "too few of its samples hold a value";
    return figures;
}

} // namespace cpl_lb
