// All processes agree on one catalogue of names at terminate, when every process knows its fields.
#pragma once

#include "events/catalogue.hpp"
#include "mpi/group.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

[[nodiscard]] Bytes pack_catalogue(const Catalogue &catalogue);
[[nodiscard]] Catalogue unpack_catalogue(const Bytes &bytes);

// Collective over `present`. components: those of this process; the first is that of cpl_lb_init.
bool agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                        std::vector<CatalogueEntry> entries, Catalogue &catalogue);

} // namespace cpl_lb
