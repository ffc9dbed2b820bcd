// Cores to which the kernel binds a process. Hardware threads are no cores: those of one core count once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct BoundCores {
    std::int32_t cores = 0;  // 0: the process may run on every processor of its node, or it is not known
    std::string processors;  // processors on which it may run, as the kernel lists them: "0-3,8"; empty as above
    bool whole_part = false; // the cores are a whole socket or NUMA node, as by mpirun's default binding
};

// allowed: numbers of the processors on which the process may run, ascending. The rest is read below sysfs_root.
[[nodiscard]] BoundCores bound_cores(const std::vector<int> &allowed, const std::string &sysfs_root);
// The cores that this process is bound to.
[[nodiscard]] BoundCores bound_cores_here(const std::string &sysfs_root);

// "0-3,8" for 0, 1, 2, 3, 8: as the kernel writes it.
[[nodiscard]] std::string processor_list(const std::vector<int> &processors);

// Hardware threads of a core of this node; 1 if the system does not say.
[[nodiscard]] std::int32_t threads_of_core(const std::string &sysfs_root);

} // namespace cpl_lb
