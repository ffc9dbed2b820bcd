// Finds where a series of runs changed (docs/history.md, "What counts as a change").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cpl_lb {

struct ChangePoint {
    std::size_t at = 0;           // the place of the first value that is different
    double before = 0, after = 0; // medians of the stretches on both sides, to the next changes
};

// The split into stretches of constant level with the least sum of squares. Each change must save more than chance
// does in 1 % of the cases, all places of a change taken together (Bonferroni). The split is found by optimal
// partitioning with pruning (PELT: Killick, Fearnhead and Eckley 2012). The noise comes from the differences of
// neighbours, so that changes do not add to it. If values depend on those before, it counts as larger. It is at least
// 0.1 % of the level. A stretch has at least three values, and a value far from its neighbours counts as one just
// outside the noise: one slow run is no change. Changes ascend. Values must be finite.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const double> values);

} // namespace cpl_lb
