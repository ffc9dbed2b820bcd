// The times that a whole component is away: its processes are inside other components.
#pragma once

#include "data/time.hpp"

#include <span>
#include <vector>

namespace cpl_lb {

// Each time away, from the last process's leaving to the last one's return, over the processes that have any.
struct TimesAway {
    std::vector<Interval> times;
    bool differ = false; // these processes have different numbers of times away: then `times` means nothing
};

void add_away(TimesAway &all, std::span<const Interval> row);

} // namespace cpl_lb
