// Clocks, memory and medians, for benchmarks.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace cpl_lb::bench {

inline double seconds_of(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
inline double now() {
    return seconds_of(CLOCK_MONOTONIC);
}
inline double now_ns() {
    return 1e9 * now();
}
// Processor time of this process, of all its threads. Other programs on the machine do not count.
inline double cpu_now() {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

// `part` of them are less.
inline double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size()))];
}
inline double median(const std::vector<double> &values) {
    return quantile(values, 0.5);
}

// A size of this process: "VmHWM:", the high-water mark, or "VmRSS:".
inline double status_MiB(const char *name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.rfind(name, 0) == 0) return std::strtod(line.c_str() + std::strlen(name), nullptr) / 1024.0;
    return 0;
}

} // namespace cpl_lb::bench
