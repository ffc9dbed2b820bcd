// The processes of a component agree on one list of its events, the same on all, in the order of their earliest
// start. If all recorded the same, each already has it. If not, events without dates that were recorded a different
// number of times are aligned by their times (events/occurrence_shifts.hpp), and the lists are united. Memory grows
// with the events, never with events x processes.
#pragma once

#include "events/catalogue.hpp"
#include "events/occurrence_shifts.hpp"
#include "events/union_of_events.hpp"
#include "mpi/group.hpp"
#include "run/live/own_row.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace cpl_lb {

// What is the same on all processes. events: all of them, in the same order and with the same nesting. shares: the
// waiting, own operations and times away as well.
enum class Alike { nothing, events, shares };

struct AgreedEvents {
    Alike alike = Alike::nothing;
    std::size_t count = 0;           // of all processes
    std::int64_t away_intervals = 0; // of all processes
    EventTable table;                // the keys: on the leader, and on all if shares differ; the rows give the spans
    OwnRow row;                      // looks at the keys
    std::vector<ClassShifts> shifts; // on the leader: classes without dates that were recorded differently often
    // If the events of all processes together are too many, those that start at `end` or later are left out.
    // left_out: their number, counted on each process.
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max();
    std::int64_t left_out = 0;
};

// Collective over the group of the component `id`. most: the number of events of all processes that fit into memory
// here. picture: without the kinds of classes.
[[nodiscard]] AgreedEvents agree_on_events(Group &group, const Catalogue &catalogue, std::int32_t id,
                                           LocalEvents events, std::size_t most, RasterInput picture);

// Collective over the group. Sets rule.first; shifts count on the leader. most: the number of occurrences of a class
// whose times are compared, 32 bytes for each. Classes come one after the other, so that memory does not grow.
void align_occurrences(Group &group, const LocalEvents &events, std::size_t most, KeyRule &rule,
                       std::vector<ClassShifts> &shifts);

struct EarlyOrder {
    std::vector<OccurrenceKey> order;
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max(); // events that start here or later were left out
};

// Collective over the group: the union of all keys, in the order of their earliest start. If they exceed the limit,
// the earliest stay. Memory grows with the events that stay, not with the processes.
[[nodiscard]] EarlyOrder merge_order(Group &group, const LocalEvents &events, const KeyRule &rule, UnionLimit limit);

// Throws DamagedMessage.
[[nodiscard]] std::vector<RecordedCount> unpack_counts(const Bytes &bytes, std::size_t classes);

} // namespace cpl_lb
