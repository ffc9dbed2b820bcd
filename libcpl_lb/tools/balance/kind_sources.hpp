// The model of balance --kinds, with what each component may have.
#pragma once

#include "prediction/kinds_model.hpp"
#include "tools/balance/balance_problem.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct KindsSource {
    KindsModel model;
    NodePairs not_measured;        // component and kind
    bool all_given = false;        // --nodes names the nodes of all
    std::vector<std::string> kept; // by BalanceModel::kept, what they keep: "17 nodes of cpu"
    std::vector<bool> held;        // by component: it keeps its nodes, because its scaling is not known
};
// Throws what the user did wrong, in one line.
[[nodiscard]] KindsSource kinds_source(const BalanceOptions &options);

} // namespace cpl_lb
