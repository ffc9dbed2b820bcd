// If processes of a component recorded different numbers of an event without dates, they agree by times which
// occurrence on one process is which on the others (events/occurrence_shifts.hpp).
#pragma once

#include "events/occurrence_shifts.hpp"
#include "mpi/group.hpp"

#include <vector>

namespace cpl_lb {

// Collective over the group. Sets rule.first; shifts count on the leader. most: the number of occurrences of a class
// whose times are compared, 32 bytes for each. Classes come one after the other, so that memory does not grow.
bool align_occurrences(Group &group, const LocalEvents &events, std::size_t most, KeyRule &rule,
                       std::vector<ClassShifts> &shifts);

[[nodiscard]] Bytes pack_counts(const std::vector<RecordedCount> &counts);
// Throws DamagedMessage.
[[nodiscard]] std::vector<RecordedCount> unpack_counts(const Bytes &bytes, std::size_t classes);

} // namespace cpl_lb
