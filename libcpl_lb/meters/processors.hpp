// The processors of this process: those to which it is bound, and signs that somebody else uses them, too.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// How often the kernel took the processor away from this process, all its threads; -1: not known.
[[nodiscard]] std::int64_t involuntary_switches();
// Processors of this node that work; 0: not known.
[[nodiscard]] std::int64_t processors_of_node();

// From the text of a schedstat: for how long the thread was ready and had no processor. NaN: the kernel does not
// count it (it then writes three zeros, and a thread that reads has run).
[[nodiscard]] double no_processor_s(std::string_view schedstat) noexcept;

// The same for each thread of this process, by its id; empty: not known.
using ThreadSeconds = std::map<std::string, double>;
[[nodiscard]] ThreadSeconds no_processor_of_threads(const std::string &procfs_root);
// How much it grew, all threads together. A thread that ended meanwhile is not in it. NaN: not known.
[[nodiscard]] double growth_of(const ThreadSeconds &first, const ThreadSeconds &last);

// Cores to which the kernel binds a process. Hardware threads are no cores: those of one core count once.
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
// The other way; none if it is no such list.
[[nodiscard]] std::vector<int> processors_in(const std::string &list);

// Cores of this node on which the job's processes may run: those of the control group that holds this process, else
// all that work. What processes are bound to does not count. 0: not known.
[[nodiscard]] std::int32_t cores_of_node(const std::string &sysfs_root, const std::string &procfs_root);

// Hardware threads of a core of this node; 1 if the system does not say.
[[nodiscard]] std::int32_t threads_of_core(const std::string &sysfs_root);

} // namespace cpl_lb
