// Times inside other components of the same processes, for a component as a whole.
#pragma once

#include "data/time.hpp"

#include <span>
#include <vector>

namespace cpl_lb {

// Each time away, from the leave of the last process to the return of the last one, over the processes that have any.
struct TimesAway {
    std::vector<Interval> times;
    bool differ = false; // not all of those processes have equally many: `times` then says nothing
};

void add_away(TimesAway &all, std::span<const Interval> row);

} // namespace cpl_lb
