// What a region costs: nanoseconds for a begin/end pair through the public interface, against its floor in the same
// process: two clock reads, and with counters two bare reads of as many events of the kernel.
//   region_cost [EVENTS [annotated]]     events as in cn_counters, '' or none: time and calls only; annotated: the
//                                        region has an expression, so its control flow is kept
// Prints one line; never fails on a figure, because machines are noisy.
#include "meters/event_names.hpp"
#include "meters/reader.hpp"
#include "stopwatch.hpp"
#include "support/clock.hpp"

#include <algorithm>
#include <array>
#include <cpl_lb/cpl_lb.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace cpl_lb::bench;
constexpr int rounds = 9;
constexpr long pairs = 20'000;

template <class Call>
double cost_ns(Call call) {
    const double start = now_ns();
    for (long i = 0; i < pairs; ++i)
        call();
    return (now_ns() - start) / static_cast<double>(pairs);
}

// A group of as many software events, read as one: what the kernel asks for, whoever reads them.
int open_group(std::size_t events) {
    constexpr std::array<std::uint64_t, 4> software = {1, 2, 3, 4}; // task clock, page faults, switches, migrations
    int leader = -1;
    for (std::size_t i = 0; i < std::min(events, software.size()); ++i) {
        cpl_lb::PerfEventRequest request;
        request.type = 1;
        request.config = software[i];
        request.exclude_kernel = true;
        request.group = leader;
        const int file = cpl_lb::system_perf_event_open(request);
        if (leader < 0) leader = file;
    }
    return leader;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const std::string events = argc > 1 ? argv[1] : "";
    const std::size_t count = cpl_lb::split_event_names(events).size();
    setenv("CPL_LB_ENABLED", "1", 1);
    setenv("CPL_LB_TIMELINE", "0", 1);
    setenv("CPL_LB_REPORT", "0", 1);
    setenv("CPL_LB_PRINT", "0", 1);
    setenv("CPL_LB_COUNTERS", events.c_str(), 1);
    cpl_lb_init(MPI_COMM_WORLD, "bench");
    const int region = cpl_lb_region("region");
    if (argc > 2) cpl_lb_assert_expression(region, "flops", "1");
    const cpl_lb::ClockSource clock = cpl_lb::choose_clock(std::getenv("CPL_LB_CLOCK"));
    const int group = count > 0 ? open_group(count) : -1;
    std::array<std::uint64_t, 16> counts{};
    std::uint64_t sum = 0;
    std::vector<double> floors, costs, ratios;
    for (int round = 0; round < rounds; ++round) {
        floors.push_back(cost_ns([&] {
            for (int end = 0; end < 2; ++end) {
                sum += cpl_lb::read_ticks(clock);
                if (group >= 0) sum += static_cast<std::uint64_t>(read(group, counts.data(), sizeof counts));
            }
        }));
        costs.push_back(cost_ns([&] {
            cpl_lb_region_begin(region);
            cpl_lb_region_end(region);
        }));
        ratios.push_back(costs.back() / floors.back());
    }
    std::printf("region with %zu counters %.0f ns, floor (two clock reads%s) %.0f ns, ratio %.2f (medians of %d)%s\n",
                count, median(costs), group >= 0 ? ", two bare reads of them" : "", median(floors), median(ratios),
                rounds, sum == 1 ? " " : "");
    if (group >= 0) close(group);
    cpl_lb_terminate(0);
    MPI_Finalize();
    return 0;
}
