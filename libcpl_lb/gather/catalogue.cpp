#include "gather/catalogue.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

void put_entry(WireWriter &out, const CatalogueEntry &e) {
    out.put(e.component);
    out.put(e.kind);
    out.put(e.field);
    out.put(e.counterpart);
}

CatalogueEntry get_entry(WireReader &in) {
    CatalogueEntry e;
    e.component = in.get_text();
    e.kind = in.get<Kind>();
    e.field = in.get_text();
    e.counterpart = in.get_text();
    return e;
}

// What goes up the tree: the entries and the members of each component met so far.
struct Collected {
    std::set<CatalogueEntry> entries;
    std::map<std::string, std::set<std::int32_t>> members;
};

Bytes pack(const Collected &c) {
    WireWriter out;
    out.put(c.entries.size());
    for (const CatalogueEntry &e : c.entries)
        put_entry(out, e);
    out.put(c.members.size());
    for (const auto &[name, ranks] : c.members) {
        out.put(name);
        out.put(std::vector<std::int32_t>(ranks.begin(), ranks.end()));
    }
    return out.take();
}

void unpack_into(const Bytes &bytes, Collected &c) {
    WireReader in(bytes);
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n)
        c.entries.insert(get_entry(in));
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n) {
        std::set<std::int32_t> &ranks = c.members[in.get_text()];
        for (const std::int32_t r : in.get_vector<std::int32_t>())
            ranks.insert(r);
    }
}

// Components in the order of their lowest rank; of equals (one process, several components) by name.
void order_components(const Collected &c, std::vector<std::string> &names,
                      std::vector<std::vector<std::int32_t>> &members) {
    std::vector<std::pair<std::int32_t, std::string>> order;
    for (const auto &[name, ranks] : c.members)
        order.emplace_back(*ranks.begin(), name);
    std::sort(order.begin(), order.end());
    for (const auto &[lowest, name] : order) {
        names.push_back(name);
        const std::set<std::int32_t> &ranks = c.members.at(name);
        members.emplace_back(ranks.begin(), ranks.end());
    }
}

std::int32_t id_in(std::vector<std::string> &names, const std::string &name) {
    if (name.empty()) return 0;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at != names.end()) return static_cast<std::int32_t>(at - names.begin()) + 1;
    names.push_back(name);
    return static_cast<std::int32_t>(names.size());
}

// (field, kind) -> components that have it.
using Users = std::map<std::pair<std::string, Kind>, std::set<std::string>>;

Users users_of_fields(const std::vector<CatalogueEntry> &entries) {
    Users users;
    for (const CatalogueEntry &e : entries)
        if (is_exchange(e.kind) && !e.field.empty()) users[{e.field, e.kind}].insert(e.component);
    return users;
}

std::string counterpart_of(const CatalogueEntry &e, const Users &users) {
    if (!e.counterpart.empty() || !is_exchange(e.kind) || e.field.empty()) return e.counterpart;
    const auto found = users.find({e.field, e.kind == Kind::put ? Kind::get : Kind::put});
    if (found == users.end()) return {};
    std::set<std::string> others = found->second;
    others.erase(e.component);
    return others.size() == 1 ? *others.begin() : std::string();
}

Bytes pack(const Catalogue &c) {
    WireWriter out;
    out.put(c.component_names.size());
    for (const std::string &name : c.component_names)
        out.put(name);
    out.put(c.field_names.size());
    for (const std::string &name : c.field_names)
        out.put(name);
    out.put(c.members.size());
    for (const auto &ranks : c.members)
        out.put(ranks);
    out.put(c.classes);
    out.put(c.entries.size());
    for (const CatalogueEntry &e : c.entries)
        put_entry(out, e);
    out.put(c.class_of_entry);
    return out.take();
}

Catalogue unpack(const Bytes &bytes) {
    Catalogue c;
    WireReader in(bytes);
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n)
        c.component_names.push_back(in.get_text());
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n)
        c.field_names.push_back(in.get_text());
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n)
        c.members.push_back(in.get_vector<std::int32_t>());
    c.classes = in.get_vector<EventClass>();
    for (auto n = in.get<std::size_t>(); n > 0 && in.good(); --n)
        c.entries.push_back(get_entry(in));
    c.class_of_entry = in.get_vector<std::uint32_t>();
    return c;
}

} // namespace

std::uint32_t Catalogue::class_of(const CatalogueEntry &entry) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), entry);
    return class_of_entry[static_cast<std::size_t>(at - entries.begin())];
}

std::int32_t Catalogue::component_id(const std::string &name) const {
    const auto at = std::find(component_names.begin(), component_names.end(), name);
    return at == component_names.end() ? 0 : static_cast<std::int32_t>(at - component_names.begin()) + 1;
}

Catalogue make_catalogue(std::vector<CatalogueEntry> entries, std::vector<std::string> component_names,
                         std::vector<std::vector<std::int32_t>> members) {
    Catalogue c;
    c.component_names = std::move(component_names);
    c.members = std::move(members);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    const Users users = users_of_fields(entries);
    std::vector<EventClass> of_entry;
    for (const CatalogueEntry &e : entries) {
        EventClass k;
        k.component = id_in(c.component_names, e.component);
        k.kind = e.kind;
        k.field = id_in(c.field_names, e.field);
        k.counterpart = id_in(c.component_names, counterpart_of(e, users));
        of_entry.push_back(k);
    }
    c.classes = of_entry;
    std::sort(c.classes.begin(), c.classes.end());
    c.classes.erase(std::unique(c.classes.begin(), c.classes.end()), c.classes.end());
    for (const EventClass &k : of_entry) {
        const auto at = std::lower_bound(c.classes.begin(), c.classes.end(), k);
        c.class_of_entry.push_back(static_cast<std::uint32_t>(at - c.classes.begin()));
    }
    c.entries = std::move(entries);
    return c;
}

bool agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                        std::vector<CatalogueEntry> entries, Catalogue &catalogue) {
    Collected mine;
    mine.entries.insert(entries.begin(), entries.end());
    for (const std::string &name : components)
        mine.members[name].insert(present.transport().rank());
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
        std::vector<std::vector<std::int32_t>> members;
        order_components(all, names, members);
        bytes = pack(make_catalogue({all.entries.begin(), all.entries.end()}, std::move(names), std::move(members)));
    }
    if (!present.broadcast_all(bytes)) return false;
    catalogue = unpack(bytes);
    return true;
}

} // namespace cpl_lb
