// How much memory this process can have: its node's, and what control groups (Slurm's --mem, containers) and limits
// of the process (ulimit -v, -d) leave of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace cpl_lb {

struct MemoryLimits {
    static constexpr double none = std::numeric_limits<double>::infinity();

    double node_B = none;
    double group_B = none;   // the smallest limit of the control groups around this process
    std::int32_t group = 0;  // the group with this limit: its processes have the same number; 0: there is none
    double process_B = none; // of this process alone
};

// The two roots: of control groups, and of what tells in which of them this process is.
[[nodiscard]] MemoryLimits memory_limits_here(const std::string &sysfs_root, const std::string &procfs_root);

// What the library may hold if the user does not say: 512 MiB, or 5 % of what this process has of each of these if
// that is less, but at least 1 MiB. The counts: processes of the run, this one included.
[[nodiscard]] std::size_t default_memory_bound_B(const MemoryLimits &limits, std::size_t on_node,
                                                 std::size_t in_group);

} // namespace cpl_lb
