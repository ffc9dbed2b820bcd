// Numbers recorded components first, then unrecorded counterparts; fields are in the order of the runs.
#include "run/joined/joined_names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace cpl_lb {
namespace {

using RunsOfName = std::map<std::string, std::vector<std::size_t>>; // the runs that recorded a component of the name

RunsOfName recorded_components(std::span<const CoupledRun *const> runs) {
    RunsOfName where;
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (const Component &c : runs[r]->components)
            where[c.name].push_back(r);
    return where;
}

// The number of a name, which is added if it is new.
std::int32_t number_in(std::vector<std::string> &names, const std::string &name) {
    const auto at = std::find(names.begin(), names.end(), name);
    const auto number = static_cast<std::int32_t>(at - names.begin()) + 1;
    if (at == names.end()) names.push_back(name);
    return number;
}

std::set<std::int32_t> fields_of_collectives(const CoupledRun &run) {
    std::set<std::int32_t> fields;
    for (const Component &c : run.components)
        for (const EventClass &key : c.table.keys.classes())
            if (key.kind == Kind::sync) fields.insert(key.field);
    return fields;
}

bool any_other_has_field(std::span<const CoupledRun *const> runs, std::size_t own, const std::string &field) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::vector<std::string> &names = runs[r]->field_names;
        if (r != own && std::find(names.begin(), names.end(), field) != names.end()) return true;
    }
    return false;
}

void refuse_clashes(const RunsOfName &where, std::span<const std::string> labels) {
    for (const auto &[name, runs] : where) {
        if (runs.size() < 2) continue;
        throw std::runtime_error("both " + labels[runs[0]] + " and " + labels[runs[1]] + " have a component " + name +
                                 ": --prefix puts the folder's name before it");
    }
}

void number_components(std::span<const CoupledRun *const> runs, std::span<const std::string> labels,
                       const RunsOfName &where, JoinedNames &joined) {
    const auto name_of = [&](std::size_t r, const std::string &name) {
        return where.at(name).size() > 1 ? labels[r] + "." + name : name;
    };
    for (std::size_t r = 0; r < runs.size(); ++r)
        for (const Component &c : runs[r]->components)
            joined.component_names.push_back(name_of(r, c.name));
    for (std::size_t r = 0; r < runs.size(); ++r) {
        std::set<std::string> own;
        for (const Component &c : runs[r]->components)
            own.insert(c.name);
        for (const std::string &name : runs[r]->component_names) {
            const auto recorded = where.find(name);
            std::string in_joined = name; // of an unrecorded one, or one that occurs several times elsewhere
            if (own.contains(name))
                in_joined = name_of(r, name);
            else if (recorded != where.end() && recorded->second.size() == 1)
                in_joined = name_of(recorded->second.front(), name);
            joined.runs[r].components.push_back(number_in(joined.component_names, in_joined));
        }
    }
}

std::int32_t mapped(const std::vector<std::int32_t> &numbers, std::int32_t own) {
    const auto place = static_cast<std::size_t>(own) - 1;
    return own >= 1 && place < numbers.size() ? numbers[place] : 0;
}

} // namespace

JoinedNames join_names(std::span<const CoupledRun *const> runs, std::span<const std::string> labels, bool prefix) {
    const RunsOfName where = recorded_components(runs);
    if (!prefix) refuse_clashes(where, labels);
    JoinedNames joined;
    joined.runs.resize(runs.size());
    number_components(runs, labels, where, joined);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::set<std::int32_t> collective = fields_of_collectives(*runs[r]);
        for (std::size_t f = 0; f < runs[r]->field_names.size(); ++f) {
            std::string name = runs[r]->field_names[f];
            const bool apart = collective.contains(static_cast<std::int32_t>(f) + 1);
            if (apart && any_other_has_field(runs, r, name)) name += " (" + labels[r] + ")";
            joined.runs[r].fields.push_back(number_in(joined.field_names, name));
        }
    }
    return joined;
}

void renumber(CoupledRun &run, const JoinedNames &names, const JoinedNames::OfRun &own, std::int32_t first_rank) {
    for (Component &c : run.components) {
        c.id = mapped(own.components, c.id);
        c.name = names.component_names[static_cast<std::size_t>(c.id) - 1];
        for (std::int32_t &rank : c.ranks)
            rank += first_rank;
        for (std::int32_t *rank : {&c.no_processor.most, &c.no_processor.most_outside})
            if (*rank >= 0) *rank += first_rank;
        for (EventClass &key : c.table.keys.classes()) {
            key.field = mapped(own.fields, key.field);
            key.counterpart = mapped(own.components, key.counterpart);
        }
        for (WaitingFor &part : c.balance.waiting_for)
            part.component = mapped(own.components, part.component);
    }
    for (std::int32_t &rank : run.run.missing)
        rank += first_rank;
}

} // namespace cpl_lb
