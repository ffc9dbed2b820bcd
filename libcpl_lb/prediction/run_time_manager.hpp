// Chooses the next processor counts of a malleable model from its measurements so far (Kim, Larson and Chiu 2012,
// section V). The paper moves a few processes at a time in the best direction. This manager goes directly to the best
// counts that follow from all measurements, and back if they were worse.
#pragma once

#include "prediction/coupling_graph.hpp"
#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cpl_lb {

// The time of a coupling cycle from the computing times tau_i^comp of its components, in seconds. Both functions meet
// the conditions of BalanceProblem.
struct IterationModel {
    std::function<double(const std::vector<double> &computing_s)> length_s;
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
};

// xi of equation 9, with the graph's shares theta of each component's computing time.
[[nodiscard]] IterationModel iteration_model(const CouplingGraph &graph);

struct MeasuredInterval {
    std::vector<std::int64_t> counts; // processes of each component
    std::vector<double> computing_s;  // tau_i^comp; > 0
    double cycle_s = 0;               // tau_G; not positive or NaN: not measured
    IterationModel model;

    // alpha of equation 10: measured / modelled; 1 if the cycle was not measured.
    [[nodiscard]] double alpha() const;
};

// The scatter of timings of the same thing, estimated from repetitions.
class TimingNoise {
public:
    // The deviation of a timing from the mean of `earlier` ones of the same thing, as a share.
    void add(double deviation, int earlier);
    [[nodiscard]] double share() const; // standard deviation / mean

private:
    // Initial assumption: 0.5 %, with the weight of two repetitions.
    double squares_ = 2 * 0.005 * 0.005;
    double weight_ = 2;
};

// tau(p) through all samples: the fit, times the samples' ratio to it, interpolated in log p and held beyond them.
class LocalCurve {
public:
    // Each count must occur once.
    explicit LocalCurve(std::vector<ScalingSample> samples);
    [[nodiscard]] double seconds(double processes) const;

private:
    std::vector<ScalingSample> samples_; // ascending processes
    ScalingFit fit_;
};

class TimingHistory {
public:
    enum class News { usual, perhaps_changed, changed };

    // A timing is an outlier if it differs by more than 5 % and 5 times the noise from others with the same count. If
    // the next interval shows the same, the load has changed.
    News add(std::int64_t count, double seconds, TimingNoise &noise);

    [[nodiscard]] LocalCurve curve() const;

private:
    struct Entry {
        std::int64_t count = 0;
        double mean_s = 0;
        int timings = 0;
        bool before_change = false; // measured with another load, and scaled to the new one
    };
    void change_by(double ratio);
    void measured(std::int64_t count, double seconds);

    std::vector<Entry> entries_;
    std::optional<double> doubtful_; // the last timing, if it was an outlier, as a share of what was expected
};

using ProcessCounts = std::vector<std::int64_t>; // by component

// Figures that every manager has.
struct ManagerState {
    bool converged = false; // it keeps its counts and watches the load
    int reallocations = 0;  // so far, including undone ones
    int undone = 0;         // of these: back to earlier counts, because the new ones were no better
    int woken = 0;          // how often a change of the load at rest led to other counts
    double predicted_s = std::numeric_limits<double>::quiet_NaN(); // a cycle with the last answer; NaN: not known
};

class RunTimeManager {
public:
    // `total`: all processes. The answers use all of them, as far as the allowed counts permit.
    RunTimeManager(std::vector<AllowedCounts> allowed, std::int64_t total);

    // A smaller predicted gain, as a share of the time, is not worth a reallocation. Noise may require a larger one.
    void least_gain(double share) { least_gain_ = share; }

    // Returns the counts to run next; the same ones if nothing can be gained.
    [[nodiscard]] ProcessCounts next(const MeasuredInterval &interval);
    [[nodiscard]] const ManagerState &state() const { return state_; }

private:
    [[nodiscard]] bool learn(const MeasuredInterval &interval);
    [[nodiscard]] ProcessCounts decide(const MeasuredInterval &interval);
    [[nodiscard]] ProcessCounts move(const ProcessCounts &from, const ProcessCounts &to);

    std::vector<AllowedCounts> allowed_;
    std::int64_t total_;
    double least_gain_ = 0;
    TimingNoise noise_;
    std::vector<TimingHistory> histories_; // by component
    std::vector<ProcessCounts> run_;       // counts that were run
    bool roused_ = false;                  // a load has changed at rest
    int stays_ = 0;                        // intervals in a row without a possible gain
    int reallocations_at_start_ = 0;       // of this search
    ManagerState state_;
};

// Gives those processes of `total` that `counts` does not use to the components where they help most, or harm least,
// as far as the allowed counts permit. Uses problem.computing_s and length_s.
void give_the_rest(const BalanceProblem &problem, ProcessCounts &counts);

} // namespace cpl_lb
