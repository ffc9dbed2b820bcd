// The data caches of the first CPU, from sysfs.
#pragma once

#include <string>
#include <vector>

namespace cpl_lb {

struct CacheSize {
    std::string level; // "L1", "L2", "L3"
    double size_B = 0; // of one cache
    int shared_by = 1; // CPUs of this node that share one
};

// Nearest first; empty if sysfs does not say.
[[nodiscard]] std::vector<CacheSize> data_caches(const std::string &sysfs_root);
// "0-3,8-11": 8.
[[nodiscard]] int cpus_in_list(const std::string &list);
// MemAvailable of /proc/meminfo [B]; NaN: not known.
[[nodiscard]] double available_memory_B(const std::string &procfs_root);

} // namespace cpl_lb
