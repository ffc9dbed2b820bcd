// Finds where a series changed: the coupling steps of a run (docs/definitions.md, section 2, "Runs that change").
#pragma once

#include "data/coupled_run.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cpl_lb {

// The split into stretches of constant level with the least sum of squares. Each change must save more than chance
// does in 1 % of the cases, all places of a change taken together (Bonferroni). The split is found by optimal
// partitioning with pruning (PELT: Killick, Fearnhead and Eckley 2012). The noise comes from the differences of
// neighbours, so that changes do not add to it. If values depend on those before, it counts as larger. It is at least
// 0.1 % of the level. A stretch has at least three values, and a value far from its neighbours counts as one just
// outside the noise: one slow step is no change. Returns the places of the first values that are different,
// ascending. Values must be finite.
[[nodiscard]] std::vector<std::size_t> change_points(std::span<const double> values);

// Noise that may depend on the value before: a first-order autoregression, from the differences of neighbours
// and of values two apart, without the largest quarter. Its memory is taken two standard errors above the estimate:
// an estimate that is too small by chance would take noise for a change.
class StepNoise {
public:
    explicit StepNoise(std::span<const double> values);

    // The standard error of the mean of so many values.
    [[nodiscard]] double standard_error(std::size_t values) const;

private:
    double memory_ = 0, size_ = 0;
};

// The standard error of the mean of the values, as a share of the mean. With at least eight values, changes of the
// level and repeating patterns do not count as error. NaN for fewer than two.
[[nodiscard]] double share_of_error(std::span<const double> values);

// The changes of all components with steps that change. Noise alone is reported in less than one of a hundred
// runs, and in three of them if it is 20 % with a correlation of 0.8 from a step to the next.
[[nodiscard]] std::vector<ComputingChange> computing_changes(const CoupledRun &run);
// The same from computing_change() of each component, in their order, for callers that have threads.
[[nodiscard]] std::vector<ComputingChange> computing_changes(const CoupledRun &run,
                                                             std::vector<ComputingChange> of_components);
[[nodiscard]] ComputingChange computing_change(const ComponentBalance &balance); // `component` stays 0

} // namespace cpl_lb
