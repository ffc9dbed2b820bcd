// Reads the affinity mask, and from sysfs which processors are one core, a socket, a NUMA node.
#include "meters/bound_cores.hpp"

#include "meters/small_file.hpp"

#include <algorithm>
#include <charconv>
#include <sched.h>
#include <set>

namespace cpl_lb {
namespace {

std::string processor_folder(const std::string &sysfs_root, int processor) {
    return sysfs_root + "/devices/system/cpu/cpu" + std::to_string(processor);
}

// How many processors a list of the kernel names; 0 if it is not one.
std::int32_t count_of(const std::string &list) {
    std::int32_t count = 0;
    const char *at = list.data();
    const char *const end = at + list.size();
    while (at != end) {
        std::int32_t first = 0;
        auto [next, error] = std::from_chars(at, end, first);
        if (error != std::errc()) return 0;
        std::int32_t last = first;
        if (next != end && *next == '-') {
            const auto range = std::from_chars(next + 1, end, last);
            if (range.ec != std::errc() || last < first) return 0;
            next = range.ptr;
        }
        count += last - first + 1;
        if (next == end) break;
        if (*next != ',') return 0;
        at = next + 1;
    }
    return count;
}

bool is_whole_part(const std::string &list, int processor, const std::string &sysfs_root) {
    const std::string topology = processor_folder(sysfs_root, processor) + "/topology/";
    for (const char *name : {"package_cpus_list", "core_siblings_list"}) // the second is its old name
        if (read_text(topology + name) == list) return true;
    constexpr int most_numa_nodes = 64;
    for (int node = 0; node < most_numa_nodes; ++node) {
        const auto of_node = read_text(sysfs_root + "/devices/system/node/node" + std::to_string(node) + "/cpulist");
        if (of_node == list) return true;
        if (!of_node && node > 0) break;
    }
    return false;
}

} // namespace

std::string processor_list(const std::vector<int> &processors) {
    std::string list;
    for (std::size_t i = 0; i < processors.size();) {
        std::size_t last = i;
        while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1)
            ++last;
        list += (list.empty() ? "" : ",") + std::to_string(processors[i]);
        if (last > i) list += "-" + std::to_string(processors[last]);
        i = last + 1;
    }
    return list;
}

BoundCores bound_cores(const std::vector<int> &allowed, const std::string &sysfs_root) {
    BoundCores bound;
    const auto online = read_text(sysfs_root + "/devices/system/cpu/online");
    if (allowed.empty() || !online) return bound;
    const std::string list = processor_list(allowed);
    if (static_cast<std::int32_t>(allowed.size()) >= count_of(*online)) return bound;
    std::set<std::string> cores;
    for (const int processor : allowed) {
        const auto siblings = read_text(processor_folder(sysfs_root, processor) + "/topology/thread_siblings_list");
        cores.insert(siblings ? *siblings : std::to_string(processor));
    }
    bound.cores = static_cast<std::int32_t>(cores.size());
    bound.processors = list;
    bound.whole_part = is_whole_part(list, allowed.front(), sysfs_root);
    return bound;
}

BoundCores bound_cores_here(const std::string &sysfs_root) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return {};
    std::vector<int> allowed;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(static_cast<std::size_t>(processor), &mask)) allowed.push_back(processor);
    return bound_cores(allowed, sysfs_root);
}

std::int32_t threads_of_core(const std::string &sysfs_root) {
    const auto siblings = read_text(processor_folder(sysfs_root, 0) + "/topology/thread_siblings_list");
    return siblings ? std::max(count_of(*siblings), 1) : 1;
}

} // namespace cpl_lb
