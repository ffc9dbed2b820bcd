// The number of threads of the run that share a processor of this node.
#pragma once

#include "data/time.hpp"
#include "meters/scheduling.hpp"
#include "mpi/process_map.hpp"

#include <cstdint>

namespace cpl_lb {

// Threads of the run on that rank's node, divided by the node's processors; NaN: not known.
[[nodiscard]] inline double threads_per_processor(const ProcessMap &process_map, int rank) {
    const std::int64_t processors = processors_of_node();
    if (processors <= 0) return unknown;
    std::int64_t threads = 0;
    for (const int other : process_map.ranks_of_node(process_map.node_of_rank[static_cast<std::size_t>(rank)]))
        threads += process_map.threads_of_rank[static_cast<std::size_t>(other)];
    return static_cast<double>(threads) / static_cast<double>(processors);
}

} // namespace cpl_lb
