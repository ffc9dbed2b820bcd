// What `cpl-lb summary` costs on a large timeline, against reading the same bytes: one component of PROCESSES x
// EVENTS (512 x 140,000 is the largest case of TR/CMGC/20/176), written by our own writer; once with PUT and GET of
// all processes alone, once with operations of the coupler (MAP inside PUT and GET, OUT) and a PUT of every second
// process. The first figure is the command's (time and high-water mark of the process), then read(2) of the whole
// file and nc_get_vara_double of its two variables, all from the page cache. Usage: summary_cost CPL_LB_COMMAND
// [PROCESSES EVENTS]
#include "command_cost.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using cpl_lb::Nanoseconds;
using namespace cpl_lb::bench;

// What happens in each coupling step, and when [ms].
struct Planned {
    cpl_lb::Kind kind;
    std::int32_t field;
    Nanoseconds start_ms, stop_ms;
    bool of_every_process;
};
using Plan = std::vector<Planned>;
constexpr Nanoseconds step_ms = 6000;

Plan exchanges_only() {
    return {{cpl_lb::Kind::put, 1, 0, 250, true}, {cpl_lb::Kind::get, 2, 1000, 1250, true}};
}
Plan with_operations() {
    using cpl_lb::Kind;
    return {{Kind::put, 1, 0, 400, true},     {Kind::map, 1, 100, 300, true},   // one inside the other
            {Kind::get, 2, 1000, 1900, true}, {Kind::map, 2, 1200, 1500, true}, // here, too
            {Kind::out, 3, 2500, 2700, true}, {Kind::put, 3, 3000, 3200, false}};
}

// Every process a little later than the one before it.
void write_timeline(const std::string &path, const Plan &plan, std::int64_t processes, std::int64_t events) {
    const auto planned = [&](std::int64_t k) { return plan[static_cast<std::size_t>(k) % plan.size()]; };
    const auto in_step = static_cast<std::int64_t>(plan.size());
    cpl_lb::TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean", "atmosphere"};
    header.field_names = {"sst", "heat", "ice"};
    header.run_id = "summary_cost";
    header.simulated_s = 86400;
    header.first_init = 0;
    header.last_terminate = (events / in_step + 1) * step_ms * 1'000'000;
    header.processes = processes;
    for (std::int64_t k = 0; k < events; ++k)
        header.keys.push_back({planned(k).kind, planned(k).field, 2, cpl_lb::no_date, k / in_step});
    cpl_lb::TimelineWriter writer(path, header, false);
    std::vector<Nanoseconds> start(static_cast<std::size_t>(events));
    std::vector<Nanoseconds> stop(start.size());
    for (std::int64_t p = 0; p < processes; ++p) {
        for (std::int64_t k = 0; k < events; ++k) {
            const Planned event = planned(k);
            const Nanoseconds step = k / in_step * step_ms;
            const Nanoseconds later = p * 100'003 + k % 7 * 1'000'001;
            const bool there = event.of_every_process || p % 2 == 0;
            const auto i = static_cast<std::size_t>(k);
            start[i] = there ? (step + event.start_ms) * 1'000'000 + later : cpl_lb::absent;
            stop[i] = there ? (step + event.stop_ms) * 1'000'000 + later : cpl_lb::absent;
        }
        writer.write_rows(p, 1, start, stop);
    }
    writer.close();
}

// False: the command failed.
bool measure(const char *command, const char *what, const Plan &plan, std::int64_t processes, std::int64_t events) {
    std::string folder = (std::filesystem::temp_directory_path() / "cpl_lb_summary_cost_XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return false;
    const std::string path = folder + "/timeline_ocean.nc";
    write_timeline(path, plan, processes, events);
    plain_read(path); // into the page cache
    bool good = true;
    for (int i = 0; i < 3; ++i) {
        const CommandCost cost = cost_of(command, "summary", folder);
        const double bytes = plain_read(path);
        const double netcdf = netcdf_read(path, processes, events);
        good = good && cost.good;
        std::printf("%s: summary %.2f s, %.0f MiB; read %.2f s: %.1f times; nc_get_vara %.2f s: %.1f times\n", what,
                    cost.seconds, cost.peak_MiB, bytes, cost.seconds / bytes, netcdf, cost.seconds / netcdf);
    }
    std::filesystem::remove_all(folder);
    return good;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4) {
        std::fprintf(stderr, "usage: summary_cost CPL_LB_COMMAND [PROCESSES EVENTS]\n");
        return 2;
    }
    const std::int64_t processes = argc > 2 ? std::atol(argv[2]) : 512;
    const std::int64_t events = argc > 3 ? std::atol(argv[3]) : 140'000;
    const bool good = measure(argv[1], "exchanges only", exchanges_only(), processes, events) &&
                      measure(argv[1], "with operations", with_operations(), processes, events);
    return good ? 0 : 1;
}
