// Loops of known work, predicted from a machine's file and then timed:
//   cpl-lb machine -o here.toml && kernels_prediction here.toml
// Each prediction is printed before its loop runs. --quick: small sets and no exact times, to see that it works.
// The loops are written as a model's are, and the compiler does what it does; dgemm is a library's.
#include "projection/machine/machine_file.hpp"
#include "projection/measured/measure_machine.hpp"
#include "projection/roofline/roofline.hpp"

#include <cblas.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace {

using namespace cpl_lb;

struct Kernel {
    RegionWork work;
    const char *access; // which bandwidth its loads and stores are like
    double seconds;     // measured
};

bool quick = false;

TeamBudget budget() {
    return quick ? TeamBudget{0.005, 2e-4} : TeamBudget{1.0, 5e-3};
}

double predict(const Machine &machine, const RegionWork &work, const char *access, int threads) {
    RooflineSetting setting;
    setting.at.threads = threads;
    bool has_access = false;
    for (const LevelBandwidth &row : machine.bandwidths)
        has_access = has_access || row.access == access;
    if (has_access) setting.access = access;
    const RooflineRow row = roofline_of(machine, setting, {work}).rows.at(0);
    std::printf("%-18s %2d thread%s W %9.3e flop, W/Q %6.3g flop/B: predicted %9.3e s (%s)", work.name.c_str(),
                threads, threads == 1 ? " " : "s", work.flops, row.intensity, row.least_s, row.limit.c_str());
    std::fflush(stdout);
    return row.least_s;
}

void compare(double predicted_s, double measured_s) {
    std::printf(", measured %9.3e s, error %+6.1f %%\n", measured_s, 100 * (measured_s - predicted_s) / measured_s);
}

RegionWork work_of(const char *name, double flops, std::vector<LevelTraffic> traffic) {
    RegionWork work;
    work.name = name;
    work.flops = flops;
    work.by_level = std::move(traffic);
    return work;
}

__attribute__((noinline)) void triad(double *a, const double *b, const double *c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        a[i] = b[i] + 3.0 * c[i];
}

// Mean of the four neighbours, on rows of m points.
__attribute__((noinline)) void stencil(double *to, const double *from, std::size_t rows, std::size_t m) {
    for (std::size_t j = 1; j + 1 < rows; ++j) {
        const double *const here = from + j * m;
        double *const out = to + j * m;
        for (std::size_t i = 1; i + 1 < m; ++i)
            out[i] = 0.25 * (here[i - 1] + here[i + 1] + here[i - m] + here[i + m]);
    }
}

// n elements for each thread; 2 operations; 3 words through L1, 4 beyond, because a store first reads its line.
void run_triad(const Machine &machine, const std::vector<int> &cores, const char *level, std::size_t n) {
    const auto all = static_cast<double>(n * cores.size());
    std::vector<LevelTraffic> traffic = {{"L1", 24 * all}};
    traffic.push_back({level, 32 * all});
    const std::string name = std::string("triad in ") + level;
    const double predicted =
        predict(machine, work_of(name.c_str(), 2 * all, traffic), "triad", static_cast<int>(cores.size()));
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < cores.size(); ++i)
        arrays.emplace_back(3, n);
    const TeamWork work{[&](std::size_t t) { arrays[t].fill(); },
                        [&](std::size_t t, std::size_t passes) {
                            for (std::size_t p = 0; p < passes; ++p)
                                triad(arrays[t].array(0), arrays[t].array(1), arrays[t].array(2), n);
                            return arrays[t].array(0)[0];
                        }};
    compare(predicted, best_pass_s(cores, work, budget()));
}

// 4 operations for a point; 5 words through L1; beyond it one is read, and one written after its line was read,
// because three rows stay in the nearer caches. As a copy.
void run_stencil(const Machine &machine, const std::vector<int> &cores, const char *level, std::size_t rows,
                 std::size_t m) {
    const auto points = static_cast<double>((rows - 2) * (m - 2) * cores.size());
    const std::string name = std::string("stencil in ") + level;
    const double predicted =
        predict(machine, work_of(name.c_str(), 4 * points, {{"L1", 40 * points}, {level, 24 * points}}), "copy",
                static_cast<int>(cores.size()));
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < cores.size(); ++i)
        arrays.emplace_back(2, rows * m);
    const TeamWork work{[&](std::size_t t) { arrays[t].fill(); },
                        [&](std::size_t t, std::size_t passes) {
                            for (std::size_t p = 0; p < passes; ++p)
                                stencil(arrays[t].array(0), arrays[t].array(1), rows, m);
                            return arrays[t].array(0)[m + 1];
                        }};
    compare(predicted, best_pass_s(cores, work, budget()));
}

// Each thread its own product: 2 n^3 operations; three matrices are read and one is written.
void run_dgemm(const Machine &machine, const std::vector<int> &cores, std::size_t n) {
    const auto elements = static_cast<double>(n * n * cores.size());
    const double flops = 2 * static_cast<double>(n) * elements;
    const double predicted =
        predict(machine, work_of("dgemm", flops, {{"DRAM", 32 * elements}}), "load", static_cast<int>(cores.size()));
    openblas_set_num_threads(1);
    std::vector<ThreadArrays> arrays;
    for (std::size_t i = 0; i < cores.size(); ++i)
        arrays.emplace_back(3, n * n);
    const int order = static_cast<int>(n);
    const TeamWork work{[&](std::size_t t) { arrays[t].fill(); },
                        [&](std::size_t t, std::size_t passes) {
                            for (std::size_t p = 0; p < passes; ++p) {
                                cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1.0,
                                            arrays[t].array(0), order, arrays[t].array(1), order, 0.0,
                                            arrays[t].array(2), order);
                            }
                            return arrays[t].array(2)[0];
                        }};
    compare(predicted, best_pass_s(cores, work, budget()));
}

void run_all(const Machine &machine, const std::vector<int> &cores) {
    run_triad(machine, cores, "L2", 12'800);                           // 300 KiB
    run_triad(machine, cores, "DRAM", quick ? 1'000'000 : 20'000'000); // 480 MB
    run_stencil(machine, cores, "L2", 130, 130);                       // 264 KiB
    run_stencil(machine, cores, "DRAM", quick ? 1000 : 8000, 4000);    // 512 MB
    run_dgemm(machine, cores, quick ? 200 : 4000);
}

} // namespace

int main(int argc, char **argv) {
    quick = argc > 2 && std::strcmp(argv[2], "--quick") == 0;
    if (argc < 2) {
        std::fprintf(stderr, "usage: kernels_prediction MACHINE [--quick]\n");
        return 2;
    }
    try {
        const Machine machine = load_machine(argv[1]);
        const std::vector<int> all = usable_cores("/sys");
        std::printf("%s\n", machine.name.c_str());
        run_all(machine, {all.front()});
        if (all.size() > 1 && !quick) run_all(machine, all);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "kernels_prediction: %s\n", error.what());
        return 1;
    }
    return 0;
}
