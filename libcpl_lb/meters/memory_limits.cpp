// Walks from the process's control group to the outermost that it can see, in version 1 and 2 of them.
#include "meters/memory_limits.hpp"

#include "meters/small_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

// One version of the control groups.
struct Version {
    std::string_view file_system, usual_mount;
    std::array<const char *, 2> limits;
    bool first;
};
// memory.high kills nobody, but a process beyond it hardly gets on.
constexpr Version versions[] = {{"cgroup", "/sys/fs/cgroup/memory", {"memory.limit_in_bytes", nullptr}, true},
                                {"cgroup2", "/sys/fs/cgroup", {"memory.max", "memory.high"}, false}};

bool lists_memory(std::string_view names) {
    return ("," + std::string(names) + ",").find(",memory,") != std::string::npos;
}

// The group of this process: "4:memory:/slurm/job_7", "0::/system.slice/job_7". Empty: it is in none.
std::optional<std::string> path_of_group(const Version &version, const std::string &procfs_root) {
    std::ifstream in(procfs_root + "/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string names = line.substr(first + 1, second - first - 1);
        if (version.first ? lists_memory(names) : names.empty()) return line.substr(second + 1);
    }
    return {};
}

struct Mount {
    std::string root, folder; // the group that is seen at this folder
};

// Words count from 0; empty: there are not so many.
std::string word_of(std::string_view line, int number) {
    for (; number > 0 && line.find(' ') != std::string_view::npos; --number)
        line.remove_prefix(line.find(' ') + 1);
    return number > 0 ? std::string() : std::string(line.substr(0, line.find(' ')));
}

// "36 31 0:33 /docker/7 /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory"
Mount mount_of(const Version &version, const std::string &procfs_root) {
    std::ifstream in(procfs_root + "/self/mountinfo");
    for (std::string line; std::getline(in, line);) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        const std::string how = line.substr(dash + 3);
        if (word_of(how, 0) != version.file_system || (version.first && !lists_memory(word_of(how, 2)))) continue;
        return {word_of(line, 3), word_of(line, 4)};
    }
    return {"/", std::string(version.usual_mount)};
}

// The group's folder below the mounted one; empty: that one itself, or the group cannot be seen.
std::string below_mount(const std::string &group, const Mount &mount) {
    const std::string root = mount.root == "/" ? "" : mount.root;
    const bool seen = group.starts_with(root + "/") && (group + "/").find("/../") == std::string::npos;
    return seen && group != "/" ? group.substr(root.size()) : "";
}

std::int32_t number_of(const std::string &folder) {
    struct stat about {};
    const bool known = ::stat(folder.c_str(), &about) == 0;
    return known ? std::max(static_cast<std::int32_t>(about.st_ino & 0x7fffffffU), 1) : 1;
}

// The outermost of several groups with the same limit counts: more processes share it.
void take_limits(MemoryLimits &limits, const std::string &folder, const Version &version) {
    for (const char *file : version.limits) {
        if (file == nullptr) continue;
        const auto bytes = parse_number(read_text(folder + "/" + file).value_or("")); // "max": there is none
        if (!bytes || static_cast<double>(*bytes) > limits.group_B) continue;
        limits.group_B = static_cast<double>(*bytes);
        limits.group = number_of(folder);
    }
}

void take_limits(MemoryLimits &limits, const Version &version, const std::string &sysfs_root,
                 const std::string &procfs_root) {
    const auto group = path_of_group(version, procfs_root);
    if (!group) return;
    const Mount mount = mount_of(version, procfs_root);
    const bool usual = mount.folder.starts_with("/sys/");
    const std::string top = usual ? sysfs_root + mount.folder.substr(4) : mount.folder;
    std::string below = below_mount(*group, mount);
    while (!below.empty()) {
        take_limits(limits, top + below, version);
        below.resize(below.rfind('/'));
    }
    take_limits(limits, top, version);
}

template <class Resource>
double limit_of(Resource resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return MemoryLimits::none;
    return static_cast<double>(limit.rlim_cur);
}

} // namespace

MemoryLimits memory_limits_here(const std::string &sysfs_root, const std::string &procfs_root) {
    MemoryLimits limits;
    const auto pages = static_cast<double>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
    limits.node_B = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    for (const Version &version : versions)
        take_limits(limits, version, sysfs_root, procfs_root);
    limits.process_B = std::min(limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
    return limits;
}

std::size_t default_memory_bound_B(const MemoryLimits &limits, std::size_t on_node, std::size_t in_group) {
    constexpr double MiB = 1048576.0;
    const auto each = [](double bytes, std::size_t processes) {
        return bytes / static_cast<double>(std::max<std::size_t>(processes, 1));
    };
    const double mine = std::min({each(limits.node_B, on_node), each(limits.group_B, in_group), limits.process_B});
    return static_cast<std::size_t>(std::clamp(0.05 * mine, MiB, 512.0 * MiB));
}

} // namespace cpl_lb
