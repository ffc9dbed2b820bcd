// Groups the coupling steps, with the mean of each group, and lists the steps that differ most.
#include "page/page_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace cpl_lb {
namespace {

using Json = JsonTree;

struct Figure {
    const char *name;
    double Step::*value;
};
// Figures whose largest and least values a chart keeps when several steps share a point.
struct Extremes {
    const char *name;
    double Step::*value;
    double StepExtremes::*most, StepExtremes::*least; // of a group of steps
};
constexpr std::array<Extremes, 3> extremes = {
    {{"computing_s", &Step::computing_s, &StepExtremes::max_computing_s, &StepExtremes::min_computing_s},
     {"waiting_s", &Step::waiting_s, &StepExtremes::max_waiting_s, &StepExtremes::min_waiting_s},
     {"jitter_s", &Step::jitter_s, &StepExtremes::max_jitter_s, &StepExtremes::min_jitter_s}}};

constexpr std::array<Figure, 4> figures = {{{"length_s", &Step::length_s},
                                            {"computing_s", &Step::computing_s},
                                            {"waiting_s", &Step::waiting_s},
                                            {"jitter_s", &Step::jitter_s}}};

double to_nanoseconds(double s) { // short in text, and exact enough
    return std::round(s * 1e9) / 1e9;
}

// Long runs list groups of steps with their sums: the mean of each group stands for its steps.
std::vector<Step> single(std::vector<Step> steps) {
    for (Step &step : steps)
        for (const Figure &figure : figures)
            step.*figure.value /= static_cast<double>(std::max<std::int64_t>(step.steps, 1));
    return steps;
}

double quantile(std::vector<double> &values, double q) { // reorders
    const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

std::vector<double> values_of(const std::vector<Step> &steps, double Step::*value) {
    std::vector<double> values;
    values.reserve(steps.size());
    for (const Step &step : steps)
        values.push_back(step.*value);
    return values;
}

Json distribution(const std::vector<Step> &steps, double Step::*value) {
    constexpr std::size_t bars = 32;
    std::vector<double> values = values_of(steps, value);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double first = *low;
    const double last = *high;
    std::array<std::int64_t, bars> counts{};
    const double width = (last - first) / static_cast<double>(bars);
    for (const double v : values) {
        const auto bar = width > 0 ? static_cast<std::size_t>((v - first) / width) : 0;
        ++counts[std::min(bar, bars - 1)];
    }
    return {{"min", first},
            {"median", quantile(values, 0.5)},
            {"p95", quantile(values, 0.95)},
            {"max", last},
            {"counts", counts}};
}

// The ten worst steps whose length differs from the median by more than five times the usual deviation, and by 5 %.
Json irregular(const std::vector<Step> &steps, bool dated) {
    constexpr std::size_t most = 10;
    std::vector<double> lengths = values_of(steps, &Step::length_s);
    const double median = quantile(lengths, 0.5);
    for (double &length : lengths)
        length = std::abs(length - median);
    const double usual = 1.4826 * quantile(lengths, 0.5); // a normal distribution's deviation, robustly
    const double bound = std::max(5 * usual, 0.05 * median);
    std::vector<std::size_t> worst;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::abs(steps[i].length_s - median) > bound) worst.push_back(i);
    const std::size_t all = worst.size();
    std::stable_sort(worst.begin(), worst.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(steps[a].length_s - median) > std::abs(steps[b].length_s - median);
    });
    worst.resize(std::min(all, most));
    Json list = Json::array();
    for (const std::size_t i : worst) {
        list.push_back({{"step", static_cast<std::int64_t>(i) * steps.front().steps + 1},
                        {"start_s", to_nanoseconds(steps[i].start_s)},
                        {"length_s", to_nanoseconds(steps[i].length_s)},
                        {"waiting_s", to_nanoseconds(steps[i].waiting_s)},
                        {"date", dated ? Json(steps[i].date) : Json(nullptr)}});
    }
    return {{"count", all}, {"worst", list}};
}

// The extreme of steps first to end - 1; unknown if a group of several steps has no extreme of its own.
double extreme_of(const std::vector<Step> &steps, const std::vector<StepExtremes> &of_groups, std::size_t first,
                  std::size_t end, const Extremes &figure, bool largest) {
    double extreme = largest ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = first; i < end; ++i) {
        double value = unknown;
        if (steps[i].steps == 1) {
            value = steps[i].*figure.value;
        } else if (i < of_groups.size()) {
            value = of_groups[i].*(largest ? figure.most : figure.least);
        }
        if (!is_known(value)) return unknown;
        extreme = largest ? std::max(extreme, value) : std::min(extreme, value);
    }
    return extreme;
}

Json extremes_of(const std::vector<Step> &steps, const std::vector<StepExtremes> &of_groups, std::size_t group,
                 bool largest) {
    Json json;
    for (const Extremes &figure : extremes) {
        Json values = Json::array();
        for (std::size_t first = 0; first < steps.size(); first += group) {
            const std::size_t end = std::min(first + group, steps.size());
            values.push_back(Json::number(to_nanoseconds(extreme_of(steps, of_groups, first, end, figure, largest))));
        }
        json[figure.name] = std::move(values);
    }
    return json;
}

} // namespace

Json page_steps(const ComponentBalance &balance, std::size_t most_points) {
    const std::vector<Step> steps = single(balance.steps);
    Json json;
    json["steps"] = balance.step_count;
    if (steps.empty()) return json;
    const std::size_t group = (steps.size() + most_points - 1) / most_points;
    json["group"] = static_cast<std::int64_t>(group) * steps.front().steps;
    json["in_one"] = steps.front().steps; // steps in each entry of the distribution
    json["start_s"] = Json::array();
    if (balance.has_dates) json["date"] = Json::array();
    for (const Figure &figure : figures)
        json[figure.name] = Json::array();
    for (std::size_t first = 0; first < steps.size(); first += group) {
        const std::size_t end = std::min(first + group, steps.size());
        json["start_s"].push_back(to_nanoseconds(steps[first].start_s));
        if (balance.has_dates) json["date"].push_back(steps[first].date);
        for (const Figure &figure : figures) {
            double sum = 0;
            for (std::size_t i = first; i < end; ++i)
                sum += steps[i].*figure.value;
            json[figure.name].push_back(to_nanoseconds(sum / static_cast<double>(end - first)));
        }
    }
    if (group * static_cast<std::size_t>(steps.front().steps) > 1) {
        json["most"] = extremes_of(steps, balance.step_extremes, group, true);
        json["least"] = extremes_of(steps, balance.step_extremes, group, false);
    }
    for (const Figure &figure : figures)
        json["distribution"][figure.name] = distribution(steps, figure.value);
    json["irregular"] = irregular(steps, balance.has_dates);
    return json;
}

} // namespace cpl_lb
