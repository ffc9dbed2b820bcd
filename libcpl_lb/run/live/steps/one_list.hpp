// Step 4 of cpl_lb_terminate, second half: one list of components, fields and kinds, so that ids are the same
// everywhere.
#pragma once

#include "events/catalogue.hpp"
#include "mpi/group.hpp"
#include "run/live/steps/decode_record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// Collective over those present.
[[nodiscard]] std::optional<Catalogue> agree_on_names(Group &present, const DecodedRecord &decoded);

// All processes agree on one catalogue of names at terminate, when every process knows its fields.
[[nodiscard]] Bytes pack_catalogue(const Catalogue &catalogue);
[[nodiscard]] Catalogue unpack_catalogue(const Bytes &bytes);

// Collective over `present`. components: those of this process; the first is that of cpl_lb_init.
[[nodiscard]] std::optional<Catalogue> agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                                                          const std::vector<CatalogueEntry> &entries);

} // namespace cpl_lb
