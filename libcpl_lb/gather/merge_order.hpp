// Processes that recorded different events, or the same in another order: one list of all, the same on each.
#pragma once

#include "analysis/load_balance.hpp"
#include "gather/group.hpp"
#include "matching/union_of_events.hpp"

#include <vector>

namespace cpl_lb {

// Collective over the group: the union of all keys, in the order of their earliest start. O(events) memory.
bool merge_order(Group &group, const LocalEvents &events, std::size_t classes, bool use_dates,
                 std::vector<OccurrenceKey> &order);

[[nodiscard]] Bytes pack_share(const Share &share);
[[nodiscard]] Share unpack_share(const Bytes &bytes);

} // namespace cpl_lb
