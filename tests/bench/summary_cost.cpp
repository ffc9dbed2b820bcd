// What `cpl-lb summary` costs on a large timeline, against reading the same bytes: one component of PROCESSES x
// EVENTS (512 x 140,000 is the largest case of TR/CMGC/20/176), written by our own writer. The first figure is the
// command's (time and high-water mark of the process), then read(2) of the whole file and nc_get_vara_double of its
// two variables, all from the page cache. Usage: summary_cost CPL_LB_COMMAND [PROCESSES EVENTS]
#include "io/timeline_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <netcdf.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

using cpl_lb::Nanoseconds;

double now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// PUT and GET in turn, one second apart; every process a little later than the one before it.
void write_timeline(const std::string &path, std::int64_t processes, std::int64_t events) {
    cpl_lb::TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean", "atmosphere"};
    header.field_names = {"sst", "heat"};
    header.run_id = "summary_cost";
    header.simulated_s = 86400;
    header.first_init = 0;
    header.last_terminate = (events + 1) * 1'000'000'000;
    header.processes = processes;
    for (std::int64_t k = 0; k < events; ++k) {
        const bool get = k % 2 == 1;
        header.keys.push_back({get ? cpl_lb::Kind::get : cpl_lb::Kind::put, get ? 2 : 1, 2, cpl_lb::no_date, k / 2});
    }
    cpl_lb::TimelineWriter writer(path, header, false);
    std::vector<Nanoseconds> start(static_cast<std::size_t>(events));
    std::vector<Nanoseconds> stop(start.size());
    for (std::int64_t p = 0; p < processes; ++p) {
        for (std::int64_t k = 0; k < events; ++k) {
            start[static_cast<std::size_t>(k)] = k * 1'000'000'000 + p * 100'003 + k % 7 * 1'000'001;
            stop[static_cast<std::size_t>(k)] = start[static_cast<std::size_t>(k)] + 250'000'019;
        }
        writer.write_rows(p, 1, start, stop);
    }
    writer.close();
}

double plain_read(const std::string &path) {
    const double begin = now();
    std::vector<char> buffer(std::size_t{1} << 20U);
    const int file = ::open(path.c_str(), O_RDONLY);
    while (::read(file, buffer.data(), buffer.size()) > 0) {
    }
    ::close(file);
    return now() - begin;
}

double netcdf_read(const std::string &path, std::int64_t processes, std::int64_t events) {
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

struct Cost {
    double seconds, peak_MiB;
    bool good;
};

Cost summary(const char *command, const std::string &folder) {
    const double begin = now();
    const pid_t child = ::fork();
    if (child == 0) {
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDOUT_FILENO);
        ::execl(command, command, "summary", folder.c_str(), static_cast<char *>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    return {now() - begin, static_cast<double>(used.ru_maxrss) / 1024.0,
            WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4) {
        std::fprintf(stderr, "usage: summary_cost CPL_LB_COMMAND [PROCESSES EVENTS]\n");
        return 2;
    }
    const std::int64_t processes = argc > 2 ? std::atol(argv[2]) : 512;
    const std::int64_t events = argc > 3 ? std::atol(argv[3]) : 140'000;
    std::string folder = (std::filesystem::temp_directory_path() / "cpl_lb_summary_cost_XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return 1;
    const std::string path = folder + "/timeline_ocean.nc";
    write_timeline(path, processes, events);
    plain_read(path); // into the page cache
    int failures = 0;
    for (int i = 0; i < 3; ++i) {
        const Cost cost = summary(argv[1], folder);
        const double bytes = plain_read(path);
        const double netcdf = netcdf_read(path, processes, events);
        failures += cost.good ? 0 : 1;
        std::printf("summary %.2f s, %.0f MiB; read %.2f s: %.1f times; nc_get_vara %.2f s: %.1f times\n",
                    cost.seconds, cost.peak_MiB, bytes, cost.seconds / bytes, netcdf, cost.seconds / netcdf);
    }
    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
