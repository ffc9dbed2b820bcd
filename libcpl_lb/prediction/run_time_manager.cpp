// Chooses the next counts from the measured intervals, and returns to earlier ones if the new ones were worse.
#include "prediction/run_time_manager.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace cpl_lb {
namespace {

double length_of(const BalanceProblem &problem, const ProcessCounts &counts) {
    return problem.length_s(computing_of(problem, counts));
}

// The allowed count above this one; 0: there is none.
std::int64_t next_allowed(const AllowedCounts &allowed, std::int64_t count) {
    const auto found = std::upper_bound(allowed.counts.begin(), allowed.counts.end(), count);
    return found == allowed.counts.end() ? 0 : *found;
}

// With noise, one more interval is cheaper than resting by mistake: none below 0.7 %, five from 3.5 %.
int stays_wanted(double noise) {
    constexpr double noise_of_one = 0.007;
    return 1 + static_cast<int>(std::min(5.0, noise / noise_of_one));
}

} // namespace

void give_the_rest(const BalanceProblem &problem, ProcessCounts &counts) {
    for (std::int64_t rest = problem.total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
         rest > 0;) {
        ProcessCounts best;
        // First the cycle's time; then the component's own, because many gifts do not change the cycle.
        std::pair<double, double> best_value;
        for (std::size_t c = 0; c < counts.size(); ++c) {
            const std::int64_t more = next_allowed(problem.allowed[c], counts[c]);
            if (more == 0 || more - counts[c] > rest) continue;
            ProcessCounts given = counts;
            given[c] = more;
            const std::pair value(length_of(problem, given),
                                  problem.computing_s(c, more) / problem.computing_s(c, counts[c]));
            if (best.empty() || value < best_value) {
                best = given;
                best_value = value;
            }
        }
        if (best.empty()) return;
        counts = best;
        rest = problem.total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    }
}

RunTimeManager::RunTimeManager(std::vector<AllowedCounts> allowed, std::int64_t total)
    : allowed_(std::move(allowed)), total_(total), histories_(allowed_.size()) {}

ProcessCounts RunTimeManager::next(const MeasuredInterval &interval) {
    state_.predicted_s = interval.cycle_s > 0 ? interval.cycle_s : interval.model.length_s(interval.computing_s);
    const bool in_doubt = learn(interval);
    if (in_doubt || state_.converged) return interval.counts;
    return decide(interval);
}

// True: a load may have changed; the next interval will tell.
bool RunTimeManager::learn(const MeasuredInterval &interval) {
    if (std::ranges::find(run_, interval.counts) == run_.end()) run_.push_back(interval.counts);
    bool in_doubt = false, changed = false;
    for (std::size_t c = 0; c < histories_.size(); ++c) {
        const TimingHistory::News news = histories_[c].add(interval.counts[c], interval.computing_s[c], noise_);
        in_doubt = in_doubt || news == TimingHistory::News::perhaps_changed;
        changed = changed || news == TimingHistory::News::changed;
    }
    if (!changed) return in_doubt;
    run_ = {interval.counts}; // measured with the previous load, the others tell little
    reallocations_at_start_ = state_.reallocations;
    roused_ = std::exchange(state_.converged, false) || roused_;
    return false;
}

ProcessCounts RunTimeManager::decide(const MeasuredInterval &interval) {
    constexpr std::int64_t boxes = 500;
    constexpr double gain_of_noise = 0.5, gain_worth_while = 0.001;
    constexpr int most_reallocations = 12; // in one search, so that noise does not lead around in circles
    std::vector<LocalCurve> curves;
    for (const TimingHistory &history : histories_)
        curves.push_back(history.curve());
    const BalanceProblem problem{
        allowed_, total_,
        [&curves](std::size_t c, std::int64_t n) { return curves[c].seconds(static_cast<double>(n)); },
        interval.model.length_s, interval.model.path_shares};

    // The best counts that were run, by all measurements since then: a single timing may have been lucky.
    const ProcessCounts best =
        *std::ranges::min_element(run_, {}, [&](const ProcessCounts &counts) { return length_of(problem, counts); });
    const double best_s = length_of(problem, best);
    const BalanceAnswer answer = balance(problem, Objective::time, boxes);
    ProcessCounts wanted = answer.counts;
    give_the_rest(problem, wanted);
    const double wanted_s = length_of(problem, wanted);
    const double worth = std::max({least_gain_, gain_worth_while, gain_of_noise * noise_.share()});
    const bool go = wanted_s < best_s * (1 - worth) && std::ranges::find(run_, wanted) == run_.end() &&
                    state_.reallocations - reallocations_at_start_ < most_reallocations;
    state_.predicted_s = interval.alpha() * (go ? wanted_s : best_s);
    stays_ = go ? 0 : stays_ + 1;
    state_.converged = stays_ >= stays_wanted(noise_.share());
    ProcessCounts next = move(interval.counts, go ? wanted : best);
    if (roused_ && next != interval.counts) ++state_.woken;
    if (state_.converged || next != interval.counts) roused_ = false;
    return next;
}

ProcessCounts RunTimeManager::move(const ProcessCounts &from, const ProcessCounts &to) {
    if (to == from) return from;
    ++state_.reallocations;
    if (std::ranges::find(run_, to) != run_.end()) ++state_.undone;
    return to;
}

void TimingNoise::add(double deviation, int earlier) {
    // The mean of n timings has an error, too: the deviation from it has the variance (1 + 1/n) sigma^2.
    squares_ += deviation * deviation / (1 + 1.0 / earlier);
    weight_ += 1;
}

double TimingNoise::share() const {
    return std::sqrt(squares_ / weight_);
}

LocalCurve::LocalCurve(std::vector<ScalingSample> samples) : samples_(std::move(samples)) {
    std::ranges::sort(samples_, {}, &ScalingSample::processes);
    fit_ = fit_curve(samples_);
}

double LocalCurve::seconds(double processes) const {
    const auto ratio = [this](const ScalingSample &s) { return s.seconds / fit_.seconds(s.processes); };
    const auto right = std::ranges::lower_bound(samples_, processes, {}, &ScalingSample::processes);
    double correction = 1;
    if (right == samples_.end()) {
        correction = ratio(samples_.back());
    } else if (right == samples_.begin()) {
        correction = ratio(samples_.front());
    } else {
        const auto left = right - 1;
        const double share = std::log(processes / left->processes) / std::log(right->processes / left->processes);
        correction = ratio(*left) + share * (ratio(*right) - ratio(*left));
    }
    return correction * fit_.seconds(processes);
}

TimingHistory::News TimingHistory::add(std::int64_t count, double seconds, TimingNoise &noise) {
    constexpr double least_change = 0.05, changes_of_noise = 5;
    const std::optional<double> before = doubtful_;
    doubtful_.reset();
    const auto known = std::ranges::find(entries_, count, &Entry::count);
    if (known == entries_.end() || known->before_change) {
        measured(count, seconds);
        return News::usual;
    }
    const double ratio = seconds / known->mean_s;
    if (std::abs(ratio - 1) <= std::max(least_change, changes_of_noise * noise.share())) {
        noise.add(ratio - 1, known->timings);
        measured(count, seconds);
        return News::usual;
    }
    if (before && (*before > 1) == (ratio > 1)) {
        change_by((ratio + *before) / 2);
        measured(count, seconds);
        return News::changed;
    }
    doubtful_ = ratio;
    return News::perhaps_changed;
}

// Until two counts were run with the new load, the shape of the curve is the best guess.
void TimingHistory::change_by(double ratio) {
    for (Entry &e : entries_) {
        e.mean_s *= ratio;
        e.before_change = true;
    }
}

void TimingHistory::measured(std::int64_t count, double seconds) {
    const auto entry = std::ranges::find(entries_, count, &Entry::count);
    if (entry == entries_.end()) {
        entries_.push_back({count, seconds, 1, false});
    } else if (entry->before_change) {
        *entry = {count, seconds, 1, false};
    } else {
        ++entry->timings;
        entry->mean_s += (seconds - entry->mean_s) / entry->timings;
    }
    if (std::ranges::count(entries_, false, &Entry::before_change) >= 2)
        std::erase_if(entries_, [](const Entry &e) { return e.before_change; });
}

LocalCurve TimingHistory::curve() const {
    std::vector<ScalingSample> samples;
    for (const Entry &e : entries_)
        samples.push_back({static_cast<double>(e.count), e.mean_s});
    return LocalCurve(std::move(samples));
}

IterationModel iteration_model(const CouplingGraph &graph) {
    const auto kept = std::make_shared<const CouplingGraph>(graph);
    return {[kept](const std::vector<double> &s) { return kept->length_s(kept->factors_of(s)); },
            [kept](const std::vector<double> &s) { return kept->path_shares(s); }};
}

double MeasuredInterval::alpha() const {
    const double model_s = model.length_s(computing_s);
    return cycle_s > 0 && model_s > 0 ? cycle_s / model_s : 1;
}

} // namespace cpl_lb
