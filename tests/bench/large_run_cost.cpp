// What `cpl-lb summary`, `report` and `predict` cost on a run of very many processes, against reading its times with
// nc_get_vara_double, one row after the other, from the page cache. Two components share the processes, 3 to 2; the
// nodes of each differ in speed. Usage: large_run_cost CPL_LB_COMMAND FOLDER [PROCESSES EVENTS [REPEATS]]. Without
// REPEATS once; with 0 the files are only written. The folder stays, with the page in it.
#include "command_cost.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "page/page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace cpl_lb;
using namespace cpl_lb::bench;

constexpr Nanoseconds ms = 1'000'000;
constexpr Nanoseconds step = 4000 * ms;
constexpr std::int64_t events_of_step = 4; // PUT, GET, MAP inside it, OUT

// From 0 to `below`, the same for the same numbers.
Nanoseconds scattered(std::uint64_t process, std::uint64_t k, Nanoseconds below) {
    std::uint64_t x = process * 0x9e3779b97f4a7c15U + k * 0xd1b54a32d192ed03U;
    x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
    return static_cast<Nanoseconds>((x ^ x >> 31U) % static_cast<std::uint64_t>(below));
}

struct Half {
    const char *name;
    std::int64_t processes;
    Nanoseconds computing, slower; // of each step; more of it on some nodes
};

// The four events of a step of one process; those of the ocean wait for the atmosphere.
void enter_step(const Half &half, std::int64_t p, std::int64_t k, Row &row) {
    const Nanoseconds begin = k * step;
    const auto at = static_cast<std::size_t>(k * events_of_step);
    const std::int64_t node = p / 128;
    const Nanoseconds computing = half.computing + (node % 7 == 3 ? half.slower : 0) +
                                  scattered(static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(k), 200 * ms);
    const Nanoseconds told = begin + computing;
    const Nanoseconds received = begin + 3600 * ms + scattered(static_cast<std::uint64_t>(p + 7), 1, 20 * ms);
    const auto enter = [&](std::size_t i, Nanoseconds start, Nanoseconds stop) {
        if (at + i >= row.start.size()) return;
        row.start[at + i] = start;
        row.stop[at + i] = stop;
    };
    enter(0, told, told + 10 * ms);
    enter(1, told + 11 * ms, received);
    enter(2, received - 50 * ms, received);
    enter(3, received + ms, received + 200 * ms);
}

std::string write_half(const std::string &folder, const std::array<Half, 2> &halves, std::size_t which,
                       std::int64_t events) {
    const Half &half = halves[which];
    TimelineHeader header;
    header.component_name = half.name;
    header.component_id = static_cast<std::int32_t>(which + 1);
    header.component_names = {halves[0].name, halves[1].name};
    header.field_names = {"sst", "heat"};
    header.run_id = "large run";
    header.simulated_s = 86400;
    header.first_init = 0;
    header.last_terminate = (events / events_of_step + 1) * step;
    header.processes = half.processes;
    for (std::int64_t p = 0; p < half.processes; ++p)
        header.ranks.push_back(static_cast<std::int32_t>(p + (which > 0 ? halves[0].processes : 0)));
    const auto own = static_cast<std::int32_t>(which + 1);
    const std::int32_t other = 3 - own;
    for (std::int64_t k = 0; k < events; ++k) {
        const std::array<EventClass, 4> classes = {EventClass{Kind::put, own, other},
                                                   EventClass{Kind::get, other, other},
                                                   EventClass{Kind::map, other, 0}, EventClass{Kind::out, own, 0}};
        const EventClass &what = classes[static_cast<std::size_t>(k % events_of_step)];
        header.keys.push_back({what.kind, what.field, what.counterpart, 3600 * (k / events_of_step), 0});
    }
    std::string path = path_in(folder, timeline_file_name(half.name));
    TimelineWriter writer(path, header, false);
    Row row{std::vector<Nanoseconds>(static_cast<std::size_t>(events)),
            std::vector<Nanoseconds>(static_cast<std::size_t>(events)),
            {}};
    for (std::int64_t p = 0; p < half.processes; ++p) {
        for (std::int64_t k = 0; k * events_of_step < events; ++k)
            enter_step(half, p, k, row);
        writer.write_rows(p, 1, row.start, row.stop);
    }
    writer.close();
    return path;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5 && argc != 6) {
        std::fprintf(stderr, "usage: large_run_cost CPL_LB_COMMAND FOLDER [PROCESSES EVENTS [REPEATS]]\n");
        return 2;
    }
    const std::string folder = argv[2];
    const std::int64_t processes = argc > 3 ? std::atol(argv[3]) : 20'480;
    const std::int64_t events = argc > 4 ? std::atol(argv[4]) : 10'000;
    const int repeats = argc > 5 ? std::atoi(argv[5]) : 1;
    create_directory(folder);
    const std::int64_t first = std::max<std::int64_t>(processes * 3 / 5, 1);
    const std::array<Half, 2> halves = {
        Half{"atmosphere", first, 3100 * ms, 200 * ms},
        Half{"ocean", std::max<std::int64_t>(processes - first, 1), 2000 * ms, 500 * ms}};
    std::array<std::string, 2> paths;
    for (std::size_t which = 0; which < 2; ++which)
        paths[which] = write_half(folder, halves, which, events);
    bool good = true;
    for (int i = 0; i < repeats; ++i) {
        for (const char *what : {"summary", "predict", "report"}) {
            double read = 0;
            const double cpu_begin = cpu_now();
            for (std::size_t which = 0; which < 2; ++which)
                read += netcdf_read(paths[which], halves[which].processes, events);
            const double read_cpu = cpu_now() - cpu_begin;
            const CommandCost cost = cost_of(argv[1], what, folder);
            good = good && cost.good;
            std::printf("%s: %.2f s, %.0f MiB; nc_get_vara %.2f s: %.1f times; processor time %.2f and %.2f s: %.1f "
                        "times\n",
                        what, cost.seconds, cost.peak_MiB, read, cost.seconds / read, cost.cpu_s, read_cpu,
                        cost.cpu_s / read_cpu);
        }
        std::error_code error;
        const auto size = std::filesystem::file_size(path_in(folder, page_file_name), error);
        std::printf("page: %.1f MB\n", static_cast<double>(error ? 0 : size) / 1e6);
    }
    return good ? 0 : 1;
}
