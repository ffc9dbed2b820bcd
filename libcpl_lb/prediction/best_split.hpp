// The best split of the same cores over the components that take part, with ideal scaling from the measured run.
#pragma once

#include "prediction/measured_graph.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct BestSplit {
    double pace = 1;                 // time with it / time as measured; at most 1
    std::vector<std::int64_t> cores; // by component; those that keep theirs, too
};

// `keeps`: by component, whether it keeps its cores (an I/O server). Components on the same processes go on sharing
// theirs. `threads`: a component's cores come in multiples of its threads. At most `boxes` sets of splits are looked
// at. What the replay of all cycles puts above the present time is no better split: then the present one is.
[[nodiscard]] BestSplit best_split(const MeasuredGraph &run, const std::vector<bool> &keeps,
                                   const std::vector<std::int64_t> &threads, std::int64_t boxes,
                                   const Budget &budget = {});

} // namespace cpl_lb
