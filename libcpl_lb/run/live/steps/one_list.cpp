// Names what this process recorded, and unites it with what the others did.
#include "run/live/steps/one_list.hpp"

#include "run/live/catalogue_agreement.hpp"

#include <utility>
#include <vector>

namespace cpl_lb {

std::optional<Catalogue> agree_on_names(Group &present, const DecodedRecord &decoded) {
    std::vector<CatalogueEntry> entries;
    for (std::size_t c = 0; c < decoded.component_names.size(); ++c) {
        const std::string &name = decoded.component_names[c];
        for (const LocalWhat what : decoded.process.components[c].distinct)
            entries.push_back(entry_of(name, kind_of(what), field_of(what), decoded.fields));
        entries.push_back({name, Kind::term, {}, {}});
    }
    Catalogue catalogue;
    if (!agree_on_catalogue(present, decoded.component_names, std::move(entries), catalogue)) return {};
    return catalogue;
}

} // namespace cpl_lb
