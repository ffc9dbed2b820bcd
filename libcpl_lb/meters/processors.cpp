// Counts of the kernel: getrusage, sysconf and /proc/self/task.
#include "meters/processors.hpp"
#include "data/time.hpp"
#include "meters/small_file.hpp"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <limits>
#include <memory>
#include <sched.h>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

struct CloseThreads {
    void operator()(DIR *list) const noexcept { closedir(list); }
};

} // namespace

std::int64_t involuntary_switches() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : -1;
}

std::int64_t processors_of_node() {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? processors : 0;
}

// "ran ready slices": nanoseconds run, nanoseconds ready without a processor, time slices.
double no_processor_s(std::string_view schedstat) noexcept {
    const auto second = schedstat.find(' ');
    if (second == std::string_view::npos) return unknown;
    const auto ran = parse_number(schedstat), ready = parse_number(schedstat.substr(second));
    if (!ran || !ready || *ran == 0) return unknown;
    return 1e-9 * static_cast<double>(*ready);
}

ThreadSeconds no_processor_of_threads(const std::string &procfs_root) {
    ThreadSeconds all;
    const std::string folder = procfs_root + "/self/task";
    // std::filesystem ends the process where memory runs out.
    const std::unique_ptr<DIR, CloseThreads> list(opendir(folder.c_str()));
    if (!list) return all;
    while (const dirent *thread = readdir(list.get())) {
        if (thread->d_name[0] == '.') continue;
        const auto text = read_text(folder + "/" + thread->d_name + "/schedstat");
        const double seconds = text ? no_processor_s(*text) : unknown;
        if (is_known(seconds)) all.emplace(thread->d_name, seconds);
    }
    return all;
}

double growth_of(const ThreadSeconds &first, const ThreadSeconds &last) {
    if (first.empty() || last.empty()) return unknown;
    double sum = 0;
    for (const auto &[thread, seconds] : last) {
        const auto before = first.find(thread);
        sum += before == first.end() ? seconds : std::max(0.0, seconds - before->second);
    }
    return sum;
}

namespace {

std::string processor_folder(const std::string &sysfs_root, int processor) {
    return sysfs_root + "/devices/system/cpu/cpu" + std::to_string(processor);
}

} // namespace

std::vector<int> processors_in(const std::string &list) {
    constexpr int most_processors = 1 << 20;
    std::vector<int> processors;
    const char *at = list.data();
    const char *const end = at + list.size();
    while (at != end) {
        int first = 0;
        auto [next, error] = std::from_chars(at, end, first);
        if (error != std::errc()) return {};
        int last = first;
        if (next != end && *next == '-') {
            const auto range = std::from_chars(next + 1, end, last);
            if (range.ec != std::errc() || last < first) return {};
            next = range.ptr;
        }
        if (first < 0 || last >= most_processors) return {};
        for (int processor = first; processor <= last; ++processor)
            processors.push_back(processor);
        if (next == end) break;
        if (*next != ',') return {};
        at = next + 1;
    }
    return processors;
}

namespace {

// How many processors there are in a list of the kernel; 0 if it is no list.
std::int32_t count_of(const std::string &list) {
    return static_cast<std::int32_t>(processors_in(list).size());
}

// Hardware threads of one core count once.
std::int32_t cores_among(const std::vector<int> &processors, const std::string &sysfs_root) {
    std::set<std::string> cores;
    for (const int processor : processors) {
        const auto siblings = read_text(processor_folder(sysfs_root, processor) + "/topology/thread_siblings_list");
        cores.insert(siblings ? *siblings : std::to_string(processor));
    }
    return static_cast<std::int32_t>(cores.size());
}

// Processors on which this process may run, ascending; none: not known.
std::vector<int> allowed_processors() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    std::vector<int> allowed;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return allowed;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(static_cast<std::size_t>(processor), &mask)) allowed.push_back(processor);
    return allowed;
}

// Processors of the job on this node: those of the control group that holds this process, else all that work.
std::vector<int> processors_of_job(const std::string &sysfs_root, const std::string &procfs_root) {
    // "0::/system.slice/job_7": version 2 of the control groups.
    std::string group = read_text(procfs_root + "/self/cgroup").value_or("");
    const std::size_t at = group.rfind("0::");
    group = at == std::string::npos ? "" : group.substr(at + 3);
    std::vector<int> processors;
    if (!group.empty())
        processors =
            processors_in(read_text(sysfs_root + "/fs/cgroup" + group + "/cpuset.cpus.effective").value_or(""));
    if (processors.empty())
        processors = processors_in(read_text(sysfs_root + "/devices/system/cpu/online").value_or(""));
    return processors;
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
    bound.cores = cores_among(allowed, sysfs_root);
    bound.processors = list;
    bound.whole_part = is_whole_part(list, allowed.front(), sysfs_root);
    return bound;
}

BoundCores bound_cores_here(const std::string &sysfs_root) {
    return bound_cores(allowed_processors(), sysfs_root);
}

std::int32_t cores_of_node(const std::string &sysfs_root, const std::string &procfs_root) {
    return cores_among(processors_of_job(sysfs_root, procfs_root), sysfs_root);
}

std::int32_t threads_of_core(const std::string &sysfs_root) {
    const auto siblings = read_text(processor_folder(sysfs_root, 0) + "/topology/thread_siblings_list");
    return siblings ? std::max(count_of(*siblings), 1) : 1;
}

} // namespace cpl_lb
