// Step 4 of cpl_lb_terminate, second half: one list of components, fields and kinds, so that ids are the same
// everywhere.
#pragma once

#include "mpi/group.hpp"
#include "run/live/steps/decode_record.hpp"

#include <optional>

namespace cpl_lb {

// Collective over those present.
[[nodiscard]] std::optional<Catalogue> agree_on_names(Group &present, const DecodedRecord &decoded);

} // namespace cpl_lb
