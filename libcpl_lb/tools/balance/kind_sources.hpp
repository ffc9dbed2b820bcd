// The model of balance --kinds, with what each component may have.
#pragma once

#include "prediction/kinds_model.hpp"
#include "tools/balance/balance_problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// What a component had in the first run.
struct NodesOfRun {
    std::size_t kind = 0;
    double nodes = 0; // not whole where it had a part of a node
};

struct KindsSource {
    KindsModel model;
    NodePairs not_measured;        // component and kind
    bool all_given = false;        // --nodes names the nodes of all
    std::vector<std::string> kept; // by BalanceModel::kept, what they keep: "17 nodes of cpu"
    std::vector<bool> held;        // by component: it keeps its nodes, because its scaling is not known
    std::vector<std::optional<NodesOfRun>> first_run; // by component; nothing: there is no run
    std::vector<bool> as_in_run;                      // by component: given its nodes of the first run (as_given)
};
// Throws what the user did wrong, in one line.
[[nodiscard]] KindsSource kinds_source(const BalanceOptions &options);

} // namespace cpl_lb
