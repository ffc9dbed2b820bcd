// What a command costs, beside the plain read of the file that it reads: for benchmarks.
#pragma once

#include "stopwatch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <netcdf.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace cpl_lb::bench {

// Seconds of read(2) of the whole file.
inline double plain_read(const std::string &path) {
    const double begin = now();
    std::vector<char> buffer(std::size_t{1} << 20U);
    const int file = ::open(path.c_str(), O_RDONLY);
    while (::read(file, buffer.data(), buffer.size()) > 0) {
    }
    ::close(file);
    return now() - begin;
}

// Seconds of nc_get_vara_double of all times, one row after the other.
inline double netcdf_read(const std::string &path, std::int64_t processes, std::int64_t events) {
    const double begin = now();
    int file = -1;
    if (nc_open(path.c_str(), NC_NOWRITE, &file) != NC_NOERR) return -1;
    std::vector<double> row(static_cast<std::size_t>(events));
    for (const char *name : {"timer_strt", "timer_stop"}) {
        int variable = -1;
        nc_inq_varid(file, name, &variable);
        for (std::int64_t p = 0; p < processes; ++p) {
            const std::array<std::size_t, 2> first = {static_cast<std::size_t>(p), 0};
            const std::array<std::size_t, 2> count = {1, row.size()};
            nc_get_vara_double(file, variable, first.data(), count.data(), row.data());
        }
    }
    nc_close(file);
    return now() - begin;
}

struct CommandCost {
    double seconds, cpu_s; // cpu_s: of all its threads
    double peak_MiB;       // the high-water mark of the process
    bool good;
};

// `cpl-lb WHAT FOLDER`, its output to nowhere.
inline CommandCost cost_of(const char *command, const char *what, const std::string &folder) {
    const double begin = now();
    const pid_t child = ::fork();
    if (child == 0) {
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDOUT_FILENO);
        ::execl(command, command, what, folder.c_str(), static_cast<char *>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    const auto seconds = [](const timeval &t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return {now() - begin, seconds(used.ru_utime) + seconds(used.ru_stime),
            static_cast<double>(used.ru_maxrss) / 1024.0, WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

} // namespace cpl_lb::bench
