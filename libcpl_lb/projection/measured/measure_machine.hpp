// Measures this machine; docs/machines.md says how and why.
#pragma once

#include "meters/meters_report.hpp"
#include "projection/machine/machine.hpp"
#include "projection/measured/kernels.hpp"
#include "projection/measured/thread_team.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

// The data caches of the first CPU, from sysfs.
struct CacheSize {
    std::string level; // "L1", "L2", "L3"
    double size_B = 0; // of one cache
    int shared_by = 1; // CPUs of this node that share one
};

// Nearest first; empty if sysfs does not say.
[[nodiscard]] std::vector<CacheSize> data_caches(const std::string &sysfs_root);
// MemAvailable of /proc/meminfo [B]; NaN: not known.
[[nodiscard]] double available_memory_B(const std::string &procfs_root);

struct MeasuringOptions {
    ReaderOptions readers = reader_options_of_environment();
    bool quick = false;   // short and less exact: small sets instead of four times the last cache
    std::string mpirun;   // starts the ping-pong of two processes; empty: not measured
    std::string pingpong; // path of cpl-lb-pingpong; empty: not built here
    std::function<void(const std::string &)> progress; // what comes next, in words
};

// Those that this processor can run: scalar first, widest last.
[[nodiscard]] std::vector<const KernelSet *> kernels_here();

// What all measurements share.
struct MeasuringPlan {
    const MeasuringOptions &options;
    std::vector<int> cores;                 // CPU numbers, one for each core
    std::vector<std::size_t> thread_counts; // 1, 2, 4, ... all cores
    std::vector<CacheSize> caches;
    std::vector<const KernelSet *> kernels;
    TeamBudget budget;

    [[nodiscard]] const KernelSet &widest() const { return *kernels.back(); }
    [[nodiscard]] std::vector<int> cores_for(std::size_t threads) const {
        return {cores.begin(), cores.begin() + static_cast<std::ptrdiff_t>(threads)};
    }
};

// Doubles for each thread (a multiple of kernel_block) such that all its arrays together lie in this level and not in
// the nearer one; 0: there is no such level here.
struct LevelSet {
    std::string level;
    std::size_t doubles = 0;
};
[[nodiscard]] std::vector<LevelSet> level_sets(const MeasuringPlan &plan, std::size_t threads, Machine &machine);

[[nodiscard]] Machine measure_machine(const MeasuringOptions &options);

// From what cpl-lb-pingpong prints: "hosts A B", then "message BYTES SECONDS" from short to long, one way.
[[nodiscard]] NetworkLink network_from(const std::string &pingpong_output);

// The parts of the measurement; each adds its figures to the machine.
void measure_flops(const MeasuringPlan &plan, Machine &machine);
void measure_memory(const MeasuringPlan &plan, Machine &machine);
void measure_latency(const MeasuringPlan &plan, Machine &machine);
void measure_locality(const MeasuringPlan &plan, Machine &machine);
void measure_network(const MeasuringPlan &plan, Machine &machine);
void measure_power(const MeasuringPlan &plan, Machine &machine);

// Arrays of one thread, one behind the other, 17 cache lines apart: with equal low bits of their addresses, loads
// would wait for stores of the other array.
class ThreadArrays {
public:
    ThreadArrays(std::size_t arrays, std::size_t doubles);
    [[nodiscard]] double *array(std::size_t i) const { return first_ + i * step_; }
    [[nodiscard]] std::size_t doubles() const { return doubles_; }
    void fill() const; // touches all: the memory then lies near the thread that did

private:
    struct Free {
        void operator()(double *p) const;
    };
    std::size_t arrays_, doubles_, step_;
    std::unique_ptr<double, Free> memory_;
    double *first_;
};

// Random order of all cache lines in one cycle: line i leads to line next[i].
[[nodiscard]] std::vector<std::uint32_t> one_cycle(std::size_t lines);

} // namespace cpl_lb
