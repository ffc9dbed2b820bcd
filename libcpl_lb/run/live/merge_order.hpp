// Processes that recorded different events, or the same in another order: one list of all, the same on each.
#pragma once

#include "analysis/load_balance.hpp"
#include "events/union_of_events.hpp"
#include "mpi/group.hpp"

#include <limits>
#include <vector>

namespace cpl_lb {

struct EarlyOrder {
    std::vector<OccurrenceKey> order;
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max(); // what starts from here on was left out
};

// Collective over the group: the union of all keys, in the order of their earliest start; of more than the limit the
// earliest. Memory grows with the events that stay, not with the processes.
bool merge_order(Group &group, const LocalEvents &events, const KeyRule &rule, UnionLimit limit, EarlyOrder &result);

[[nodiscard]] Bytes pack_share(const Share &share);
[[nodiscard]] Share unpack_share(const Bytes &bytes);

} // namespace cpl_lb
