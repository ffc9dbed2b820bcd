// Makes one list of all events, the same on each process, if processes recorded different events or another order.
#pragma once

#include "analysis/load_balance.hpp"
#include "events/union_of_events.hpp"
#include "mpi/group.hpp"

#include <limits>
#include <vector>

namespace cpl_lb {

struct EarlyOrder {
    std::vector<OccurrenceKey> order;
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max(); // events that start here or later were left out
};

// Collective over the group: the union of all keys, in the order of their earliest start. If they exceed the limit,
// the earliest stay. Memory grows with the events that stay, not with the processes.
bool merge_order(Group &group, const LocalEvents &events, const KeyRule &rule, UnionLimit limit, EarlyOrder &result);

[[nodiscard]] Bytes pack_share(const Share &share);
[[nodiscard]] Share unpack_share(const Bytes &bytes);

} // namespace cpl_lb
