// Moves processes step by step from donors to recipients.
#include "prediction/stepwise_manager.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::int64_t least_counter = 2, first_counter = 8, most_counter = 32;

// How far the processes of one move may go: with few components by any whole number, with many only by a few amounts.
struct Reach {
    std::int64_t step = 1;  // places in the allowed counts
    std::int64_t steps = 1; // of all recipients together, and so of all donors
};

Reach reach_of(std::int64_t counter, std::size_t components) {
    const std::int64_t most = components <= 5 ? most_counter : components <= 7 ? 4 : components <= 10 ? 2 : 1;
    const std::int64_t moved = counter / 2; // |Delta P| counts each process twice: where it left and where it came
    const std::int64_t steps = std::min(moved, most);
    return {moved / steps, steps};
}

// Calls visit(counts) for every choice of one candidate for each component with this sum. candidates[c]: by steps,
// from -steps to steps, 0 if there is none.
template <class Visit>
void for_each_choice(const std::vector<ProcessCounts> &candidates, std::int64_t sum, std::int64_t steps_left,
                     ProcessCounts &chosen, const Visit &visit) {
    const std::size_t c = chosen.size();
    if (c == candidates.size()) {
        if (sum == 0) visit(chosen);
        return;
    }
    const auto middle = static_cast<std::int64_t>(candidates[c].size() / 2);
    for (std::int64_t step = -middle; step <= std::min(middle, steps_left); ++step) {
        const std::int64_t count = candidates[c][static_cast<std::size_t>(middle + step)];
        if (count == 0 || count > sum) continue;
        chosen.push_back(count);
        for_each_choice(candidates, sum - count, steps_left - std::max<std::int64_t>(step, 0), chosen, visit);
        chosen.pop_back();
    }
}

// The counts that one component may have after a move.
ProcessCounts candidates_of(const AllowedCounts &allowed, std::int64_t now, Reach reach) {
    const auto at = std::lower_bound(allowed.counts.begin(), allowed.counts.end(), now);
    ProcessCounts candidates;
    for (std::int64_t step = -reach.steps; step <= reach.steps; ++step) {
        const std::int64_t place = at - allowed.counts.begin() + step * reach.step;
        const bool there = place >= 0 && place < static_cast<std::int64_t>(allowed.counts.size());
        candidates.push_back(there ? allowed.counts[static_cast<std::size_t>(place)] : 0);
    }
    return candidates;
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

StepwiseManager::StepwiseManager(std::vector<AllowedCounts> allowed, std::int64_t total, Trust trust)
    : allowed_(std::move(allowed)), total_(total), trust_(trust), counter_(first_counter), means_(allowed_.size()) {}

void StepwiseManager::learn(const MeasuredInterval &interval) {
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
    const std::size_t components = allowed_.size();
    const Reach reach = reach_of(counter_, components);
    std::vector<ProcessCounts> candidates;
    std::vector<std::unordered_map<std::int64_t, double>> seconds(components);
    for (std::size_t c = 0; c < components; ++c) {
        candidates.push_back(candidates_of(allowed_[c], interval.counts[c], reach));
        std::vector<ScalingSample> samples;
        for (const auto &[count, mean] : means_[c])
            samples.push_back({static_cast<double>(count), mean.seconds});
        for (const std::int64_t count : candidates.back())
            if (count > 0) seconds[c][count] = two_region_seconds(samples, static_cast<double>(count));
    }
    const double factor = trust_ == Trust::calibrated ? interval.alpha() : 1;
    std::optional<Candidate> best;
    ProcessCounts chosen;
    std::vector<double> computing_s(components);
    const std::int64_t sum = std::accumulate(interval.counts.begin(), interval.counts.end(), std::int64_t{0});
    for_each_choice(candidates, std::min(sum, total_), reach.steps, chosen, [&](const ProcessCounts &counts) {
        for (std::size_t c = 0; c < components; ++c)
            computing_s[c] = seconds[c].at(counts[c]);
        const double predicted_s = factor * interval.model.length_s(computing_s);
        if (predicted_s < (best ? best->seconds : cycle_s) && !tried_.contains(counts))
            best = Candidate{counts, predicted_s};
    });
    return best;
}

} // namespace cpl_lb
