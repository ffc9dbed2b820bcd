// Assigns components to realms and adds up the figures of each realm.
#include "tools/cpmip/realm_tree.hpp"

#include "analysis/cpmip.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

using Names = std::set<std::string>;

// Letters and digits, small: "Sea_Ice" is "seaice".
std::string plain_word(std::string_view word) {
    std::string plain;
    for (const char c : word) {
        if (c >= 'A' && c <= 'Z')
            plain += static_cast<char>(c - 'A' + 'a');
        else if (c != '_' && c != '-' && c != ' ')
            plain += c;
    }
    return plain;
}

// Words for the realms themselves. Names of models are left out, because one model often covers several realms.
constexpr std::array<std::pair<const char *, const char *>, 16> realm_words = {{{"atm", "atmos"},
                                                                                {"atmosphere", "atmos"},
                                                                                {"aero", "aerosol"},
                                                                                {"aerosols", "aerosol"},
                                                                                {"chem", "atmoschem"},
                                                                                {"chemistry", "atmoschem"},
                                                                                {"lnd", "land"},
                                                                                {"landsurface", "land"},
                                                                                {"river", "land"},
                                                                                {"rof", "land"},
                                                                                {"glc", "landice"},
                                                                                {"icesheet", "landice"},
                                                                                {"ocn", "ocean"},
                                                                                {"oce", "ocean"},
                                                                                {"bgc", "ocnbgchem"},
                                                                                {"ice", "seaice"}}};

// Several jobs as one run: cores by the wall time, costs by the years.
Held held_by_names(const std::vector<CoupledRun> &jobs, const Names &names) {
    const auto counted = [&](const Component &c) { return names.contains(c.name); };
    if (jobs.size() == 1) return held_by(jobs.front(), counted);
    double wall_s = 0, years = 0;
    Held sum;
    for (const CoupledRun &job : jobs) {
        const Held held = held_by(job, counted);
        const double years_of_job = simulated_years(job.run.simulated_s, job.run.year_days);
        sum.cores += held.cores * job.run.wall_s;
        sum.chsy += held.chsy * years_of_job;
        wall_s += job.run.wall_s;
        years += years_of_job;
    }
    return {sum.cores / wall_s, sum.chsy / years};
}

void enter(TreeNode &node, const Held &held) {
    node.cores = held.cores;
    node.chsy = held.chsy;
}

TreeNode component_node(const std::vector<CoupledRun> &jobs, const Component &c, const RealmsOfComponents &given) {
    TreeNode node;
    node.name = c.name;
    if (const auto found = given.find(c.name); found != given.end()) {
        for (const char *realm : realm_names)
            if (std::find(found->second.begin(), found->second.end(), realm) != found->second.end())
                node.realms.emplace_back(realm);
    } else if (const std::string realm = realm_by_name(c.name); !realm.empty()) {
        node.realms = {realm};
        node.by_name = true;
    }
    enter(node, held_by_names(jobs, {c.name}));
    node.resolution = grid_points(c.properties);
    node.complexity = prognostic_variables(c.properties);
    return node;
}

// Each component once, as the last job that has it knows it, in the order of the first job.
std::vector<const Component *> components_of(const std::vector<CoupledRun> &jobs) {
    std::vector<const Component *> components;
    for (const CoupledRun &job : jobs) {
        for (const Component &component : job.components) {
            const auto same = std::find_if(components.begin(), components.end(),
                                           [&](const Component *c) { return c->name == component.name; });
            if (same == components.end())
                components.push_back(&component);
            else
                *same = &component;
        }
    }
    return components;
}

Names names_in(const TreeNode &realm) {
    Names names;
    for (const TreeNode &component : realm.parts)
        names.insert(component.name);
    return names;
}

// Realms that computed on processes of each other hold together less than the sum of both.
void find_shared(const std::vector<CoupledRun> &jobs, std::vector<TreeNode> &realms) {
    for (TreeNode &a : realms) {
        for (const TreeNode &b : realms) {
            if (a.name == b.name) continue;
            Names both = names_in(a);
            both.merge(names_in(b));
            if (held_by_names(jobs, both).cores < (a.cores + b.cores) * (1 - 1e-9)) a.shares_with.push_back(b.name);
        }
    }
}

} // namespace

std::string realm_named(std::string_view word) {
    const std::string plain = plain_word(word);
    for (const char *realm : realm_names)
        if (plain == realm) return realm;
    return {};
}

std::string realm_by_name(std::string_view component) {
    const std::string plain = plain_word(component);
    for (const auto &[word, realm] : realm_words)
        if (plain == word) return realm;
    const std::string realm = realm_named(component);
    return realm == realm_names[0] ? "" : realm;
}

RealmTree realm_tree(const std::vector<CoupledRun> &jobs, const CoupledRun &whole, const RealmsOfComponents &given) {
    RealmTree tree;
    TreeNode &top = tree.toplevel;
    top.name = realm_names[0];
    top.realms = {realm_names[0]};
    top.cores = whole.cpmip.parallelization;
    top.chsy = whole.cpmip.chsy;
    std::vector<TreeNode> of_top;
    Names all;
    for (const Component *component : components_of(jobs)) {
        all.insert(component->name);
        TreeNode node = component_node(jobs, *component, given);
        if (node.realms.empty() || node.realms == top.realms) {
            of_top.push_back(std::move(node));
            continue;
        }
        const auto same = std::find_if(top.parts.begin(), top.parts.end(),
                                       [&](const TreeNode &realm) { return realm.realms == node.realms; });
        TreeNode &realm = same == top.parts.end() ? top.parts.emplace_back() : *same;
        realm.realms = node.realms;
        realm.parts.push_back(std::move(node));
    }
    const auto place = [](const std::string &realm) {
        return std::find(realm_names.begin(), realm_names.end(), realm) - realm_names.begin();
    };
    std::stable_sort(top.parts.begin(), top.parts.end(), [&](const TreeNode &a, const TreeNode &b) {
        return place(a.realms.front()) < place(b.realms.front());
    });
    for (TreeNode &realm : top.parts) {
        for (const std::string &name : realm.realms)
            realm.name += (realm.name.empty() ? "" : ", ") + name;
        enter(realm, held_by_names(jobs, names_in(realm)));
    }
    find_shared(jobs, top.parts);
    const Held in_components = held_by_names(jobs, all);
    tree.in_components = in_components.cores;
    if (top.cores >= in_components.cores) {
        tree.rest_cores = top.cores - in_components.cores;
        tree.rest_chsy = top.chsy - in_components.chsy;
    }
    std::move(of_top.begin(), of_top.end(), std::back_inserter(top.parts));
    return tree;
}

} // namespace cpl_lb
