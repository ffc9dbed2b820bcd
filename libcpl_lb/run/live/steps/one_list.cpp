// Names what this process recorded, and unites it with the records of the others.
#include "run/live/steps/one_list.hpp"

#include "mpi/rank_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {

static void wire_members(auto &way, Either<CatalogueEntry> auto &e) {
    way.pass(e.component, e.kind, e.field, e.counterpart);
}

static void wire_members(auto &way, Either<ClassOfComponent> auto &c) {
    way.pass(c.component, c.what.kind, c.what.field, c.what.counterpart);
}

static void wire_members(auto &way, Either<Catalogue> auto &c) {
    way.pass(c.component_names, c.field_names, c.members, c.classes, c.entries, c.class_of_entry);
}

namespace {

// The data that go up the tree: the entries and the members of each component met so far.
struct Collected {
    std::set<CatalogueEntry> entries;
    std::map<std::string, RankSet> members;
};

Bytes pack(const Collected &c) {
    WireWriter out;
    out.put(c.entries.size());
    for (const CatalogueEntry &e : c.entries)
        out.pass(e);
    out.put(c.members.size());
    for (const auto &[name, ranks] : c.members) {
        out.put(name);
        out.pass(ranks);
    }
    return out.take();
}

void unpack_into(const Bytes &bytes, Collected &c) {
    WireReader in(bytes);
    bool good = true;
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        CatalogueEntry entry;
        in.pass(entry);
        c.entries.insert(std::move(entry));
    }
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        RankSet ranks;
        RankSet &all = c.members[in.get_text()];
        good = ranks.read(in, std::numeric_limits<int>::max()) && !ranks.empty() && good;
        all.add(ranks);
    }
    in.finish("names", good);
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

// Checks a catalogue's numbers, because its users take them as they are.
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

} // namespace

std::optional<Catalogue> agree_on_names(Group &present, const DecodedRecord &decoded) {
    std::vector<CatalogueEntry> entries;
    for (std::size_t c = 0; c < decoded.component_names.size(); ++c) {
        const std::string &name = decoded.component_names[c];
        for (const LocalWhat what : decoded.process.components[c].distinct)
            entries.push_back(entry_of(name, kind_of(what), field_of(what), decoded.fields));
        entries.push_back({name, Kind::term, {}, {}});
    }
    return agree_on_catalogue(present, decoded.component_names, entries);
}

Bytes pack_catalogue(const Catalogue &c) {
    return packed(c);
}

Catalogue unpack_catalogue(const Bytes &bytes) {
    return unpacked<Catalogue>(bytes, "the catalogue", fits_together);
}

std::optional<Catalogue> agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                                            const std::vector<CatalogueEntry> &entries) {
    Collected mine;
    mine.entries.insert(entries.begin(), entries.end());
    for (const std::string &name : components)
        mine.members[name].add(present.transport().rank(), present.transport().rank());
    Bytes bytes = pack(mine);
    const auto merge = [](Bytes &a, const Bytes &b) {
        Collected both;
        unpack_into(a, both);
        unpack_into(b, both);
        a = pack(both);
    };
    if (!present.combine_up(bytes, merge)) return {};
    if (present.leads()) {
        Collected all;
        unpack_into(bytes, all);
        std::vector<std::string> names;
        std::vector<NumberList> members;
        for (auto &[name, ranks] : in_order(all.members)) {
            names.push_back(name);
            members.push_back(ranks);
        }
        bytes = pack_catalogue(
            make_catalogue({all.entries.begin(), all.entries.end()}, std::move(names), std::move(members)));
    }
    if (!present.broadcast_all(bytes)) return {};
    return unpack_catalogue(bytes);
}

} // namespace cpl_lb
