// Names what this process recorded, and unites it with the records of the others.
#include "run/live/steps/one_list.hpp"

#include "mpi/rank_set.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {

namespace {

// The data that go up the tree: the entries and the members of each component met so far.
struct Collected {
    std::set<CatalogueEntry> entries;
    std::map<std::string, RankSet> members;
};

void wire_members(auto &way, Either<Collected> auto &c) {
    way.pass(c.entries, c.members);
}

void unite(Collected &mine, const Collected &theirs) {
    mine.entries.insert(theirs.entries.begin(), theirs.entries.end());
    for (const auto &[name, ranks] : theirs.members)
        mine.members[name].add(ranks);
}

bool fits_together(const Collected &c) {
    return std::ranges::none_of(c.members, [](const auto &component) { return component.second.empty(); });
}

// In the order of their lowest rank, then by name (one process may run several).
std::vector<std::pair<std::string, NumberList>> in_order(const std::map<std::string, RankSet> &all) {
    std::vector<std::pair<std::string, NumberList>> components;
    components.reserve(all.size());
    for (const auto &[name, ranks] : all)
        components.emplace_back(name, ranks.ranks());
    std::ranges::stable_sort(components, {}, [](const auto &component) { return component.second.front(); });
    return components;
}

} // namespace

Catalogue agree_on_names(Group &present, const DecodedRecord &decoded) {
    std::vector<CatalogueEntry> entries;
    for (std::size_t c = 0; c < decoded.component_names.size(); ++c) {
        const std::string &name = decoded.component_names[c];
        for (const LocalWhat what : decoded.process.components[c].distinct)
            entries.push_back(entry_of(name, kind_of(what), field_of(what), decoded.fields));
        entries.push_back({name, Kind::term, {}, {}});
    }
    return agree_on_catalogue(present, decoded.component_names, entries);
}

bool fits_together(const Catalogue &c) {
    const auto is_class = [&](const ClassOfComponent &e) {
        const auto up_to = [](std::int32_t number, std::size_t most) {
            return number >= 0 && static_cast<std::size_t>(number) <= most;
        };
        return static_cast<int>(e.what.kind) < kind_count && e.component > 0 &&
               up_to(e.component, c.members.size()) && up_to(e.what.field, c.field_names.size()) &&
               up_to(e.what.counterpart, c.component_names.size());
    };
    return c.members.size() <= c.component_names.size() && c.class_of_entry.size() == c.entries.size() &&
           std::ranges::all_of(c.classes, is_class) &&
           std::ranges::all_of(c.class_of_entry, [&](std::uint32_t at) { return at < c.classes.size(); });
}

Catalogue agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                             const std::vector<CatalogueEntry> &entries) {
    Collected mine;
    mine.entries.insert(entries.begin(), entries.end());
    for (const std::string &name : components)
        mine.members[name].add(present.transport().rank(), present.transport().rank());
    unite_up(present, "names", mine);
    Catalogue catalogue;
    if (present.leads()) {
        std::vector<std::string> names;
        std::vector<NumberList> members;
        for (auto &[name, ranks] : in_order(mine.members)) {
            names.push_back(name);
            members.push_back(ranks);
        }
        catalogue = make_catalogue({mine.entries.begin(), mine.entries.end()}, std::move(names), std::move(members));
    }
    tell_all(present, "the catalogue", catalogue);
    return catalogue;
}

} // namespace cpl_lb
