// The best split of the same cores over the components of a run.
#pragma once

#include "prediction/measured_graph.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

// The best split of the same cores over the coupled components, with ideal scaling from the measured run.
struct BestSplit {
    double pace = 1;                 // time with it / time as measured; at most 1
    std::vector<std::int64_t> cores; // by component, also of those that keep their cores
};

// By component: whether it keeps its cores (an I/O server); its cores come in multiples of its threads.
struct WhoSplits {
    std::vector<bool> keeps;
    std::vector<std::int64_t> threads;
};

// Components on the same processes go on sharing theirs. At most `boxes` sets of splits are examined. If the
// split is slower than the present one in a replay of all cycles, the present one is returned.
[[nodiscard]] BestSplit best_split(const MeasuredGraph &run, const WhoSplits &who, std::int64_t boxes,
                                   const Budget &budget = {});

} // namespace cpl_lb
