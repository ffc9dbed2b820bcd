// What cpl-lb balance optimises, from its options.
#pragma once

#include "prediction/balance_model.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct BalanceOptions {
    std::vector<std::string> directories, without, order;
    std::string curves, layout, block, min, max, allowed, curve = "measured", objective = "time", serial, power;
    std::int64_t total = 0;
    std::int64_t cores_per_node = 0; // 0: components may share nodes
    double node_memory_GB = 0;       // 0: as measured
    bool no_sharing = false, json = false;
};

// Throws what the user did wrong, in one line.
[[nodiscard]] BalanceModel balance_model(const BalanceOptions &options);

// What each component may have by --min, --max, --block, --allowed, its threads and its memory. `total`: the cores
// that the components of the coupling may have together.
[[nodiscard]] std::vector<AllowedCounts> allowed_counts(const BalanceOptions &options, const BalanceModel &model,
                                                        std::int64_t total);

} // namespace cpl_lb
