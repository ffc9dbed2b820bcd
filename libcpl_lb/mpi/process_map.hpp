// Component, node and clock of every process: exchanged once in cpl_lb_init, then the same on all processes.
#pragma once

#include "mpi/group.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct Hello {
    std::string component;
    std::string clock_domain;      // processes with the same text read the same CLOCK_MONOTONIC
    std::int32_t threads = 0;      // from OMP_NUM_THREADS; 0: not set
    std::int32_t bound_cores = 0;  // cores to which the process is bound; 0: to none
    std::string bound_to;          // the list of these cores: processes of a node with the same text share them
    bool bound_by_default = false; // to a whole part of the node, as mpirun does unasked
    std::int32_t memory_group = 0; // processes of a node with the same number share a limit of memory
};

struct ProcessMap {
    std::vector<std::string> component_names; // by index, in the order of their lowest rank
    NumberList component_of_rank;
    NumberList node_of_rank; // clock domains, numbered in the order of their lowest rank
    NumberList threads_of_rank;
    NumberList cores_of_rank;          // cores that these threads take; no more than the process is bound to
    NumberList memory_sharers_of_rank; // processes in its memory group, itself included
    // The rank in the model's communicator of each rank of the library's own communicator. Filled before the rest.
    NumberList rank_in_model;

    [[nodiscard]] int in_model(int rank) const { return rank_in_model[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int size() const { return static_cast<int>(component_of_rank.size()); }
    [[nodiscard]] int nodes() const;
    [[nodiscard]] std::vector<int> ranks_of_node(std::int32_t node) const { return node_of_rank.places_of(node); }
    [[nodiscard]] const std::string &component_name_of(int rank) const;
    [[nodiscard]] int lowest_rank_of_component(std::int32_t component) const;
};

// The kernel's boot id and the time namespace, or the host name if they cannot be read.
[[nodiscard]] std::string clock_domain_here(const std::string &procfs_root);
// OMP_NUM_THREADS of this process; 0: not set.
[[nodiscard]] std::int32_t threads_here();

void wire_members(auto &way, Either<ProcessMap> auto &map) {
    way.pass(map.component_names, map.component_of_rank, map.node_of_rank, map.threads_of_rank, map.cores_of_rank,
             map.memory_sharers_of_rank);
}
[[nodiscard]] bool fits_together(const ProcessMap &process_map);

// Collective over `all`.
void exchange_process_map(Group &all, const Hello &mine, ProcessMap &process_map);

} // namespace cpl_lb
