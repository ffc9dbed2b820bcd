// Convex hulls of computing times, and the least value of any range in constant time.
#include "prediction/optimiser_tables.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cpl_lb {

HullOfTimes::HullOfTimes(const std::vector<double> &taken, const std::vector<double> &seconds) {
    for (std::size_t place = 0; place < taken.size(); ++place) {
        if (taken_.empty() || taken[place] > taken_.back()) {
            taken_.push_back(taken[place]);
            seconds_.push_back(seconds[place]);
        }
        seconds_.back() = std::min(seconds_.back(), seconds[place]);
        step_of_.push_back(taken_.size() - 1);
    }
    const auto slope = [&](std::size_t a, std::size_t b) {
        return (seconds_[b] - seconds_[a]) / (taken_[b] - taken_[a]);
    };
    std::vector<std::size_t> corners;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
        while (corners.size() >= 2 && slope(corners[corners.size() - 2], corners.back()) >= slope(corners.back(), k))
            corners.pop_back();
        corners.push_back(k);
    }
    std::vector<double> hull(seconds_);
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        const double s = slope(corners[i], corners[i + 1]);
        for (std::size_t k = corners[i]; k < corners[i + 1]; ++k) {
            hull[k] = seconds_[corners[i]] + s * (taken_[k] - taken_[corners[i]]);
            slopes_.push_back(s);
        }
    }
    seconds_ = std::move(hull);
}

HullOfTimes::Chosen HullOfTimes::cheapest(std::size_t low, std::size_t high, double share, double price) const {
    const auto begin = slopes_.begin();
    const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(step_of_[low]),
                                        begin + static_cast<std::ptrdiff_t>(step_of_[high]), price,
                                        [share](double slope, double p) { return -share * slope > p; });
    const auto step = static_cast<std::size_t>(found - begin);
    return {taken_[step], seconds_[step]};
}

double HullOfTimes::gain(std::size_t place) const {
    if (slopes_.empty()) return 0;
    return std::max(0.0, -slopes_[std::min(step_of_[place], slopes_.size() - 1)]);
}

RangeMinimum::RangeMinimum(std::vector<double> values) {
    levels_.push_back(std::move(values));
    for (std::size_t width = 1; 2 * width <= levels_.front().size(); width *= 2) {
        const std::vector<double> &below = levels_.back();
        std::vector<double> level;
        for (std::size_t k = 0; k + 2 * width <= levels_.front().size(); ++k)
            level.push_back(std::min(below[k], below[k + width]));
        levels_.push_back(std::move(level));
    }
}

double RangeMinimum::least(std::size_t first, std::size_t last) const {
    const std::size_t level = static_cast<std::size_t>(std::bit_width(last - first + 1)) - 1;
    const std::vector<double> &least = levels_[level];
    return std::min(least[first], least[last + 1 - (std::size_t{1} << level)]);
}

double least_sum(const std::vector<PricedChoice> &choices, const std::vector<double> &shares,
                 const std::vector<double> &weights, double total, int halvings, std::vector<double> &at) {
    double low = 0, high = 0, best = 0;
    for (const PricedChoice &one : choices)
        if (weights[one.component] > 0)
            high = std::max(high, shares[one.component] * one.slowest_s / weights[one.component]);
    for (int halving = 0; halving < halvings; ++halving) {
        const double price = halving == 0 ? 0 : (low + high) / 2;
        double used = 0, sum = -price * total;
        for (const PricedChoice &one : choices) {
            const double share = shares[one.component], weight = weights[one.component];
            const auto chosen = one.hull->cheapest(one.low, one.high, share, price * weight);
            used += weight * chosen.taken;
            sum += share * chosen.seconds + price * weight * chosen.taken;
            at[one.component] = chosen.seconds;
        }
        best = std::max(best, sum); // any price gives a lower bound
        if (used <= total && halving == 0) break;
        (used > total ? low : high) = price;
    }
    return best;
}

} // namespace cpl_lb
