// Lower bounds of the best answer in a box of node counts.
#include "prediction/kinds_search.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

// A longer time cannot improve the answer in this box.
double KindsSearch::useful_below_s(const Box &box) const {
    if (goal_ == Goal::time) return std::min(best_value_, most_s_);
    if (goal_ == Goal::weight) return most_s_;
    const double without = value(0, box), second = value(1, box) - without;
    return second > 0 ? std::min((best_value_ - without) / second, most_s_) : most_s_;
}

void KindsSearch::enter_fastest(const Box &box, std::size_t unit, std::size_t low, std::size_t high,
                                std::vector<double> &seconds) const {
    for (std::size_t m = 0; m < units_[unit].members.size(); ++m)
        seconds[units_[unit].members[m]] = chosen(box, unit).least_s[m].least(low, high);
}

// The least counts with a useful time if all others are as fast as the box allows. Smaller counts are in no better
// layout, because the length does not fall when a time rises.
bool KindsSearch::raise_low(Box &box, std::vector<double> &fastest) const {
    const double limit_s = useful_below_s(box) * (1 + proven_within);
    for (std::size_t u = 0; u < units_.size(); ++u) {
        const auto reaches = [&](std::size_t place) {
            enter_fastest(box, u, box.low[u], place, fastest);
            return problem_.length_s(fastest) <= limit_s;
        };
        std::size_t first = box.low[u], last = box.high[u];
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (reaches(middle))
                last = middle;
            else
                first = middle + 1;
        }
        const bool any = reaches(box.high[u]);
        enter_fastest(box, u, first, box.high[u], fastest);
        if (!any) return false;
        box.low[u] = first;
    }
    return true;
}

// A lower bound of the value over the box; false if the box holds nothing better that fits.
bool KindsSearch::bound(Box &box) const {
    constexpr int bound_steps = 6;
    std::vector<double> fastest(problem_.components.size());
    for (int round = 0; round < 2; ++round) {
        if (!fits(box, box.low)) return false;
        for (std::size_t u = 0; u < units_.size(); ++u) {
            box.high[u] = largest_that_fits(box, box.low, u, box.low[u], box.high[u]);
            enter_fastest(box, u, box.low[u], box.high[u], fastest);
        }
        if (round == 0 && std::isfinite(useful_below_s(box)) && !raise_low(box, fastest)) return false;
    }
    double seconds = problem_.length_s(fastest);
    // As in the optimiser of cores: each path is a lower bound, and so is the mean of some paths. With a price for a
    // node of each kind, every component chooses for itself.
    std::vector<double> shares(fastest.size()), at = fastest;
    for (int step = 0; step < bound_steps && seconds <= useful_below_s(box); ++step) {
        const std::vector<double> path = problem_.path_shares(at);
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] += (path[c] - shares[c]) / (step + 1);
        seconds = std::max(seconds, separated(box, shares, at));
    }
    box.bound = std::max(box.bound, value(seconds, box));
    return seconds <= most_s_ * (1 + proven_within);
}

double KindsSearch::separated(const Box &box, const std::vector<double> &shares, std::vector<double> &at) const {
    double sum_of_kinds = 0;
    for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
        std::vector<double> gains(shares.size());
        for (std::size_t u = 0; u < units_.size(); ++u) {
            const Option &option = chosen(box, u);
            for (std::size_t m = 0; option.kind == k && m < units_[u].members.size(); ++m)
                gains[units_[u].members[m]] =
                    shares[units_[u].members[m]] * option.hulls[m].gain((box.low[u] + box.high[u]) / 2);
        }
        const std::vector<double> weights = pool_.weights(gains);
        const auto total = static_cast<double>(problem_.kinds[k].nodes);
        double low = 0, high = 0, best = 0;
        for (std::size_t u = 0; u < units_.size(); ++u) {
            const Option &option = chosen(box, u);
            for (std::size_t m = 0; option.kind == k && m < units_[u].members.size(); ++m) {
                const std::size_t c = units_[u].members[m];
                if (weights[c] > 0) high = std::max(high, shares[c] * option.seconds[m][box.low[u]] / weights[c]);
            }
        }
        for (int halving = 0; halving < 30; ++halving) {
            const double price = halving == 0 ? 0 : (low + high) / 2;
            double used = 0, sum = -price * total;
            for (std::size_t u = 0; u < units_.size(); ++u) {
                const Option &option = chosen(box, u);
                for (std::size_t m = 0; option.kind == k && m < units_[u].members.size(); ++m) {
                    const std::size_t c = units_[u].members[m];
                    const auto one = option.hulls[m].cheapest(box.low[u], box.high[u], shares[c], price * weights[c]);
                    used += weights[c] * one.taken;
                    sum += shares[c] * one.seconds + price * weights[c] * one.taken;
                    at[c] = one.seconds;
                }
            }
            best = halving == 0 ? sum : std::max(best, sum); // any price gives a lower bound
            if (used <= total && halving == 0) break;
            (used > total ? low : high) = price;
        }
        sum_of_kinds += best;
    }
    return sum_of_kinds;
}

} // namespace cpl_lb
