// Medians of differences, for series with outliers.
#include "analysis/step_noise.hpp"

#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double most_memory = 0.95;

// The median of the differences' sizes, as a standard deviation of normal ones.
double usual_difference(std::span<const double> values, std::size_t apart) {
    constexpr double quartile = 0.6745;
    std::vector<double> differences;
    for (std::size_t i = apart; i < values.size(); ++i)
        differences.push_back(std::abs(values[i] - values[i - apart]));
    if (differences.empty()) return 0;
    const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
    std::nth_element(differences.begin(), middle, differences.end());
    return *middle / quartile;
}

} // namespace

StepNoise::StepNoise(std::span<const double> values) {
    const double near = usual_difference(values, 1), far = usual_difference(values, 2);
    const double found = near > 0 ? std::clamp(far * far / (near * near) - 1, 0.0, most_memory) : 0;
    memory_ = std::min(found + 2 / std::sqrt(static_cast<double>(values.size())), most_memory);
    size_ = near / std::sqrt(2 * (1 - found));
}

double StepNoise::standard_error(std::size_t values) const {
    return size_ * std::sqrt((1 + memory_) / (1 - memory_) / static_cast<double>(values));
}

double StepNoise::sure(double difference, std::size_t before, std::size_t after) const {
    const double error = std::hypot(standard_error(before), standard_error(after));
    return error > 0 ? std::abs(difference) / error : std::numeric_limits<double>::infinity();
}

double share_of_error(std::span<const double> values) {
    if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    const double by_neighbours = StepNoise(values).standard_error(values.size());
    const double by_blocks = error_of_mean(values).standard_error;
    return (by_blocks < by_neighbours ? by_blocks : by_neighbours) / mean;
}

} // namespace cpl_lb
