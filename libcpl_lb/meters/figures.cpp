// Means, extremes, totals, rates and series of one quantity.
#include "meters/figures.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

Series series_of(const Bins &bins, const std::vector<double> &values) {
    Series series;
    if (std::none_of(values.begin(), values.end(), is_known)) return series;
    series.step_s = to_seconds(bins.step);
    for (const double value : values)
        series.values.emplace_back().add(value);
    return series;
}

std::vector<TimedValue> known_of(std::span<const TimedValue> samples) {
    std::vector<TimedValue> all;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(all),
                 [](const TimedValue &s) { return is_known(s.value); });
    return all;
}

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
    const std::vector<TimedValue> all = known_of(samples);
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
    std::vector<TimedValue> samples = known_of(sampled.samples);
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
