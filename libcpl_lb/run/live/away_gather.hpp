// Gathers the times away of a component's processes for its critical path. They go up the tree as one list.
#pragma once

#include "analysis/times_away.hpp"
#include "mpi/group.hpp"

namespace cpl_lb {

// Collective over the group; the leader gets `all`. False: a message failed.
bool gather_away(Group &group, std::span<const Interval> row, TimesAway &all);

} // namespace cpl_lb
