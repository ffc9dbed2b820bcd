// A node that is late in several runs: is it the node, or the place that it has in the model? (docs/definitions.md,
// section 2, "A slow node, or a slow place")
#pragma once

#include "history/history_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cpl_lb {

enum class LateCause { too_few, node, place, not_known };

// The late nodes of one component, in its last runs with the same numbers of processes and nodes.
struct LateNodes {
    std::string component;
    LateCause cause = LateCause::not_known;
    std::size_t runs = 0;           // in which its nodes were compared
    std::size_t late_runs = 0;      // in which one was late
    std::string node;               // the one that was late most often
    std::size_t of_node = 0;        // late runs of that node
    std::size_t runs_of_node = 0;   // in which it took part
    std::size_t places_of_node = 0; // at which it was late
    std::int64_t place = 0;         // the place that was late most often: its first process
    std::size_t at_place = 0;       // late runs at that place
    std::size_t nodes_at_place = 0; // that were late there
    double share = unknown;         // of its loop: what the late node costs, mean over the late runs
};

inline constexpr std::size_t most_runs_of_nodes = 30;
inline constexpr std::size_t least_late_runs = 3;

[[nodiscard]] bool has_late_node(const ComponentRecord &component);

// Components without a late run are left out; in the order of their names.
[[nodiscard]] std::vector<LateNodes> late_nodes(const std::vector<RunRecord> &runs);

} // namespace cpl_lb
