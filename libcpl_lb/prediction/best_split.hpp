// The best split of the same cores over the coupled components, with ideal scaling from the measured run.
#pragma once

#include "prediction/measured_graph.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct BestSplit {
    double pace = 1;                 // time with it / time as measured; at most 1
    std::vector<std::int64_t> cores; // by component, also of those that keep their cores
};

// `keeps`: by component, whether it keeps its cores (an I/O server). Components on the same processes go on sharing
// theirs. `threads`: a component's cores come in multiples of its threads. At most `boxes` sets of splits are looked
// at. If the split is slower than the present one in a replay of all cycles, the present split is returned.
[[nodiscard]] BestSplit best_split(const MeasuredGraph &run, const std::vector<bool> &keeps,
                                   const std::vector<std::int64_t> &threads, std::int64_t boxes,
                                   const Budget &budget = {});

} // namespace cpl_lb
