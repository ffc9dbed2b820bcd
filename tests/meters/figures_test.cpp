// What a run says of a meter that has no figures of its own: from samples to extremes, means, totals, rates, series.
#include "meters/figures.hpp"
#include "meters/table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds second = 1'000'000'000;
const Quantity load = {.name = "load", .unit = "1", .scope = Scope::node};
const Quantity packets = {.name = "packets", .unit = "1", .measure = Measure::counter};

SampledQuantity sampled(const Quantity &quantity, std::vector<TimedValue> samples) {
    return {"net", false, &quantity, std::move(samples)};
}
std::vector<double> means(const Series &series) {
    std::vector<double> all;
    for (const Spread &s : series.values)
        all.push_back(s.mean());
    return all;
}

} // namespace

TEST_CASE("a gauge: its extremes, its mean over time, its largest sample in each interval") {
    const SampledQuantity samples = sampled(load, {{0, 1}, {second, 3}, {2 * second, unknown}, {3 * second, 2}});
    const MeterFigures f = figures_of(samples, {second, 5}, 5 * second);
    CHECK((f.meter == "net" && f.quantity == "load" && f.unit == "1"));
    CHECK_FALSE(f.counts_up);
    CHECK(f.over.min == 1);
    CHECK(f.over.max == 3);
    // From 1 to 3 in one second, from 3 to 2 in two: (1 x 2 + 2 x 2.5) / 3 s = 7 / 3.
    CHECK(f.over.mean() == Approx(7. / 3.));
    CHECK(f.over.count == 1); // of one process, however many samples
    CHECK(f.rate_per_s.count == 0);
    // The last sample holds while the process waits for the others.
    CHECK(means(f.series) == std::vector<double>{3, 3, 2, 2, 2});
    CHECK(f.series.step_s == 1);
    CHECK(f.why_missing.empty());
}

TEST_CASE("a counter: what it counted, its rate, and the rate in each interval") {
    // It may have counted before the first sample: 50 in 3 s.
    const SampledQuantity samples = sampled(packets, {{second, 100}, {2 * second, 130}, {4 * second, 150}});
    const MeterFigures f = figures_of(samples, {second, 4}, 4 * second);
    CHECK(f.counts_up);
    CHECK(f.over.sum == 50);
    CHECK(f.rate_per_s.mean() == Approx(50. / 3.));
    REQUIRE(f.series.values.size() == 4);
    CHECK(f.series.values[0].count == 0);
    CHECK(f.series.values[1].mean() == Approx(30)); // 30 in 1 s
    CHECK(f.series.values[2].mean() == Approx(10)); // 20 in 2 s
    CHECK(f.series.values[3].mean() == Approx(10));
}

TEST_CASE("what has no value says why, and is never 0") {
    const MeterFigures one = figures_of(sampled(packets, {{second, 100}}), {second, 4}, 4 * second);
    CHECK(one.over.count == 0);
    CHECK_FALSE(is_known(one.over.mean()));
    CHECK_FALSE(one.why_missing.empty());
    Quantity off = load;
    off.why_missing = "no sensor";
    const MeterFigures none = figures_of(sampled(off, {}), {second, 4}, 4 * second);
    CHECK(none.over.count == 0);
    CHECK(none.series.values.empty());
    CHECK(none.why_missing == "no sensor");
    // One sample of a gauge is a figure.
    CHECK(figures_of(sampled(load, {{second, 4}}), {second, 4}, second).over.mean() == 4);
}

TEST_CASE("the rows: what asks for each meter, and who reads it") {
    const auto read_with = [](const WantedMeters &wanted) {
        std::set<std::string_view> names;
        for (const MeterRow &row : meter_table())
            if (row.part_of.empty() && wanted.has(row.wanted)) names.insert(row.name);
        return names;
    };
    using Names = std::set<std::string_view>;
    CHECK(read_with({true, false, false}) ==
          Names{"rss", "node_memory", "amd_gpu_memory", "nvidia_gpu_memory", "no_processor"});
    CHECK(read_with({false, true, false}) == Names{"energy", "nvidia_gpu_busy", "no_processor"});
    CHECK(read_with({false, false, true}) == Names{"counters", "no_processor"});
    CHECK(read_with({false, false, false}) == Names{"no_processor"});
    CHECK(WantedMeters{false, false, false}.has(Wanted::always));
    for (const MeterRow &row : meter_table()) {
        CHECK_FALSE(row.called.empty());
        if (row.part_of.empty()) continue;
        const auto whole = std::find_if(meter_table().begin(), meter_table().end(),
                                        [&](const MeterRow &other) { return other.name == row.part_of; });
        REQUIRE(whole != meter_table().end());
        CHECK(whole->part_of.empty());
        CHECK(whole->wanted == row.wanted);
    }
}
