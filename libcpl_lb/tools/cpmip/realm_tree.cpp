// Assigns components to realms, adds up the figures of each realm, and writes the tree as text and as json.
#include "tools/cpmip/cpmip_sources.hpp"

#include "report/format.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "tools/command_line.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

namespace cpl_lb {
namespace {

using Names = std::set<std::string>;

// The spelling of ES-DOC. CMIP6's list of words has the same realms (atmosChem, landIce, ocnBgchem, seaIce). Then
// other words for them; names of models are left out, because one model often covers several realms.
struct RealmWords {
    std::string_view name;
    std::array<std::string_view, 4> others;
};
constexpr std::array<RealmWords, 9> realm_words = {{
    {"toplevel", {}},
    {"atmos", {"atm", "atmosphere"}},
    {"aerosol", {"aero", "aerosols"}},
    {"atmoschem", {"chem", "chemistry"}},
    {"land", {"lnd", "landsurface", "river", "rof"}},
    {"landice", {"glc", "icesheet"}},
    {"ocean", {"ocn", "oce"}},
    {"ocnbgchem", {"bgc"}},
    {"seaice", {"ice"}},
}};
constexpr std::size_t toplevel_place = 0;

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

// The realm of a name in any capitals; of a component also by other words.
std::optional<std::size_t> realm_named(std::string_view word, bool of_component) {
    const std::string plain = plain_word(word);
    if (plain.empty()) return std::nullopt;
    for (std::size_t place = of_component ? toplevel_place + 1 : toplevel_place; place < realm_words.size();
         ++place) {
        const auto &[name, others] = realm_words[place];
        if (plain == name || (of_component && std::ranges::find(others, plain) != others.end())) return place;
    }
    return std::nullopt;
}

std::vector<std::string> names_of(const Realms &realms) {
    std::vector<std::string> names;
    for (const std::size_t place : realms)
        names.emplace_back(realm_words[place].name);
    return names;
}

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

TreeNode component_node(const std::vector<CoupledRun> &jobs, const Component &c, const RealmsOfComponents &given) {
    TreeNode node;
    node.name = c.name;
    if (const auto found = given.find(c.name); found != given.end()) {
        node.realms = found->second;
    } else if (const auto realm = realm_named(c.name, true)) {
        node.realms = {*realm};
        node.by_name = true;
    }
    node.held = held_by_names(jobs, {c.name});
    node.resolution = grid_points(c.properties);
    node.complexity = prognostic_variables(c.properties);
    return node;
}

// Each component once, as the last job that has it knows it, in the order of the first job.
std::vector<const Component *> components_of(const std::vector<CoupledRun> &jobs) {
    std::vector<const Component *> components;
    for (const CoupledRun &job : jobs) {
        for (const Component &component : job.components) {
            const auto same = std::ranges::find(components, component.name, &Component::name);
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
            const double sum = a.held.cores + b.held.cores;
            if (held_by_names(jobs, both).cores < sum * (1 - 1e-9)) a.shares_with.push_back(b.name);
        }
    }
}

std::string with_commas(std::vector<std::string> names, const char *between = ", ") {
    for (std::string &name : names)
        name = safe_name(name);
    return joined(names, between);
}

bool is_realm(const TreeNode &node) {
    return !node.parts.empty();
}

void enter_row(TextTable &table, const std::string &name, const Held &held, double whole_chsy) {
    table.row({name, figure_text(held.cores), number_text(held.chsy), per_cent_text(held.chsy / whole_chsy)});
}

void enter_rows(TextTable &table, const TreeNode &node, std::size_t depth, double whole_chsy) {
    enter_row(table, std::string(2 * depth, ' ') + safe_name(node.name), node.held, whole_chsy);
    for (const TreeNode &part : node.parts)
        enter_rows(table, part, depth + 1, whole_chsy);
}

void note_on_realm(const TreeNode &realm, std::vector<std::string> &notes, std::vector<std::string> &by_name) {
    std::vector<std::string> components;
    for (const TreeNode &component : realm.parts) {
        components.push_back(component.name);
        if (component.by_name) by_name.push_back(component.name + " (" + realm.name + ")");
    }
    if (realm.realms.size() > 1) {
        notes.push_back(fmt::format("the realms {} are together in {}: what each of them takes was not measured, so "
                                    "nothing is divided",
                                    joined(names_of(realm.realms), " and "), with_commas(components)));
    }
    std::vector<std::string> others; // of each pair once
    std::ranges::copy_if(realm.shares_with, std::back_inserter(others),
                         [&](const std::string &other) { return realm.name < other; });
    if (!others.empty()) {
        notes.push_back(fmt::format("the realm {} has processes in common with {}: the shares add up to more than "
                                    "the whole",
                                    realm.name, with_commas(others, " and ")));
    }
}

JsonTree node_json(const TreeNode &node, double whole_chsy) {
    JsonTree json = {{"name", node.name},
                     {"realms", names_of(node.realms)},
                     {"parallelisation", node.held.cores},
                     {"core_hours_per_simulated_year", node.held.chsy},
                     {"share", node.held.chsy / whole_chsy}};
    if (!is_realm(node)) {
        json["resolution"] = node.resolution;
        json["complexity"] = node.complexity;
        json["realm_by"] = node.realms.empty() ? JsonTree() : JsonTree(node.by_name ? "name" : "option");
        return json;
    }
    json["shares_processes_with"] = node.shares_with;
    json["subcomponent_performance"] = JsonTree::array();
    for (const TreeNode &part : node.parts)
        json["subcomponent_performance"].push_back(node_json(part, whole_chsy));
    return json;
}

} // namespace

RealmsOfComponents given_realms(const std::vector<std::string> &words, const std::vector<CoupledRun> &jobs) {
    RealmsOfComponents given;
    std::vector<std::string> names;
    for (const Component *c : components_of(jobs))
        names.push_back(c->name);
    for (const std::string &word : words) {
        if (word == "names") continue;
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) throw cli::WrongUsage("--realm: not REALM=COMPONENT,...: '" + word + "'");
        const std::string given_name = word.substr(0, equals);
        const auto realm = realm_named(given_name, false);
        if (!realm) {
            std::string known;
            for (const RealmWords &one : realm_words)
                known += (known.empty() ? "" : ", ") + std::string(one.name);
            throw cli::WrongUsage(fmt::format("--realm: '{}' is no realm: {}", given_name, known));
        }
        std::istringstream rest(word.substr(equals + 1) + ","); // the comma: an empty name is refused, too
        for (std::string name; std::getline(rest, name, ',');) {
            if (std::ranges::find(names, name) == names.end()) {
                throw cli::WrongUsage(
                    fmt::format("--realm: no component is called '{}': there are {}", name, with_commas(names)));
            }
            given[name].insert(*realm);
        }
    }
    return given;
}

RealmTree realm_tree(const std::vector<CoupledRun> &jobs, const CoupledRun &whole, const RealmsOfComponents &given) {
    RealmTree tree;
    TreeNode &top = tree.toplevel;
    top.name = realm_words[toplevel_place].name;
    top.realms = {toplevel_place};
    top.held = {whole.cpmip.parallelization, whole.cpmip.chsy};
    std::vector<TreeNode> of_top;
    Names all;
    for (const Component *component : components_of(jobs)) {
        all.insert(component->name);
        TreeNode node = component_node(jobs, *component, given);
        if (node.realms.empty() || node.realms == top.realms) {
            of_top.push_back(std::move(node));
            continue;
        }
        const auto same = std::ranges::find(top.parts, node.realms, &TreeNode::realms);
        TreeNode &realm = same == top.parts.end() ? top.parts.emplace_back() : *same;
        realm.realms = node.realms;
        realm.parts.push_back(std::move(node));
    }
    std::ranges::stable_sort(top.parts, {}, [](const TreeNode &realm) { return *realm.realms.begin(); });
    for (TreeNode &realm : top.parts) {
        realm.name = joined(names_of(realm.realms), ", ");
        realm.held = held_by_names(jobs, names_in(realm));
    }
    find_shared(jobs, top.parts);
    const Held in_components = held_by_names(jobs, all);
    tree.in_components = in_components.cores;
    if (top.held.cores >= in_components.cores)
        tree.rest = {top.held.cores - in_components.cores, top.held.chsy - in_components.chsy};
    std::ranges::move(of_top, std::back_inserter(top.parts));
    return tree;
}

std::string realm_text(const RealmTree &tree) {
    const TreeNode &top = tree.toplevel;
    TextTable table;
    table.row({"Realm, component", "Cores", "CHSY", "Share [%]"});
    enter_rows(table, top, 0, top.held.chsy);
    enter_row(table, "  in no component", tree.rest, top.held.chsy);
    std::vector<std::string> notes, by_name, in_none;
    for (const TreeNode &part : top.parts) {
        if (is_realm(part))
            note_on_realm(part, notes, by_name);
        else if (part.realms.empty())
            in_none.push_back(part.name);
    }
    if (top.held.cores < tree.in_components)
        notes.emplace_back("the components have more cores than the run (NP): nothing is left over");
    if (!by_name.empty())
        notes.push_back("realms by the names of the components, which --realm can change: " + with_commas(by_name));
    if (!in_none.empty())
        notes.push_back("in no realm, as couplers and I/O servers are: " + with_commas(in_none) +
                        ". Where that is wrong, give --realm");
    std::string text = "\nComponents in the realms of CMIP's documents\n\n" + table.text();
    for (const std::string &note : notes)
        text += wrapped("Note: " + note, 80);
    return text;
}

JsonTree tree_json(const RealmTree &tree) {
    const double whole_chsy = tree.toplevel.held.chsy;
    JsonTree json = node_json(tree.toplevel, whole_chsy);
    json["in_no_component"] = {{"parallelisation", tree.rest.cores},
                               {"core_hours_per_simulated_year", tree.rest.chsy},
                               {"share", tree.rest.chsy / whole_chsy}};
    return json;
}

} // namespace cpl_lb
