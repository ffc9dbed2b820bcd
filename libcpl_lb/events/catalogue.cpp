// Collects the names of all processes, orders components by lowest rank, and numbers fields and classes.
#include "events/catalogue.hpp"

#include "data/field_parts.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cpl_lb {
namespace {

// Numbers names from 1, in the order in which they are asked for.
class Ids {
public:
    explicit Ids(std::vector<std::string> &names) : names_(names) {
        for (std::size_t i = 0; i < names.size(); ++i)
            ids_.emplace(names[i], static_cast<std::int32_t>(i) + 1);
    }
    std::int32_t of(const std::string &name) {
        if (name.empty()) return 0;
        const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::int32_t>(names_.size()) + 1);
        if (is_new) names_.push_back(name);
        return at->second;
    }

private:
    std::vector<std::string> &names_;
    std::unordered_map<std::string, std::int32_t> ids_;
};

// (field, kind) -> components that have it.
using Users = std::map<std::pair<std::string, Kind>, std::set<std::string>>;

Users users_of_fields(const std::vector<CatalogueEntry> &entries) {
    Users users;
    for (const CatalogueEntry &e : entries)
        if (is_message(e.kind) && !e.field.empty()) users[{e.field, e.kind}].insert(e.component);
    return users;
}

std::string counterpart_of(const CatalogueEntry &e, const Users &users, const std::vector<std::string> &components) {
    if (e.counterpart == another_part && components.size() == 2)
        return components.front() == e.component ? components.back() : components.front();
    if (!e.counterpart.empty() || !is_message(e.kind) || e.field.empty()) return e.counterpart;
    const Kind opposite = e.kind == Kind::put ? Kind::get : Kind::put;
    auto found = users.find({e.field, opposite});
    if (found == users.end()) found = users.find({std::string(whole_of_part(e.field).value_or(e.field)), opposite});
    if (found == users.end()) return {};
    const std::set<std::string> &all = found->second;
    const bool with_itself = all.count(e.component) > 0;
    if (all.size() != (with_itself ? 2 : 1)) return {};
    return *all.begin() == e.component ? *all.rbegin() : *all.begin();
}

} // namespace

CatalogueEntry entry_of(const std::string &component, Kind kind, std::uint32_t field,
                        const std::vector<LocalField> &fields) {
    CatalogueEntry e{component, kind, {}, {}};
    if (field < fields.size()) {
        e.field = fields[field].name;
        e.counterpart = fields[field].counterpart;
    }
    if (field != 0 && e.field.empty()) e.field = fmt::format("(field {})", field); // its name never became known
    return e;
}

std::uint32_t Catalogue::class_of(const CatalogueEntry &entry) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), entry);
    return class_of_entry[static_cast<std::size_t>(at - entries.begin())];
}

Catalogue make_catalogue(std::vector<CatalogueEntry> entries, std::vector<std::string> component_names,
                         std::vector<NumberList> members) {
    Catalogue c;
    c.component_names = std::move(component_names);
    c.members = std::move(members);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    const Users users = users_of_fields(entries);
    const std::vector<std::string> instrumented = c.component_names;
    Ids components(c.component_names), fields(c.field_names);
    std::vector<ClassOfComponent> of_entry;
    for (const CatalogueEntry &e : entries) {
        ClassOfComponent k;
        k.component = components.of(e.component);
        k.what.kind = e.kind;
        k.what.field = fields.of(e.field);
        k.what.counterpart = components.of(counterpart_of(e, users, instrumented));
        of_entry.push_back(k);
    }
    c.classes = of_entry;
    std::sort(c.classes.begin(), c.classes.end());
    c.classes.erase(std::unique(c.classes.begin(), c.classes.end()), c.classes.end());
    for (const ClassOfComponent &k : of_entry) {
        const auto at = std::lower_bound(c.classes.begin(), c.classes.end(), k);
        c.class_of_entry.push_back(static_cast<std::uint32_t>(at - c.classes.begin()));
    }
    c.entries = std::move(entries);
    return c;
}

Catalogue make_catalogue(std::vector<CatalogueEntry> entries, const Members &members) {
    std::vector<std::pair<std::int32_t, std::string>> order;
    for (const auto &[name, ranks] : members)
        order.emplace_back(*ranks.begin(), name);
    std::sort(order.begin(), order.end());
    std::vector<std::string> names;
    std::vector<NumberList> ranks_of;
    for (const auto &[lowest, name] : order) {
        names.push_back(name);
        ranks_of.emplace_back(std::vector(members.at(name).begin(), members.at(name).end()));
    }
    return make_catalogue(std::move(entries), std::move(names), std::move(ranks_of));
}

} // namespace cpl_lb
