// Which counts a malleable model runs with next (paper 004, section V), from what it measured with those it has run.
// Where the paper moves a few processes at a time in the best direction, this goes to the best counts that all
// measurements so far foresee, and back where that was worse.
#pragma once

#include "prediction/optimiser.hpp"
#include "prediction/scaling_curve.hpp"

#include <vector>

namespace cpl_lb {

// tau(p) through all samples: the fit, times the samples' ratio to it, interpolated in log p and held beyond them.
class LocalCurve {
public:
    explicit LocalCurve(const std::vector<ScalingSample> &samples);
    [[nodiscard]] double seconds(double processes) const;

private:
    ScalingCurve curve_;
};

class RunTimeManager {
public:
    // `problem.computing_s` is not used: times come from next(). `least_gain`: smaller foreseen gains, as a share of
    // the time, are not worth a reallocation (the noise of the timings).
    RunTimeManager(BalanceProblem problem, double least_gain);

    // Measured over one load-balance interval: each component's count and computing time. Answers with the counts to
    // run next; the same ones where nothing is to be gained.
    [[nodiscard]] std::vector<std::int64_t> next(const std::vector<std::int64_t> &counts,
                                                 const std::vector<double> &computing_s);

    [[nodiscard]] int reallocations() const { return reallocations_; } // asked for so far, with undone ones
    [[nodiscard]] int undone() const { return undone_; }

private:
    BalanceProblem problem_;
    double least_gain_;
    std::vector<std::vector<ScalingSample>> samples_; // by component
    std::vector<std::int64_t> best_;                  // counts that were fastest so far
    double best_s_ = 0;
    bool converged_ = false;
    int reallocations_ = 0, undone_ = 0;
};

} // namespace cpl_lb
