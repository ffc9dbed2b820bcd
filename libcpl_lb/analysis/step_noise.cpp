// Mean squares of differences, for series with outliers.
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

// Mean square of the differences without the largest quarter, as a variance of normal ones.
double usual_square(std::span<const double> values, std::size_t apart) {
    // Three quarters of the sizes of normal values lie below q = 1.1503. Their mean square is 1 - 2 q f(q) / 0.75
    // = 0.3684 of that of all values, with the density f(q) = 0.2059.
    constexpr double of_normal = 0.3684;
    std::vector<double> squares;
    for (std::size_t i = apart; i < values.size(); ++i)
        squares.push_back((values[i] - values[i - apart]) * (values[i] - values[i - apart]));
    const std::size_t kept = squares.size() - squares.size() / 4;
    if (kept == 0) return 0;
    const auto end = squares.begin() + static_cast<std::ptrdiff_t>(kept);
    std::nth_element(squares.begin(), end - 1, squares.end());
    return std::accumulate(squares.begin(), end, 0.0) / static_cast<double>(kept) / of_normal;
}

} // namespace

StepNoise::StepNoise(std::span<const double> values) {
    const double near = usual_square(values, 1), far = usual_square(values, 2);
    const double found = near > 0 ? std::clamp(far / near - 1, 0.0, most_memory) : 0;
    memory_ = std::min(found + 2 / std::sqrt(static_cast<double>(values.size())), most_memory);
    size_ = std::sqrt(near / (2 * (1 - found)));
}

double StepNoise::standard_error(std::size_t values) const {
    return size_ * std::sqrt((1 + memory_) / (1 - memory_) / static_cast<double>(values));
}

double share_of_error(std::span<const double> values) {
    if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    if (values.size() < fewest_values) { // too few to tell how they depend on each other
        double squares = 0;
        for (const double value : values)
            squares += (value - mean) * (value - mean);
        const auto n = static_cast<double>(values.size());
        return std::sqrt(squares / (n - 1) / n) / mean;
    }
    const double by_neighbours = StepNoise(values).standard_error(values.size());
    const double by_blocks = error_of_mean(values).standard_error;
    return (by_blocks < by_neighbours ? by_blocks : by_neighbours) / mean;
}

} // namespace cpl_lb
