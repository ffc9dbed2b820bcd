// Names what this process recorded, and unites it with the records of the others.
#include "run/live/steps/one_list.hpp"

#include "mpi/rank_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
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
void order_components(const std::map<std::string, RankSet> &all, std::vector<std::string> &names,
                      std::vector<NumberList> &members) {
    for (const auto &[name, ranks] : all) {
        names.push_back(name);
        members.emplace_back(ranks.ranks());
    }
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return members[a].front() < members[b].front(); });
    const std::vector<std::string> by_name = std::exchange(names, {});
    const std::vector<NumberList> of_names = std::exchange(members, {});
    for (const std::size_t i : order) {
        names.push_back(by_name[i]);
        members.push_back(of_names[i]);
    }
}

} // namespace

Bytes pack_catalogue(const Catalogue &c) {
    return packed(c);
}

namespace {

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
           std::all_of(c.classes.begin(), c.classes.end(), is_class) &&
           std::all_of(c.class_of_entry.begin(), c.class_of_entry.end(),
                       [&](std::uint32_t at) { return at < c.classes.size(); });
}

} // namespace

Catalogue unpack_catalogue(const Bytes &bytes) {
    return unpacked<Catalogue>(bytes, "the catalogue", fits_together);
}

bool agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                        std::vector<CatalogueEntry> entries, Catalogue &catalogue) {
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
    if (!present.combine_up(bytes, merge)) return false;
    if (present.leads()) {
        Collected all;
        unpack_into(bytes, all);
        std::vector<std::string> names;
        std::vector<NumberList> members;
        order_components(all.members, names, members);
        bytes = pack_catalogue(
            make_catalogue({all.entries.begin(), all.entries.end()}, std::move(names), std::move(members)));
    }
    if (!present.broadcast_all(bytes)) return false;
    catalogue = unpack_catalogue(bytes);
    return true;
}

} // namespace cpl_lb
