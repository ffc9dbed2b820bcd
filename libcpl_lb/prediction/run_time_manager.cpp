#include "prediction/run_time_manager.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

LocalCurve::LocalCurve(const std::vector<ScalingSample> &samples) : curve_(samples) {}

double LocalCurve::seconds(double processes) const {
    const std::vector<ScalingSample> &samples = curve_.samples();
    const auto ratio = [this](const ScalingSample &s) { return s.seconds / curve_.fit().seconds(s.processes); };
    const auto right = std::lower_bound(samples.begin(), samples.end(), processes,
                                        [](const ScalingSample &s, double p) { return s.processes < p; });
    double correction = 1;
    if (right == samples.end()) {
        correction = ratio(samples.back());
    } else if (right == samples.begin()) {
        correction = ratio(samples.front());
    } else {
        const auto left = right - 1;
        const double share = std::log(processes / left->processes) / std::log(right->processes / left->processes);
        correction = ratio(*left) + share * (ratio(*right) - ratio(*left));
    }
    return correction * curve_.fit().seconds(processes);
}

RunTimeManager::RunTimeManager(BalanceProblem problem, double least_gain)
    : problem_(std::move(problem)), least_gain_(least_gain), samples_(problem_.allowed.size()) {}

std::vector<std::int64_t> RunTimeManager::next(const std::vector<std::int64_t> &counts,
                                               const std::vector<double> &computing_s) {
    constexpr std::int64_t boxes = 2000;
    if (converged_) return counts;
    const double now_s = problem_.length_s(computing_s);
    if (best_.empty() || now_s < best_s_) {
        best_ = counts;
        best_s_ = now_s;
    }
    std::vector<LocalCurve> curves;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        samples_[c].push_back({static_cast<double>(counts[c]), computing_s[c]});
        curves.emplace_back(samples_[c]);
    }
    problem_.computing_s = [&curves](std::size_t c, std::int64_t n) {
        return curves[c].seconds(static_cast<double>(n));
    };
    const BalanceAnswer answer = balance(problem_, Objective::time, boxes);
    problem_.computing_s = nullptr;
    if (answer.counts != counts && answer.seconds < best_s_ * (1 - least_gain_)) {
        ++reallocations_;
        return answer.counts;
    }
    converged_ = true;
    if (best_ == counts) return counts;
    ++reallocations_;
    ++undone_;
    return best_;
}

} // namespace cpl_lb
