// What it costs to ask for the balance while the model runs, with all processes of the job in two components:
// cpl_lb_balance_here after a step of 30 exchanges, against recording these 30 exchanges; cpl_lb_balance_now, against
// an MPI_Reduce and an MPI_Bcast of as many bytes. All in the same run, medians; prints one line each.
#include "stopwatch.hpp"

#include <cpl_lb/cpl_lb.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace cpl_lb::bench;
constexpr int fields = 15, rounds = 2001;

// Between two steps the model computes; here it fills its time without giving up the processor.
void step() {
    for (int field = 1; field <= fields; ++field) {
        for (const int kind : {CPL_LB_PUT, CPL_LB_GET}) {
            cpl_lb_begin(kind, field);
            cpl_lb_end(kind, field);
        }
    }
}
void compute() {
    for (const double end = now_ns() + 20'000; now_ns() < end;) {
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    setenv("CPL_LB_ENABLED", "1", 1);
    setenv("CPL_LB_TIMELINE", "0", 1);
    setenv("CPL_LB_PRINT", "0", 1);
    cpl_lb_init(MPI_COMM_WORLD, rank % 2 == 0 ? "ocean" : "atmosphere");
    for (int f = 0; f < fields; ++f)
        cpl_lb_field(("field " + std::to_string(f)).c_str(), rank % 2 == 0 ? "atmosphere" : "ocean");
    std::vector<double> recorded, here, now, bare, again;
    int steps = 0;
    for (int round = 0; round < rounds; ++round) {
        double begin = now_ns();
        step();
        recorded.push_back(now_ns() - begin);
        compute();
        begin = now_ns();
        steps = cpl_lb_balance_here(10, nullptr, nullptr, nullptr, nullptr);
        here.push_back(now_ns() - begin);
        begin = now_ns();
        cpl_lb_balance_here(10, nullptr, nullptr, nullptr, nullptr); // nothing new: what a call takes in any case
        again.push_back(now_ns() - begin);
    }
    cpl_lb_balance components[2];
    double all[2 * sizeof(cpl_lb_balance) / sizeof(double)] = {}, sum[2 * sizeof(cpl_lb_balance) / sizeof(double)];
    constexpr int count = sizeof all / sizeof *all;
    for (int round = 0; round < rounds; ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = now_ns();
        MPI_Reduce(all, sum, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(sum, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        bare.push_back(now_ns() - begin);
        step();
        MPI_Barrier(MPI_COMM_WORLD);
        begin = now_ns();
        cpl_lb_balance_now(MPI_COMM_WORLD, 10, 2, components, nullptr);
        now.push_back(now_ns() - begin);
    }
    if (rank == 0) {
        std::printf(
            "cpl_lb_balance_here(10) after %d exchanges: %.2f us, of which %.2f us with none; to record them: %.2f "
            "us, ratio %.2f (%d steps)\n",
            2 * fields, median(here) / 1e3, median(again) / 1e3, median(recorded) / 1e3,
            median(here) / median(recorded), steps);
        std::printf(
            "cpl_lb_balance_now on %d processes: %.1f us; MPI_Reduce and MPI_Bcast of %zu bytes: %.1f us, ratio "
            "%.2f\n",
            ranks, median(now) / 1e3, sizeof all, median(bare) / 1e3, median(now) / median(bare));
    }
    cpl_lb_terminate(0);
    MPI_Finalize();
    return 0;
}
