// Step 4 of cpl_lb_terminate, second half: one list of components, fields and kinds, so that ids are the same
// everywhere.
#pragma once

#include "events/catalogue.hpp"
#include "mpi/group.hpp"
#include "run/live/steps/decode_record.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// Collective over those present.
[[nodiscard]] Catalogue agree_on_names(Group &present, const DecodedRecord &decoded);

// All processes agree on one catalogue of names at terminate, when every process knows its fields.
void wire_members(auto &way, Either<CatalogueEntry> auto &e) {
    way.pass(e.component, e.kind, e.field, e.counterpart);
}
void wire_members(auto &way, Either<ClassOfComponent> auto &c) {
    way.pass(c.component, c.what.kind, c.what.field, c.what.counterpart);
}
void wire_members(auto &way, Either<Catalogue> auto &c) {
    way.pass(c.component_names, c.field_names, c.members, c.classes, c.entries, c.class_of_entry);
}
// Checks a catalogue's numbers, because its users take them as they are.
[[nodiscard]] bool fits_together(const Catalogue &catalogue);

// Collective over `present`. components: those of this process; the first is that of cpl_lb_init.
[[nodiscard]] Catalogue agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                                           const std::vector<CatalogueEntry> &entries);

} // namespace cpl_lb
