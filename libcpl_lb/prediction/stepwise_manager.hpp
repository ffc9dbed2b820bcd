// The load-balance manager of Kim, Larson and Chiu 2012, section V, as its Table I needs it: any counts are allowed,
// and there are five constituents.
#pragma once

#include "prediction/run_time_manager.hpp"
#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cpl_lb {

// The paper's modified piecewise linear interpolation of tau(p), with two regions that meet at half of the largest
// count: linear in 1/p below it, where the curve is steep, and linear in p above. Ideal scaling beyond the measured
// counts. `samples`: ascending processes, at least one.
[[nodiscard]] double two_region_seconds(const std::vector<ScalingSample> &samples, double processes);

// The load-balance manager of Kim, Larson and Chiu 2012, section V. At each interval it moves some processes from
// donors to recipients, at most the prediction counter from or to each component, in the most promising direction. It
// undoes a move that made the cycle longer. Table I is made with it (managed_run.hpp); models get the RunTimeManager.
//
// The paper refers to others for the details. Here |Delta P| <= counter is the sum over all components, so that a
// move takes half the counter from the donors. With this, land gives away its 52 processes of figure 6 in the five
// printed moves, 4 + 8 + 16 + 16 + 8.
class StepwiseManager {
public:
    enum class Trust { calibrated, plain }; // equation 11, with alpha; or the model's seconds as they are

    explicit StepwiseManager(Trust trust = Trust::calibrated) : trust_(trust) {}

    [[nodiscard]] ProcessCounts next(const MeasuredInterval &interval);
    [[nodiscard]] const ManagerState &state() const { return state_; }
    [[nodiscard]] std::int64_t prediction_counter() const { return counter_; }

private:
    struct Mean {
        double seconds = 0;
        int timings = 0;
    };
    struct Candidate {
        ProcessCounts counts;
        double seconds = 0;
    };
    void learn(const MeasuredInterval &interval);
    void wake(const MeasuredInterval &interval);
    [[nodiscard]] bool load_changed(double cycle_s);
    [[nodiscard]] std::optional<Candidate> best_direction(const MeasuredInterval &interval, double cycle_s) const;
    [[nodiscard]] ProcessCounts search(const MeasuredInterval &interval, double cycle_s);

    static constexpr std::int64_t least_counter = 2, first_counter = 8, most_counter = 32;

    Trust trust_;
    std::int64_t counter_ = first_counter;
    std::vector<std::map<std::int64_t, Mean>> means_;
    std::set<ProcessCounts> tried_;
    std::optional<ProcessCounts> before_; // the counts before the last move
    double before_s_ = 0;                 // and their cycle
    double rest_s_ = 0;                   // the cycle when it converged
    int surprises_ = 0;                   // unexpected intervals at rest in a row
    ManagerState state_;
};

} // namespace cpl_lb
