// The measurements of a run's meters, reduced over its processes and nodes. NaN, or no element: not measured here.
#pragma once

#include "data/hardware.hpp"
#include "data/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// One figure over the processes (or nodes) that have it.
struct Spread {
    double min = unknown, max = unknown, sum = unknown;
    std::int64_t count = 0; // the number that have it

    // The mean. Rounding never puts it outside of least and largest.
    [[nodiscard]] double mean() const {
        return count > 0 ? std::max(std::min(sum / static_cast<double>(count), max), min) : unknown;
    }
    // The distance of the mean from the largest, as a share of the largest: 0 if all are equal.
    [[nodiscard]] double imbalance() const { return max > 0 ? (max - mean()) / max : unknown; }

    void add(double value) {
        if (is_known(value)) add({value, value, value, 1});
    }
    void add(const Spread &other) {
        if (other.count == 0) return;
        min = count == 0 ? other.min : std::min(min, other.min);
        max = count == 0 ? other.max : std::max(max, other.max);
        sum = count == 0 ? other.sum : sum + other.sum;
        count += other.count;
    }
};

struct NamedSpread {
    std::string name; // "PAPI_TOT_INS"
    Spread over;
    std::string why_missing; // if no process knows it
};

// Series in time: value i belongs to the interval ](i) step_s, (i + 1) step_s] on the run's clock; at most
// series_most_points of them. Bounded: step_s grows with the run.
inline constexpr std::size_t series_most_points = 256;
struct Series {
    double step_s = unknown;
    std::vector<Spread> values;
};

// One quantity of a meter that has no figures of its own below.
struct MeterFigures {
    std::string meter, quantity, unit; // "load", "load", "1"
    bool of_node = false;              // one process reads it for its node; else each process reads its own
    bool counts_up = false;            // a counter; else a gauge
    // A gauge has its smallest and largest sample anywhere, and the sum over processes (or nodes) of its mean over
    // the run. A counter has what it counted in the run, on each process (or node).
    Spread over;
    Spread rate_per_s;       // of a counter: `over` by the time between its first and last sample
    Series series;           // of one process (or node): a gauge's largest sample, a counter's rate per second
    std::string why_missing; // if nobody knows the figures
};

struct RegionMeters {
    std::vector<NamedSpread> counters; // inclusive, as the time
    Spread energy_J;                   // of the node, over the nodes; power taken as constant between two samples
    Spread memory_B;                   // change of the resident set from begin to end, summed over `memory_calls`
    std::int64_t memory_calls = 0;     // calls in which memory was read; it is not read in very short ones
    Spread messages, message_B;        // sent inside the region, point to point; none: MPI was not recorded
};

struct ComponentMeters {
    Spread hwm_B, rss_B, executable_B;      // of each process, at the end
    Series rss;                             // resident set of one process [B]
    double energy_J = unknown;              // total_J of its nodes; of shared nodes its share by cores
    double gpu_J = unknown;                 // the GPUs' part of it
    bool energy_is_estimate = false;        // shares a node with another component
    std::string why_no_energy;              // in words, if energy_J is NaN
    std::vector<NamedSpread> loop_counters; // over the coupling loop, of each process
};

// From this share of the coupling loop on, a component's time without a processor may change who is called slow
// (docs/definitions.md, section 2, "A disturbed run").
inline constexpr double disturbed_from = 0.05;

// The time in its coupling loop that processes of a component were ready and had no processor.
struct NoProcessor {
    Spread of_processes;            // seconds of each
    std::int32_t most = -1;         // rank in comm of the process with the most; -1: not known
    Spread outside;                 // seconds outside of MPI calls, if at least disturbed_from of the loop
    std::int32_t most_outside = -1; // the process with the most of these
};

struct NodeEnergy {
    // total_J is node_J if a source counts it, else module_J, else package + DRAM (+ GPUs, if there are any).
    double total_J = unknown;
    double package_J = unknown, dram_J = unknown;
    double core_J = unknown, uncore_J = unknown; // inside package
    double psys_J = unknown;                     // the whole board; never added
    double gpu_J = unknown;
    double module_J = unknown; // processors and GPUs in one module: contains package, DRAM and GPUs; never added
    double node_J = unknown;   // the whole node: contains the others
};

struct NodeMeters {
    std::string name;                      // of the host
    std::int32_t processes = 0, cores = 0; // of this run's processes
    std::int32_t installed_cores = 0;      // that the job may use there; 0: not known
    std::string kind;                      // of node, as its cores and GPUs tell it; empty: not known
    std::vector<NodeGpu> gpus;             // that the job may use there, in the driver's order
    bool gpus_known = false;               // false: whether there are any is not known
    NodeEnergy energy;
    std::string energy_source;      // "rapl, nvml"; empty: none
    std::string why_no_energy;      // with the remedy
    double memory_B = unknown;      // installed
    double memory_used_B = unknown; // largest sample
};

struct RunMeters {
    bool memory_wanted = false, energy_wanted = false; // ln_rss, ln_energy
    std::string counters_wanted;                       // cn_counters
    std::vector<NodeMeters> nodes;
    Spread hwm_B, executable_B;         // over all processes
    double energy_J = unknown;          // of all nodes
    Series node_memory;                 // used memory of one node [B]
    Series node_power;                  // total_J of one node [W]
    Spread samples, sampling_s;         // of each process: their number, and the time that they took
    Spread switches_per_s;              // of each process: how often the kernel took its processor away
    Spread no_processor_s;              // of each process, all its threads, from init to terminate
    Spread crowding;                    // of each process: threads of the run on its node / processors there
    std::vector<MeterFigures> others;   // those that processes read, then those of nodes
    std::vector<std::string> not_there; // in words, once each: what was not measured, why, and the remedy
};

} // namespace cpl_lb
