// Optimal partitioning of a series whose outliers were clipped, and the noise of a series whose level may change.
#include "analysis/change_points.hpp"

#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cpl_lb {
namespace {

constexpr std::size_t shortest = 3; // of a stretch
constexpr double level = 0.01;
constexpr double least_noise = 1e-3; // of the level
constexpr double far_away = 3;       // in standard deviations
using Values = std::vector<double>;

double median_difference(std::span<const double> values, std::size_t lag) {
    Values differences(values.size() - lag);
    for (std::size_t i = lag; i < values.size(); ++i)
        differences[i - lag] = std::abs(values[i] - values[i - lag]);
    return median_of(differences);
}

// Standard deviation, from the median of the neighbours' differences (0.6745 is the normal distribution's quartile).
double noise_of(std::span<const double> values) {
    const double of_level = least_noise * std::abs(median_of(values));
    return std::max(
        {median_difference(values, 1) / 0.6745 / std::sqrt(2.0), of_level, std::numeric_limits<double>::min()});
}

// How much one value is like the one before it: the rho of a first-order autoregression, whose differences over 2 and
// 3 values are on average larger than those over 1 by 1 + rho and 1 + rho + rho^2 (squared). Medians, because a
// change of level lies in few differences only. 0 if it cannot be told from none.
double likeness(std::span<const double> values) {
    constexpr double most = 0.95;
    const double one = median_difference(values, 1);
    if (!(one > 0)) return 0;
    const double two = std::pow(median_difference(values, 2) / one, 2);
    const double three = std::pow(median_difference(values, 3) / one, 2);
    const double by_three = three > 0.75 ? (std::sqrt(4 * three - 3) - 1) / 2 : 0;
    const double rho = (two - 1 + by_three) / 2;
    return rho > 1 / std::sqrt(static_cast<double>(values.size())) ? std::min(rho, most) : 0;
}

// Values that are alike stay longer on one side of their level than chance allows: as if their noise were larger, and
// the differences of neighbours are too small.
double enlarged_by(double rho) {
    return std::sqrt(1 + rho) / (1 - rho);
}

double noise_that_counts(std::span<const double> values) {
    return noise_of(values) * enlarged_by(likeness(values));
}

// In standard deviations: the square root of what a change must save.
double limit_for(std::size_t values) {
    const auto count = static_cast<double>(values);
    return students_t(std::max(1.0, count - 4), level / count);
}

// In standard deviations; what lies far from the median of its neighbourhood counts as just outside.
Values clipped(std::span<const double> values, double noise) {
    constexpr std::size_t reach = 2;
    Values result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t first =
            std::min(i - std::min(i, reach), values.size() - std::min(values.size(), 2 * reach + 1));
        const std::size_t count = std::min(2 * reach + 1, values.size());
        const double usual = median_of(values.subspan(first, count));
        result[i] = std::clamp((values[i] - usual) / noise, -far_away, far_away) + usual / noise;
    }
    return result;
}

// Sums of the values and of their squares, before each.
struct SumsBefore {
    explicit SumsBefore(const Values &values) : sums(values.size() + 1), squares(values.size() + 1) {
        const double around = median_of(values); // small numbers lose fewer digits
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double v = values[i] - around;
            sums[i + 1] = sums[i] + v;
            squares[i + 1] = squares[i] + v * v;
        }
    }
    Values sums, squares;
};

// The possible begins of the last stretch. Without changes these are nearly all earlier values, so that the time
// grows with the square. Separate arrays and a loop without branches let the compiler handle several at once.
class OpenStretches {
public:
    void add(std::size_t from, double cost, const SumsBefore &before) {
        begins_.push_back(static_cast<double>(from));
        costs_.push_back(cost);
        sums_.push_back(before.sums[from]);
        squares_.push_back(before.squares[from]);
        up_to_.push_back(0);
    }
    // The cost of each best split, up to `to`: that of the stretches before, and the sum of squares around the mean
    // of the last one.
    std::span<const double> costs_up_to(std::size_t to, const SumsBefore &before) {
        const auto end = static_cast<double>(to);
        const double sum_to = before.sums[to], squares_to = before.squares[to];
        const std::size_t count = up_to_.size();
        const double *const begins = begins_.data(), *const costs = costs_.data();
        const double *const sums = sums_.data(), *const squares = squares_.data();
        double *const up_to = up_to_.data();
        for (std::size_t i = 0; i < count; ++i) {
            const double sum = sum_to - sums[i];
            const double scatter = squares_to - squares[i] - sum * sum / (end - begins[i]);
            up_to[i] = costs[i] + (scatter > 0 ? scatter : 0.0);
        }
        return up_to_;
    }
    [[nodiscard]] std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(begins_[i]); }
    // Call it after costs_up_to(). A begin that costs more will never be the best again.
    void forget_above(double cost) {
        const auto first = std::ranges::find_if(up_to_, [&](double one) { return one > cost; });
        auto kept = static_cast<std::size_t>(first - up_to_.begin());
        for (std::size_t i = kept; i < up_to_.size(); ++i) {
            if (up_to_[i] > cost) continue;
            for (Values *list : {&begins_, &costs_, &sums_, &squares_})
                (*list)[kept] = (*list)[i];
            ++kept;
        }
        for (Values *list : {&begins_, &costs_, &sums_, &squares_, &up_to_})
            list->resize(kept);
    }

private:
    Values begins_, costs_, sums_, squares_, up_to_;
};

// The first values of all stretches but the first.
std::vector<std::size_t> best_partition(const SumsBefore &before, std::size_t n, double price) {
    // The values scatter less than a change must save: the most frequent case.
    if (before.squares.back() < 0.99 * price) return {};
    Values cost(n + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> last(n + 1, 0);
    OpenStretches open;
    cost[0] = -price;
    for (std::size_t to = shortest; to <= n; ++to) {
        open.add(to - shortest, cost[to - shortest], before); // a stretch can begin there from now on
        const std::span<const double> costs = open.costs_up_to(to, before);
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const double with = costs[i] + price;
            if (with >= least) continue;
            least = with;
            last[to] = open.begin(i);
        }
        cost[to] = least;
        open.forget_above(least);
    }
    std::vector<std::size_t> places;
    for (std::size_t to = last[n]; to > 0; to = last[to])
        places.push_back(to);
    std::ranges::reverse(places);
    return places;
}

constexpr double most_memory = 0.95;

// Mean square of the differences without their largest quarter, converted to the variance of normal values.
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

std::vector<std::size_t> change_points(std::span<const double> values) {
    const std::size_t n = values.size();
    if (n < 2 * shortest) return {};
    const double limit = limit_for(n);
    return best_partition(SumsBefore(clipped(values, noise_that_counts(values))), n, limit * limit);
}

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
    const double mean = mean_of(values);
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
