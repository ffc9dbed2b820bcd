// The components of a run in the tree of CMIP's documents (ES-DOC): a model, its realms, and their components.
#pragma once

#include "analysis/cpmip.hpp"
#include "data/coupled_run.hpp"
#include "io/json/json_tree.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

using Realms = std::set<std::size_t>; // by their places in ES-DOC's list

// The whole run, a realm, or a component. A component that covers several realms is one node with them.
struct TreeNode {
    std::string name; // of a realm or several: their names
    Realms realms;
    Held held;
    bool by_name = false;                              // a component whose realm was found by its name
    double resolution = unknown, complexity = unknown; // of a component
    std::vector<std::string> shares_with;              // of a realm: others on processes of its own
    std::vector<TreeNode> parts;                       // realms, then components in none
};

struct RealmTree {
    TreeNode toplevel;
    double in_components = unknown; // cores
    Held rest{unknown, unknown};    // of the run, but of no component; unknown if less than 0
};

// Realms by the components' names; a component that is not there may have one by its name ("ocn", "ATM", "sea_ice").
// Several jobs are one run, as in chain_of: cores are means over the wall time, costs those of all years together.
// `whole`: all jobs as one run.
using RealmsOfComponents = std::map<std::string, Realms>;
[[nodiscard]] RealmTree realm_tree(const std::vector<CoupledRun> &jobs, const CoupledRun &whole,
                                   const RealmsOfComponents &given);

// --realm: REALM=COMPONENT,..., or only "names". Throws cli::WrongUsage for a realm or a component that is none.
[[nodiscard]] RealmsOfComponents given_realms(const std::vector<std::string> &words,
                                              const std::vector<CoupledRun> &jobs);

[[nodiscard]] std::string realm_text(const RealmTree &tree);
// Names as in ES-DOC's class Performance, if it has them.
[[nodiscard]] JsonTree tree_json(const RealmTree &tree);

} // namespace cpl_lb
