// Which occurrence on one process is which on the others, where they recorded different numbers of it without dates:
// the processes of a component agree on it by times (events/occurrence_shifts.hpp).
#pragma once

#include "events/occurrence_shifts.hpp"
#include "mpi/group.hpp"

#include <vector>

namespace cpl_lb {

// Collective over the group. Sets rule.first; shifts count on the leader. most: of so many occurrences of a class the
// times are compared, 32 bytes for each. One class after the other, so that memory does not grow with their number.
bool align_occurrences(Group &group, const LocalEvents &events, std::size_t most, KeyRule &rule,
                       std::vector<ClassShifts> &shifts);

[[nodiscard]] Bytes pack_counts(const std::vector<RecordedCount> &counts);
// Throws DamagedMessage.
[[nodiscard]] std::vector<RecordedCount> unpack_counts(const Bytes &bytes, std::size_t classes);

} // namespace cpl_lb
