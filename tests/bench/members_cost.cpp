// What `cpl-lb summary` and `report` cost on an ensemble of many members, against reading its times with
// nc_get_vara_double from the page cache. Usage: members_cost CPL_LB_COMMAND FOLDER [MEMBERS PROCESSES EVENTS]; three
// components for each member, 200 x 3 x 100 processes x 1,000 events without the last three. The folder stays.
#include "command_cost.hpp"
#include "page/page.hpp"
#include "tests/members_folder.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char **argv) {
    using namespace cpl_lb;
    using namespace cpl_lb::bench;
    if (argc != 3 && argc != 6) {
        std::fprintf(stderr, "usage: members_cost CPL_LB_COMMAND FOLDER [MEMBERS PROCESSES EVENTS]\n");
        return 2;
    }
    const std::string folder = argv[2];
    test::Ensemble e{200, 100, 1000, 7};
    if (argc == 6) e = {std::atol(argv[3]), std::atol(argv[4]), std::atol(argv[5]), 7};
    std::filesystem::create_directories(folder);
    const std::vector<std::string> paths = test::write_ensemble(folder, e);
    double read = 0;
    for (const std::string &path : paths)
        plain_read(path); // into the page cache
    const double before_s = cpu_now();
    for (const std::string &path : paths)
        read += netcdf_read(path, e.processes, e.events);
    const double read_cpu_s = cpu_now() - before_s;
    const CommandCost summary = cost_of(argv[1], "summary", folder);
    const CommandCost report = cost_of(argv[1], "report", folder);
    const auto size = std::filesystem::file_size(path_in(folder, page_file_name));
    std::printf("read %.2f s; summary %.2f s, %.1f times, %.0f MiB; report %.2f s, %.0f MiB, page %.1f MB\n", read,
                summary.seconds, summary.seconds / read, summary.peak_MiB, report.seconds, report.peak_MiB,
                1e-6 * static_cast<double>(size));
    std::printf("processor time: read %.2f s; summary %.2f s, %.1f times; report %.2f s\n", read_cpu_s, summary.cpu_s,
                summary.cpu_s / read_cpu_s, report.cpu_s);
    return summary.good && report.good ? 0 : 1;
}
