// Finds the components of a run that are coupled, and compares the models of two runs.
#include "prediction/coupled_part.hpp"

#include "analysis/exchanges.hpp"
#include "prediction/coupling_graph.hpp"

#include <algorithm>
#include <set>

namespace cpl_lb {
namespace {

// Servers that receive from any component, where the clients do not record their sends, exchange nothing either.
std::vector<std::string> servers_apart(const CoupledRun &run, const std::vector<std::string> &named) {
    if (std::ranges::none_of(run.components, [](const Component &c) { return c.properties.is_io_server; })) return {};
    std::set<std::int32_t> coupled;
    for (const Exchange &e : find_exchanges(run))
        if (e.source != e.target) coupled.insert({e.source, e.target});
    std::vector<std::string> apart;
    for (const Component &c : run.components) {
        if (!c.properties.is_io_server || std::ranges::find(named, c.name) != named.end()) continue;
        if (coupled.count(c.id) == 0) apart.push_back(c.name);
    }
    return apart;
}

KeptComponent kept_of(const Component &component, const std::set<std::int32_t> &ranks_of_coupled) {
    KeptComponent kept{component.name,    component.id,      component.cores(),
                       component.threads, component.cores(), component.inside.recorded()};
    for (const std::int32_t rank : component.ranks)
        if (ranks_of_coupled.count(rank) > 0) kept.own_cores -= component.threads;
    return kept;
}

std::string field_of(const CoupledRun &run, std::int32_t id) {
    const auto at = static_cast<std::size_t>(id) - 1;
    return at < run.field_names.size() ? run.field_names[at] : "field " + std::to_string(id);
}

std::set<std::string> names_of(const CoupledRun &run) {
    std::set<std::string> names;
    for (const Component &component : run.components)
        names.insert(component.name);
    return names;
}

std::set<std::string> fields_of(const CoupledRun &run) {
    std::set<std::string> fields;
    for (const Component &component : run.components)
        for (const EventClass &c : component.table.keys.classes())
            if (is_exchange(c.kind) && c.field > 0) fields.insert(field_of(run, c.field));
    return fields;
}

// The first one that only one of the two has.
std::string only_in_one(const std::string &what, const std::set<std::string> &first,
                        const std::set<std::string> &other) {
    for (const std::string &name : first)
        if (other.count(name) == 0) return what + " '" + name + "' is missing";
    for (const std::string &name : other)
        if (first.count(name) == 0) return what + " '" + name + "' is only there";
    return "";
}

} // namespace

CoupledRun leave_out(CoupledRun run, const std::vector<std::string> &names) {
    std::set<std::string> present = names_of(run);
    const std::set<std::string> left(names.begin(), names.end());
    for (const std::string &name : names)
        if (present.erase(name) == 0) throw PredictionError("--without: there is no component '" + name + "'");
    std::erase_if(run.components, [&](const Component &c) { return left.count(c.name) > 0; });
    return run;
}

CoupledPart coupled_part(CoupledRun run, const std::vector<std::string> &without) {
    CoupledPart part;
    std::vector<std::string> all = without;
    part.io_servers = servers_apart(run, without);
    all.insert(all.end(), part.io_servers.begin(), part.io_servers.end());
    const std::set<std::string> names(all.begin(), all.end());
    std::vector<Component> left;
    for (const Component &c : run.components)
        if (names.count(c.name) > 0) left.push_back(c);
    part.run = leave_out(std::move(run), all);
    std::set<std::int32_t> ranks;
    for (const Component &c : part.run.components)
        ranks.insert(c.ranks.begin(), c.ranks.end());
    for (const Component &c : left)
        part.kept.push_back(kept_of(c, ranks));
    return part;
}

std::string another_model(const CoupledRun &first, const CoupledRun &other) {
    const std::string component = only_in_one("component", names_of(first), names_of(other));
    return component.empty() ? only_in_one("field", fields_of(first), fields_of(other)) : component;
}

} // namespace cpl_lb
