// Moves processes step by step from donors to recipients.
#include "prediction/stepwise_manager.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace cpl_lb {
namespace {

// Calls visit(counts) for all counts with this sum in which each component has at most `moved` more or fewer, and all
// recipients together `left` more.
template <class Visit>
void for_each_move(const ProcessCounts &from, std::int64_t moved, std::int64_t sum, std::int64_t left,
                   ProcessCounts &chosen, const Visit &visit) {
    const std::size_t c = chosen.size();
    if (c == from.size()) {
        if (sum == 0) visit(chosen);
        return;
    }
    const std::int64_t most = std::min({moved, left, sum - from[c]});
    for (std::int64_t step = std::max(-moved, 1 - from[c]); step <= most; ++step) {
        chosen.push_back(from[c] + step);
        for_each_move(from, moved, sum - chosen.back(), left - std::max<std::int64_t>(step, 0), chosen, visit);
        chosen.pop_back();
    }
}

} // namespace

double two_region_seconds(const std::vector<ScalingSample> &samples, double processes) {
    const auto right = std::ranges::lower_bound(samples, processes, {}, &ScalingSample::processes);
    if (right == samples.end()) return samples.back().seconds * samples.back().processes / processes;
    if (right == samples.begin()) return right->seconds * right->processes / processes;
    const ScalingSample &low = *(right - 1), &high = *right;
    const bool steep = processes < samples.back().processes / 2;
    const double share = steep ? (1 / low.processes - 1 / processes) / (1 / low.processes - 1 / high.processes)
                               : (processes - low.processes) / (high.processes - low.processes);
    return low.seconds + share * (high.seconds - low.seconds);
}

void StepwiseManager::learn(const MeasuredInterval &interval) {
    means_.resize(interval.counts.size());
    for (std::size_t c = 0; c < means_.size(); ++c) {
        Mean &mean = means_[c][interval.counts[c]];
        ++mean.timings;
        mean.seconds += (interval.computing_s[c] - mean.seconds) / mean.timings;
    }
    tried_.insert(interval.counts);
}

void StepwiseManager::wake(const MeasuredInterval &interval) {
    for (auto &means : means_)
        means.clear();
    tried_.clear();
    before_.reset();
    learn(interval);
    counter_ = first_counter;
    surprises_ = 0;
    state_.converged = false;
    ++state_.woken;
}

// At rest: two timings in a row that differ by more than 5 %.
bool StepwiseManager::load_changed(double cycle_s) {
    constexpr double least_change = 0.05;
    surprises_ = std::abs(cycle_s / rest_s_ - 1) > least_change ? surprises_ + 1 : 0;
    return surprises_ >= 2;
}

ProcessCounts StepwiseManager::next(const MeasuredInterval &interval) {
    const double cycle_s = interval.cycle_s > 0 ? interval.cycle_s : interval.model.length_s(interval.computing_s);
    learn(interval);
    state_.predicted_s = cycle_s;
    if (state_.converged) {
        if (!load_changed(cycle_s)) return interval.counts;
        wake(interval);
    }
    if (before_) {
        ProcessCounts back = *std::exchange(before_, std::nullopt);
        if (cycle_s > before_s_) {
            counter_ = std::max(least_counter, counter_ / 2);
            ++state_.reallocations;
            ++state_.undone;
            state_.predicted_s = before_s_;
            return back;
        }
        counter_ = std::min(most_counter, counter_ * 2);
    }
    return search(interval, cycle_s);
}

ProcessCounts StepwiseManager::search(const MeasuredInterval &interval, double cycle_s) {
    for (;; counter_ /= 2) {
        if (const std::optional<Candidate> direction = best_direction(interval, cycle_s)) {
            before_ = interval.counts;
            before_s_ = cycle_s;
            ++state_.reallocations;
            state_.predicted_s = direction->seconds;
            return direction->counts;
        }
        if (counter_ <= least_counter) break;
    }
    state_.converged = true;
    rest_s_ = cycle_s;
    return interval.counts;
}

std::optional<StepwiseManager::Candidate> StepwiseManager::best_direction(const MeasuredInterval &interval,
                                                                          double cycle_s) const {
    std::vector<std::vector<ScalingSample>> samples(means_.size());
    for (std::size_t c = 0; c < means_.size(); ++c)
        for (const auto &[count, mean] : means_[c])
            samples[c].push_back({static_cast<double>(count), mean.seconds});
    // |Delta P| counts each process twice: where it left and where it came.
    const std::int64_t moved = counter_ / 2;
    // By component, seconds with its count less `moved`, ... with its count plus `moved`.
    std::vector<std::vector<double>> seconds(means_.size());
    for (std::size_t c = 0; c < means_.size(); ++c) {
        for (std::int64_t step = -moved; step <= moved; ++step) {
            seconds[c].push_back(two_region_seconds(
                samples[c], static_cast<double>(std::max<std::int64_t>(1, interval.counts[c] + step))));
        }
    }
    const double factor = trust_ == Trust::calibrated ? interval.alpha() : 1;
    std::optional<Candidate> best;
    ProcessCounts chosen;
    std::vector<double> computing_s(means_.size());
    const std::int64_t sum = std::accumulate(interval.counts.begin(), interval.counts.end(), std::int64_t{0});
    for_each_move(interval.counts, moved, sum, moved, chosen, [&](const ProcessCounts &counts) {
        for (std::size_t c = 0; c < counts.size(); ++c)
            computing_s[c] = seconds[c][static_cast<std::size_t>(counts[c] - interval.counts[c] + moved)];
        const double predicted_s = factor * interval.model.length_s(computing_s);
        if (predicted_s < (best ? best->seconds : cycle_s) && !tried_.contains(counts))
            best = Candidate{counts, predicted_s};
    });
    return best;
}

} // namespace cpl_lb
