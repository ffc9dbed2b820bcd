// The tree of components with the user's words, as text and as json.
#include "tools/cpmip/realm_tree.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"
#include "tools/command_line.hpp"

#include <algorithm>
#include <iterator>

namespace cpl_lb {
namespace {

std::string with_commas(const std::vector<std::string> &names, const char *between = ", ") {
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : between) + safe_name(name);
    return text;
}

bool is_realm(const TreeNode &node) {
    return !node.parts.empty();
}

std::string cores_text(double cores) {
    return is_known(cores) ? fmt::format("{:.6g}", cores) : "n/a";
}

void enter_row(TextTable &table, const std::string &name, double cores, double chsy, double whole_chsy) {
    table.row({name, cores_text(cores), number_text(chsy), per_cent_text(chsy / whole_chsy)});
}

void enter_rows(TextTable &table, const TreeNode &node, std::size_t depth, double whole_chsy) {
    enter_row(table, std::string(2 * depth, ' ') + safe_name(node.name), node.cores, node.chsy, whole_chsy);
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
                                    with_commas(realm.realms, " and "), with_commas(components)));
    }
    std::vector<std::string> others; // of each pair once
    std::copy_if(realm.shares_with.begin(), realm.shares_with.end(), std::back_inserter(others),
                 [&](const std::string &other) { return realm.name < other; });
    if (!others.empty()) {
        notes.push_back(fmt::format("the realm {} has processes in common with {}: the shares add up to more than "
                                    "the whole",
                                    realm.name, with_commas(others, " and ")));
    }
}

JsonTree node_json(const TreeNode &node, double whole_chsy) {
    JsonTree json = {{"name", node.name},
                     {"realms", node.realms},
                     {"parallelisation", node.cores},
                     {"core_hours_per_simulated_year", node.chsy},
                     {"share", node.chsy / whole_chsy}};
    if (!is_realm(node)) {
        json["resolution"] = JsonTree::number(node.resolution);
        json["complexity"] = JsonTree::number(node.complexity);
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
    for (const CoupledRun &job : jobs)
        for (const Component &c : job.components)
            if (std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
    for (const std::string &word : words) {
        if (word == "names") continue;
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) throw cli::WrongUsage("--realm: not REALM=COMPONENT,...: '" + word + "'");
        const std::string realm = realm_named(word.substr(0, equals));
        if (realm.empty()) {
            throw cli::WrongUsage(fmt::format("--realm: '{}' is no realm: {}", word.substr(0, equals),
                                              with_commas({realm_names.begin(), realm_names.end()})));
        }
        std::string rest = word.substr(equals + 1);
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            const std::string name = rest.substr(0, comma);
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                throw cli::WrongUsage(
                    fmt::format("--realm: no component is called '{}': there are {}", name, with_commas(names)));
            }
            given[name].push_back(realm);
            more = comma != std::string::npos;
            if (more) rest.erase(0, comma + 1);
        }
    }
    return given;
}

std::string realm_text(const RealmTree &tree) {
    const TreeNode &top = tree.toplevel;
    TextTable table;
    table.row({"Realm, component", "Cores", "CHSY", "Share [%]"});
    enter_rows(table, top, 0, top.chsy);
    enter_row(table, "  in no component", tree.rest_cores, tree.rest_chsy, top.chsy);
    std::vector<std::string> notes, by_name, in_none;
    for (const TreeNode &part : top.parts) {
        if (is_realm(part))
            note_on_realm(part, notes, by_name);
        else if (part.realms.empty())
            in_none.push_back(part.name);
    }
    if (top.cores < tree.in_components)
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
    const TreeNode &top = tree.toplevel;
    JsonTree json = node_json(top, top.chsy);
    json["in_no_component"] = {{"parallelisation", tree.rest_cores},
                               {"core_hours_per_simulated_year", tree.rest_chsy},
                               {"share", tree.rest_chsy / top.chsy}};
    return json;
}

} // namespace cpl_lb
