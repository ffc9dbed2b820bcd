// The number of threads of the run that share a processor of this node.
#pragma once

#include "data/time.hpp"
#include "meters/disturbance.hpp"
#include "mpi/layout.hpp"

#include <cstdint>

namespace cpl_lb {

// Threads of the run on that rank's node, divided by the node's processors; NaN: not known.
[[nodiscard]] inline double threads_per_processor(const Layout &layout, int rank) {
    const std::int64_t processors = processors_of_node();
    if (processors <= 0) return unknown;
    std::int64_t threads = 0;
    for (const int other : layout.ranks_of_node(layout.node_of_rank[static_cast<std::size_t>(rank)]))
        threads += layout.threads_of_rank[static_cast<std::size_t>(other)];
    return static_cast<double>(threads) / static_cast<double>(processors);
}

} // namespace cpl_lb
