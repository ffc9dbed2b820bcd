// What an event costs: nanoseconds for a begin/end pair through the public interface, against its floor (two reads of
// the same clock and a 16-byte store) in the same process; a call while switched off; bytes for an event.
// Prints one line each; never fails on a figure, because machines are noisy.
#include "stopwatch.hpp"
#include "support/clock.hpp"

#include <cpl_lb/cpl_lb.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace cpl_lb::bench;
constexpr int fields = 30;
constexpr long pairs = 1'000'000;
constexpr int rounds = 9;

struct Stored {
    std::uint64_t start, stop;
};

double floor_ns(cpl_lb::ClockSource clock, std::vector<Stored> &store) {
    const double start = now_ns();
    for (Stored &pair : store) {
        pair.start = cpl_lb::read_ticks(clock);
        pair.stop = cpl_lb::read_ticks(clock);
        asm volatile("" ::: "memory"); // as a call between would
    }
    return (now_ns() - start) / static_cast<double>(store.size());
}

double pair_ns(long count) {
    const double start = now_ns();
    int field = 1;
    for (long i = 0; i < count; ++i) {
        cpl_lb_begin(CPL_LB_PUT, field);
        cpl_lb_end(CPL_LB_PUT, field);
        field = field == fields ? 1 : field + 1;
    }
    return (now_ns() - start) / static_cast<double>(count);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const bool on = argc > 1 && std::atoi(argv[1]) != 0;
    setenv("CPL_LB_ENABLED", on ? "1" : "0", 1);
    setenv("CPL_LB_TIMELINE", "0", 1);
    setenv("CPL_LB_PRINT", "0", 1);
    cpl_lb_init(MPI_COMM_WORLD, "bench");
    for (int f = 0; f < fields; ++f)
        cpl_lb_field(("field " + std::to_string(f)).c_str(), "other");
    const cpl_lb::ClockSource clock = cpl_lb::choose_clock(std::getenv("CPL_LB_CLOCK"));
    std::vector<Stored> store(pairs);
    static_cast<void>(floor_ns(clock, store)); // first touch of the pages
    std::vector<double> floors;
    std::vector<double> costs;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        floors.push_back(floor_ns(clock, store));
        costs.push_back(pair_ns(pairs));
        ratios.push_back(costs.back() / floors.back());
    }
    if (on) {
        std::printf("begin/end pair %.1f ns, floor (two clock reads and a 16-byte store) %.1f ns, ratio %.2f "
                    "(medians of %d)\n",
                    median(costs), median(floors), median(ratios), rounds);
    } else {
        std::printf("switched off: %.2f ns a call\n", median(costs) / 2.0);
    }
    cpl_lb_terminate(0);
    MPI_Finalize();
    return 0;
}
