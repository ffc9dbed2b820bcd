// Counts of the kernel: getrusage, sysconf and /proc/self/task.
#include "meters/scheduling.hpp"

#include "data/time.hpp"
#include "meters/small_file.hpp"

#include <algorithm>
#include <dirent.h>
#include <memory>
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

} // namespace cpl_lb
